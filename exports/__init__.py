"""Write what the models have decided: the Hub folder, its card and manifests, and the published database."""

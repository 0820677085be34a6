"""The nine baselines: what is left to gain is counted from them. scikit-learn wherever it has what is needed."""

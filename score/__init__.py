"""Scoring: what a prediction is worth and how sure that is, the baselines, and the table of systems."""

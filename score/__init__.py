"""Scoring: what a prediction is worth and how sure that is, the baselines, and the table of systems."""

from pathlib import Path

COVERAGE = Path(__file__).with_name("coverage.csv")
"""How often the interval over works covers the truth on simulated works, as `sphragis bench score --table` measures."""

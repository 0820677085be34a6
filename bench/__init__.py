"""Measurements of single stages, each beside what would be picked instead, in the same run."""

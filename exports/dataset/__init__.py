"""The published rows: their columns, their nesting, their files, and the checks of both."""

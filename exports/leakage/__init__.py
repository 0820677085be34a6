"""The leakage audit: how well markup without any Greek tells the author, and how much of that is the project."""

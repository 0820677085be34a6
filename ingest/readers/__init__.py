"""The readers: one treebank file in, rows or a recorded finding out."""

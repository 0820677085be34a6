"""What readers ask of an edition: one sentence, its tree, its text, the difference to another edition."""

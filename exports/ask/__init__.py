"""What readers ask of an edition: patterns and SQL, sentences and their trees, the difference to another edition."""

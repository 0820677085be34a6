"""Read every token of every treebank into the raw tables: read, check and record, decide nothing."""

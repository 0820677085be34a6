"""The models on another engine: translated to Spark's SQL, run there, and compared with what DuckDB has made.

`models` reads the compiled models, `rewrites` puts right what sqlglot alone gets wrong, `census` names what is left
over, with reasons in `exceptions.csv`. `functions` and `stand_ins` are what Spark has no words for. `engine` runs,
`compare` compares, `compared_run` does both for the chain from words to splits, `report` tells.
"""

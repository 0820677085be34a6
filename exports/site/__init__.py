"""The documentation site: from a published column back to an attribute of a file, and what the vocabulary means.

`lineage` reads compiled models, `declared` says what no SQL says, `graph` and `trace` follow a published field to its
origins; `facts` reads the warehouse, `drawings` makes pictures, `render` the pages, `write` the folder.
"""

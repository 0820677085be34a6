"""Everything that a warehouse knows about one sentence, published or not: one record, told in several ways.

`record` has what is known, `read` reads it, `sections` puts it into sections for readers, `text` writes these for a
terminal and `account.html.jinja` for a page: that of the workbench and that of the documentation site are the same.
"""

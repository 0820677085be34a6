"""Pictures of trees for papers and pages: one record of a sentence, and pure functions that write it down.

`record` reads a sentence, `arcs` places what is drawn, `svg`, `html` and `tikz` write it.
"""

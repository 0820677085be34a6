"""The workbench: one page on this machine that asks patterns and SQL, and shows hits, counts and trees.

`app` has its addresses, `guard` what it refuses, `asked` what an address asks, `hits` and `counts` what is shown of an
answer, `pages` the templates, `command` the command `sphragis serve`.
"""

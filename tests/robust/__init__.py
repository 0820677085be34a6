"""Damaged input, killed runs, failing disks and hostile folders: what must hold whatever happens.

The cheap part runs with every `make test`; `make torture` runs the same checks for as long as one likes
(`__main__.py`), and writes down what it finds as a file to be read again.
"""

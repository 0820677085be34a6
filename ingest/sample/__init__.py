"""The bundled sample: a small corpus, made up for this project, in the layouts of the seven treebanks."""

from ingest.sample.generator import constructions, write_sample

__all__ = ["constructions", "write_sample"]

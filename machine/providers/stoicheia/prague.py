"""From trees in the Prague convention to UD heads and labels, by the models that convert the human layer.

There is one statement of the conversion, the dbt models of ``models/intermediate/syntax``. Here they run on parses
instead of treebanks: each model is rendered as dbt renders it (``ref`` gives a table, ``var`` a variable of
``dbt_project.yml``, the macros of ``macros/trees`` are there) and made in an in-memory DuckDB, in the order of their
references, on three tables filled from the parses in the place of the corpus, its text and its morphology.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from machine.interface import MachineError
from runtime.checkout import project_root, project_variables

if TYPE_CHECKING:
    import duckdb

RESULT = "int_syntax__native_trees"
SEEDS = (
    *("function_lemmas", "label_bases", "lookalike_capitals", "native_relations", "relations", "role_rules"),
    *("tag_to_feats", "tag_to_upos", "tree_roles"),
)
NO_EMPTY_NODES = "int_syntax__empty_heads"
"""The model of heads on empty nodes, which a parse does not have: a table without rows stands for it."""
_REF = re.compile(r"\{\{\s*ref\('(\w+)'\)\s*\}\}")


class PragueTree(NamedTuple):
    """A sentence as parsed, lists of one value per token; published tokens only.

    Attributes:
        tags: nine-position tags; the empty string for a token without analysis.
        lemmas: the parser's lemmas, by which the copula is known.
        heads: 0 for the root, else the number of the head, from 1.
        labels: relations as the treebanks write them (``SBJ``, ``OBJ_CO``); the empty string for none.
    """

    tags: list[str]
    lemmas: list[str]
    heads: list[int]
    labels: list[str]


class UdTree(NamedTuple):
    """Heads and full UD labels, before the coordinator rule, which every provider's trees go through later."""

    heads: list[int]
    deprels: list[str]


class Conversion:
    """The models and seeds of the conversion, read once.

    Attributes:
        models: text of the models that are needed, by name, each after those it refers to.
        sha256: checksum of models, macros, seeds and variables.
    """

    def __init__(self, root: Path | None = None) -> None:
        root = root or project_root(MachineError)
        self.seeds = {name: root / "seeds" / "annotation" / f"{name}.csv" for name in SEEDS}
        self.variables: dict[str, Any] = project_variables(root)
        self.macros = "".join(
            path.read_text(encoding="utf-8") for path in sorted((root / "macros" / "trees").glob("*.sql"))
        )
        self.models: dict[str, str] = {}
        self._collect(root / "models" / "intermediate" / "syntax", RESULT)
        digest = hashlib.sha256(self.macros.encode())
        for name, text in self.models.items():
            digest.update(f"{name}\n{text}\n".encode())
        for name in ("max_function_height", "token_key_factor"):
            digest.update(f"{name}={self.variables[name]}\n".encode())
        for path in self.seeds.values():
            digest.update(path.read_bytes())
        self.sha256 = digest.hexdigest()

    def _collect(self, folder: Path, name: str) -> None:
        """Read a model after the models that it refers to; seeds and the tables of the parses are no models there."""
        path = folder / f"{name}.sql"
        if name in (*self.models, NO_EMPTY_NODES) or not path.is_file():
            return
        text = path.read_text(encoding="utf-8")
        for reference in _REF.findall(text):
            self._collect(folder, reference)
        self.models[name] = text

    def convert(self, trees: Sequence[PragueTree]) -> list[UdTree]:
        """Return the trees in the UD convention: each with one root, heads in range and no cycle.

        Function nodes that are nested deeper than the models have passes stay what they are, as in the human layer.

        Raises:
            MachineError: a sentence has more tokens than a token key can hold.
        """
        import duckdb
        from jinja2 import Environment

        if not trees:
            return []
        environment = Environment(autoescape=False)
        with duckdb.connect(":memory:", config={"threads": 1}) as con:
            self._fill(con, trees)
            for name, text in self.models.items():
                template = environment.from_string(self.macros + text)
                con.execute(f"create table {name} as {template.render(ref=str, var=self.variables.__getitem__)}")
            return self._trees(con, trees)

    def _fill(self, con: duckdb.DuckDBPyConnection, trees: Sequence[PragueTree]) -> None:
        """Make the tables that the models start from."""
        import pyarrow as pa

        factor = int(self.variables["token_key_factor"])
        for tree in trees:
            if len(tree.heads) >= factor:
                raise MachineError(f"expected sentences of less than {factor} tokens, found one of {len(tree.heads)}")
        places = [
            (sentence, token) for sentence, tree in enumerate(trees, 1) for token in range(1, len(tree.heads) + 1)
        ]
        parsed = pa.table(
            {
                "gid": pa.array((sentence * factor + token for sentence, token in places), pa.int64()),
                "sentence_number": pa.array((sentence for sentence, _ in places), pa.int64()),
                "source_token": pa.array((str(token) for _, token in places), pa.string()),
                "native_head": pa.array((str(head) for tree in trees for head in tree.heads), pa.string()),
                "native_relation": pa.array((label for tree in trees for label in tree.labels), pa.string()),
                "lemma": pa.array((lemma for tree in trees for lemma in tree.lemmas), pa.string()),
                "tag": pa.array((tag for tree in trees for tag in tree.tags), pa.string()),
            }
        )
        for name, path in self.seeds.items():
            con.execute(f"create table {name} as select * from read_csv(?, header = true)", [str(path)])
        con.register("parsed", parsed)
        con.execute("create table projects as select 'parser' as project, 'prague' as syntax_scheme")
        con.execute("create table int_reading__tokens as select *, 'parser' as project, 'word' as row_kind from parsed")
        con.execute(
            "create table int_text__tokens as "
            "select gid, lemma, false as is_elliptic, false as is_editorial, true as is_published from parsed"
        )
        con.execute(f"create table {NO_EMPTY_NODES} (gid bigint, head_gid bigint, repair varchar)")
        # A part of speech that the tag set does not have says nothing.
        con.execute(
            "create table int_morphology__words as "
            "select gid, if(left(tag, 1) in (select value from tag_to_upos), rpad(left(tag, 9), 9, '-'), '---------') "
            "as tag from parsed"
        )
        con.unregister("parsed")

    def _trees(self, con: duckdb.DuckDBPyConnection, trees: Sequence[PragueTree]) -> list[UdTree]:
        """Read the result back."""
        factor = int(self.variables["token_key_factor"])
        table = con.sql(
            f"select (if(head_gid = 0, 0, head_gid % {factor}))::integer as head, relation from {RESULT} order by gid"
        ).to_arrow_table()
        heads, relations = table["head"].to_pylist(), table["relation"].to_pylist()
        converted, start = [], 0
        for tree in trees:
            stop = start + len(tree.heads)
            converted.append(UdTree(heads[start:stop], relations[start:stop]))
            start = stop
        if start != len(heads):
            raise MachineError(f"expected {start} converted tokens, found {len(heads)}")
        return converted

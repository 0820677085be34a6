"""What is written for readers is true: the README runs, every public table and column is described."""

from __future__ import annotations

import csv
import json
import os
import re
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote
from xml.etree import ElementTree

import pytest
import yaml
from conftest import ROOT, Build, connection

from exports.about.read import BENCHMARK_TABLES
from exports.dataset import schema
from exports.site import overview
from exports.site.declared import STEP
from exports.site.pages import first_of
from score.core.edition import is_held_out

PUBLIC = ("corpus", "benchmark", "hub", "audit")
README = (ROOT / "README.md").read_text(encoding="utf-8")
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
CODE = {".py", ".sql", ".csv", ".tsv", ".jinja"}
MADE = {"build", "target", "logs", "dbt_packages", "__pycache__"}
DOCUMENTS = [
    *sorted(ROOT.glob("*.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
    *sorted((ROOT / "models").glob("*.md")),
    ROOT / "tests" / "generic" / "README.md",
]
LONGEST_FIRST = 120
"""Signs of the first sentence of a description, which ends at a stop or a colon."""
SHARED_BY = 5
"""A column of so many models has one description for all of them."""


@pytest.fixture(scope="module")
def manifest(sample_build: Build) -> dict[str, Any]:
    """What dbt knows of the project."""
    loaded: dict[str, Any] = json.loads((sample_build.build / "target" / "manifest.json").read_text(encoding="utf-8"))
    return loaded


def files_of_the_project() -> list[Path]:
    """Return every file below the checkout that was written, not made, as paths inside it."""
    return [
        path.relative_to(ROOT)
        for path in sorted(ROOT.rglob("*"))
        if path.is_file()
        and not any(
            part in MADE or (part.startswith(".") and part != ".github") or part.endswith(".egg-info")
            for part in path.relative_to(ROOT).parts[:-1]
        )
    ]


def columns_of_models(manifest: dict[str, Any]) -> list[tuple[str, str, dict[str, Any]]]:
    """Return model, column and description of every described column of a model."""
    return [
        (node["name"], name, column)
        for node in manifest["nodes"].values()
        if node["resource_type"] == "model"
        for name, column in node["columns"].items()
    ]


def columns_of_their_own() -> dict[tuple[str, str], str]:
    """Return the columns that share a name and no meaning: (model or *, column) and why."""
    with (ROOT / "tests" / "python" / "columns_of_their_own.csv").open(encoding="utf-8", newline="") as file:
        return {(row["model"], row["column"]): row["reason"] for row in csv.DictReader(file)}


@pytest.mark.parametrize(
    "code",
    [
        textwrap.dedent(code)
        for text in (README, CONTRIBUTING)
        for code in re.findall(r"^ *```python\n(.*?)```", text, flags=re.DOTALL | re.MULTILINE)
    ],
)
def test_python_of_the_readme_and_the_runbooks_runs(code: str, sample_build: Build, tmp_path: Path) -> None:
    (tmp_path / "build").symlink_to(sample_build.build)
    environment = os.environ | {"HF_HUB_OFFLINE": "1", "HF_HOME": str(tmp_path / "cache")}
    finished = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert finished.returncode == 0, finished.stderr
    assert finished.stdout.strip()


def test_commands_of_the_readme_and_the_runbooks_exist() -> None:
    commands = sorted(set(re.findall(r"sphragis ((?:bench )?[a-z]+)", README + CONTRIBUTING)))
    assert commands
    for command in commands:
        finished = subprocess.run(
            [sys.executable, "-c", "from sphragis import app; app()", *command.split(), "--help"],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
        assert finished.returncode == 0, command


def test_links_of_the_readme_lead_somewhere() -> None:
    for target in re.findall(r"\]\(([^)#:]+)\)", README):
        assert (ROOT / target).exists(), target


def test_every_folder_with_code_is_in_the_map() -> None:
    table = README[README.index("## The map") :].split("| who looks for")[0]
    named = set()
    for folder, sentence in re.findall(r"^\| `([^`]+)/` \| (.*) \|$", table, flags=re.MULTILINE):
        assert (ROOT / folder).is_dir(), f"{folder} is in the map and not there"
        named |= {folder} | {f"{folder}/{part}" for part in re.findall(r"`([a-z_]+)`", sentence)}
    folders = {
        path.parent.as_posix()
        for path in files_of_the_project()
        if path.suffix in CODE and path.name != "__init__.py" and len(path.parts) > 1
    }
    # A folder of the second level or deeper may be left to the sentence of the one above it.
    missing = sorted(
        folder
        for folder in folders
        if folder not in named and (folder.count("/") < 2 or folder.rpartition("/")[0] not in named)
    )
    assert missing == []


def test_every_path_and_name_in_the_documents_exists() -> None:
    """A path that begins with a folder of the project, a file, a test, a model and a public table."""
    files = files_of_the_project()
    tops = {path.parts[0] for path in files if len(path.parts) > 1}
    names = {path.name for path in files}
    tests = {
        name
        for path in files
        if path.suffix == ".py" and path.parts[0] == "tests"
        for name in re.findall(r"def (test_\w+)", (ROOT / path).read_text(encoding="utf-8"))
    }
    models = {path.stem for path in files if path.parts[0] == "models" and path.suffix in (".sql", ".py")}
    wrong = []
    for document in DOCUMENTS:
        text = document.read_text(encoding="utf-8")
        # What a version of the past had may be gone.
        if document.name == "CHANGELOG.md":
            continue
        here = document.relative_to(ROOT)
        code = re.findall(r"`([^`\n]+)`", text)
        paths = [name for name in code if re.fullmatch(r"[\w./-]+", name)]
        for name in paths:
            if "/" in name and name.split("/")[0] in tops:
                wrong += [f"{here}: {name}"] if not (ROOT / name).exists() else []
            elif re.fullmatch(r"\w+\.(sql|py|csv|yml)", name):
                wrong += [f"{here}: {name}"] if name not in names else []
        wrong += [f"{here}: {name}" for name in re.findall(r"::(test_\w+)", text) if name not in tests]
        wrong += [f"{here}: {name}" for name in re.findall(r"\b((?:int|stg)_\w+?__\w+)", text) if name not in models]
        wrong += [
            f"{here}: {layer}.{name}"
            for layer, name in re.findall(r"`(corpus|benchmark|hub|audit)\.([a-z_]+)", text)
            # A record may name a table as it was called before.
            if "decisions" not in here.parts and f"{layer}_{name}" not in models and name not in models
        ]
        for target in re.findall(r"\]\(([^)#:\s]+)\)", text):
            wrong += [f"{here}: {target}"] if not (document.parent / target).exists() else []
    assert sorted(set(wrong)) == []


def test_every_decision_is_in_the_index_under_its_title() -> None:
    index = (ROOT / "docs" / "decisions" / "README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| \[(\d+)\]\(([^)]+)\) \| (.*) \| (\d{4}-\d\d-\d\d) \| (.+) \|$", index, flags=re.MULTILINE)
    records = sorted(path for path in (ROOT / "docs" / "decisions").glob("*.md") if path.name != "README.md")
    assert [row[1] for row in rows] == [path.name for path in records]
    for (number, name, title, _, status), path in zip(rows, records, strict=True):
        assert path.read_text(encoding="utf-8").splitlines()[0] == f"# {number}. {title}", name
        assert int(name[:4]) == int(number), name
        assert re.match(r"in force|open|replaced by \[", status), f"{name}: {status}"


def test_macros_are_documented_with_their_arguments(manifest: dict[str, Any]) -> None:
    faults = []
    for macro in manifest["macros"].values():
        if macro["package_name"] != "sphragis":
            continue
        name = macro["name"]
        if name.startswith("test_"):
            table = (ROOT / "tests" / "generic" / "README.md").read_text(encoding="utf-8")
            faults += [f"{name}: not in tests/generic/README.md"] if f"| `{name[5:]}` |" not in table else []
            continue
        if name.startswith("materialization_"):
            faults += [f"{name}: no description"] if not macro["description"].strip() else []
            continue
        signature = re.search(rf"{{%-?\s*macro {name}\(([^)]*)\)", macro["macro_sql"])
        expected = [part.split("=")[0].strip() for part in signature[1].split(",")] if signature else []
        expected = [part for part in expected if part]
        found = [argument["name"] for argument in macro["arguments"]]
        faults += [f"{name}: no description"] if not macro["description"].strip() else []
        faults += [f"{name}: expected the arguments {expected}, found {found}"] if found != expected else []
        faults += [
            f"{name}.{argument['name']}: no type or no description"
            for argument in macro["arguments"]
            if not argument["type"] or not argument["description"].strip()
        ]
    assert faults == []


def test_a_column_is_defined_once(manifest: dict[str, Any]) -> None:
    """A name that recurs has a block of that name, unless its meaning is another and the list says why."""
    columns = columns_of_models(manifest)
    own = columns_of_their_own()
    assert all(own.values()), "every row of columns_of_their_own.csv has a reason"
    blocks = {name.rpartition(".")[2] for name in manifest["docs"] if name.startswith("doc.sphragis.")}
    counts = {name: sum(column == name for _, column, _ in columns) for _, name, _ in columns}
    faults = [
        f"{model}.{name}: expected doc('{name}') of models/shared_columns.md, found {column['description']!r}"
        for model, name, column in columns
        if (counts[name] >= SHARED_BY or name in blocks)
        and ("*", name) not in own
        and (model, name) not in own
        and column["doc_blocks"] != [f"doc.sphragis.{name}"]
    ]
    assert faults == []
    known = {(model, name) for model, name, _ in columns}
    assert [row for row in own if row[0] != "*" and row not in known] == []
    assert [row for row in own if row[0] == "*" and counts.get(row[1], 0) < 2] == []
    assert sorted(blocks - set(counts) - {"__overview__"}) == []


def test_descriptions_of_columns_say_more_than_their_names(manifest: dict[str, Any]) -> None:
    def words(text: str) -> set[str]:
        return {re.sub(r"(es|s|ed)$", "", word.lower()) for word in re.findall(r"[^\W_]+", text)}

    empty = words("the of a an its it their other number name key in is and that this as by to for value")
    faults = [
        f"{node['name']}.{name}: {column['description']!r}"
        for node in manifest["nodes"].values()
        if node["resource_type"] in ("model", "seed")
        for name, column in node["columns"].items()
        if not column["doc_blocks"] and words(column["description"]) <= words(name) | empty
    ]
    assert faults == []


def test_the_first_sentence_of_a_shared_column_is_short(manifest: dict[str, Any]) -> None:
    long = {
        block["name"]: first
        for block in manifest["docs"].values()
        if block["package_name"] == "sphragis" and block["name"] != "__overview__"
        if len(first := re.sub(r"\]\([^)]*\)", "]", re.split(r"(?<=\.)\s", block["block_contents"].strip())[0])) > 100
    }
    assert long == {}


def test_the_first_sentence_of_a_table_is_short(manifest: dict[str, Any]) -> None:
    """Lists of tables show it alone."""
    long = {
        node["name"]: first
        for node in manifest["nodes"].values()
        if node["resource_type"] in ("model", "seed", "analysis")
        if len(first := first_of(node["description"])) > LONGEST_FIRST
    }
    assert long == {}


def test_the_overview_leads_to_what_is_there_and_has_the_picture_of_the_layers(manifest: dict[str, Any]) -> None:
    text = (ROOT / "models" / "overview.md").read_text(encoding="utf-8")
    project = yaml.safe_load((ROOT / "dbt_project.yml").read_text(encoding="utf-8"))
    assert text == overview.renewed(text, project), "run `python -m exports.site.overview`"
    known = {
        f"#!/{node['resource_type']}/{key}"
        for kind in ("nodes", "sources", "exposures")
        for key, node in manifest[kind].items()
    }
    links = re.findall(r"(?<!!)\]\(([^)]*)\)", text)
    assert len(links) > 40
    assert [link for link in links if link not in known and not link.startswith("data:")] == []
    (picture,) = overview.PICTURE.findall(text)
    assert all(name in picture for name, _ in overview.LAYERS)
    (address,) = re.findall(r"\((data:[^)]*)\)", text)
    drawn = unquote(address)
    assert {element.text for element in ElementTree.fromstring(drawn.partition(",")[2]).iter()} >= {
        name for name, _ in overview.LAYERS
    }
    assert "http" not in drawn.replace("http://www.w3.org/2000/svg", "")
    shown = overview.with_pages(manifest)["docs"][overview.BLOCK]["block_contents"]
    assert "[Columns](../columns/index.html)" in shown and "../columns" not in text


def test_every_model_has_an_owner_and_every_layer_a_colour(manifest: dict[str, Any]) -> None:
    models = [node for node in manifest["nodes"].values() if node["resource_type"] == "model"]
    assert [node["name"] for node in models if not node["config"]["group"]] == []
    assert [node["name"] for node in models if not node["docs"]["node_color"]] == []
    owners = [group["owner"]["name"] for group in manifest["groups"].values()]
    assert all(owners)
    assert {node["config"]["group"] for node in models} == {group["name"] for group in manifest["groups"].values()}


def test_selectors_have_a_reason_and_none_is_the_default() -> None:
    selectors = yaml.safe_load((ROOT / "selectors.yml").read_text(encoding="utf-8"))["selectors"]
    assert selectors
    for selector in selectors:
        assert len(selector["description"].split()) > 8, selector["name"]
        # A selection can never be exported, so that none may be what a plain `dbt build` does.
        assert not selector.get("default"), selector["name"]


def test_every_track_that_is_built_has_an_exposure(manifest: dict[str, Any]) -> None:
    with (ROOT / "seeds" / "benchmark" / "tracks.csv").open(encoding="utf-8", newline="") as file:
        tracks = {row["track"] for row in csv.DictReader(file) if row["is_expected"] == "true"}
    with (ROOT / "seeds" / "benchmark" / "chunk_sizes.csv").open(encoding="utf-8", newline="") as file:
        sizes = [int(row["chunk_target_size"]) for row in csv.DictReader(file)]
    exposures = {exposure["name"]: exposure for exposure in manifest["exposures"].values()}
    families = {name: found for name, found in exposures.items() if found["type"] == "ml"}
    assert set(families) == tracks
    for name, found in families.items():
        held_out = is_held_out(name)
        meta = found["config"]["meta"]
        assert meta["configurations"] == [f"{name}_{size}" for size in sizes]
        assert set(meta["column_families"]) == {
            column.family for column in schema.columns_of(chunked=True, held_out=held_out)
        }
        assert meta["primary_key"] in schema.schema_of(chunked=True, held_out=held_out).names
        assert ("model.sphragis.benchmark_held_out_works" in found["depends_on"]["nodes"]) == held_out
        columns = {column.name for column in schema.columns_of(chunked=True, held_out=held_out)}
        starts = {link[0] for name, links in STEP.items() for link in links if name.partition("[]")[0] in columns}
        assert {manifest["nodes"][key]["name"] for key in found["depends_on"]["nodes"]} == {
            *(start.replace(".", "_") for start in starts if "." in start),
            "hub_configurations",
            *(["benchmark_held_out_works"] if held_out else []),
        }
    assert len({found["description"] for found in exposures.values()}) == len(exposures)
    for found in exposures.values():
        assert (ROOT / found["url"]).exists(), found["url"]


WHOLE = {"dataset_card", "leakage_report"}
"""Exposures that name all tables that their code reads; the others name those that they are for."""


def test_an_exposure_names_the_tables_that_its_code_reads(manifest: dict[str, Any]) -> None:
    tables = {
        f"{node['schema']}.{node['alias']}": node["name"]
        for node in manifest["nodes"].values()
        if node["resource_type"] in ("model", "seed")
    }
    checked = set()
    for exposure in manifest["exposures"].values():
        code = exposure["config"]["meta"].get("code", [])
        if not code:
            continue
        text = "\n".join(
            path.read_text(encoding="utf-8")
            for folder in code
            for path in sorted((ROOT / folder).rglob("*"))
            if path.suffix in (".py", ".sql")
        )
        read = {tables[name] for name in re.findall(r"\b[a-z]+\.\w+", text) if name in tables}
        read |= set(re.findall(r"ref\('(\w+)'\)", text))
        if exposure["name"] == "dataset_card":
            read |= {f"benchmark_{name}" for name in BENCHMARK_TABLES}
        named = {manifest["nodes"][key]["name"] for key in exposure["depends_on"]["nodes"]}
        assert named - read == set(), exposure["name"]
        assert exposure["name"] not in WHOLE or read - named == set(), exposure["name"]
        checked.add(exposure["name"])
    assert checked >= WHOLE


def test_hooks_and_workflow_use_what_is_here() -> None:
    hooks = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))["repos"]
    assert [repo["repo"] for repo in hooks] == ["local"]
    workflow = (ROOT / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8")
    jobs = yaml.safe_load(workflow)["jobs"]
    steps = [step for job in jobs.values() for step in job["steps"]]
    commands = [step["run"] for step in steps if "run" in step]
    assert {"make build", "make test"} <= set(commands)
    assert any("dbt docs generate --static" in command for command in commands)
    assert "secrets." not in workflow
    assert [step["uses"] for step in steps if "uses" in step and not re.search(r"@v\d+\.\d+\.\d+$", step["uses"])] == []


def test_the_citation_is_of_this_version() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert {"cff-version", "message", "title", "authors", "version", "license"} <= set(citation)
    version = re.search(
        r'^version = "(.*)"$', (ROOT / "pyproject.toml").read_text(encoding="utf-8"), flags=re.MULTILINE
    )
    project = yaml.safe_load((ROOT / "dbt_project.yml").read_text(encoding="utf-8"))
    assert version
    assert str(citation["version"]) == version[1] == project["version"]
    assert f"## {version[1]}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_every_model_says_what_a_row_is(manifest: dict[str, Any]) -> None:
    models = [node for node in manifest["nodes"].values() if node["resource_type"] == "model"]
    assert models
    wrong = sorted(
        node["name"]
        for node in models
        if node["config"]["materialized"] != "table_function" and not node["description"].startswith("One row ")
    )
    assert wrong == []


def test_every_public_model_has_a_contract_and_described_columns(manifest: dict[str, Any]) -> None:
    public = [
        node
        for node in manifest["nodes"].values()
        if node["resource_type"] == "model"
        and node["schema"] in PUBLIC
        and node["config"]["materialized"] != "table_function"
    ]
    assert {node["schema"] for node in public} == set(PUBLIC)
    without = sorted(node["name"] for node in public if not node["config"]["contract"]["enforced"])
    assert without == []
    silent = sorted(
        f"{node['name']}.{column['name']}"
        for node in public
        for column in node["columns"].values()
        if not column["description"]
    )
    assert silent == []


def columns_tested(manifest: dict[str, Any]) -> set[tuple[str, str]]:
    """Return model and column of every column that a data test is about, alone or with others."""

    def named(value: Any) -> Iterator[str]:
        if isinstance(value, str):
            yield value
        elif isinstance(value, list):
            for one in value:
                yield from named(one)
        elif isinstance(value, dict):
            yield from value

    return {
        (manifest["nodes"][test["attached_node"]]["name"], column)
        for test in manifest["nodes"].values()
        if test["resource_type"] == "test" and test.get("attached_node", "").startswith("model.")
        for value in test["test_metadata"]["kwargs"].values()
        for column in named(value)
    }


def test_every_column_of_a_public_table_has_a_data_test_or_a_reason(manifest: dict[str, Any]) -> None:
    with (ROOT / "tests" / "python" / "columns_without_tests.csv").open(encoding="utf-8", newline="") as file:
        reasons = {(row["model"], row["column"]): row["reason"] for row in csv.DictReader(file)}
    assert all(reasons.values())
    tested = columns_tested(manifest)
    without, excused = [], set()
    for node in manifest["nodes"].values():
        if node["resource_type"] != "model" or node["schema"] not in ("corpus", "benchmark", "hub"):
            continue
        if node["config"]["materialized"] == "table_function":
            continue
        for column in node["columns"]:
            keys = {(node["name"], column), ("*", column), (node["name"], "*")} & reasons.keys()
            if (node["name"], column) not in tested:
                excused |= keys
                without += [] if keys else [f"{node['name']}.{column}"]
    assert without == []
    assert sorted(reasons.keys() - excused) == [], "these have a test, and need no reason"


PLANTED = {
    "filled": ("hub_authors", "update planted set train = null"),
    "not_empty": ("hub_authors", "update planted set genres = []"),
    "not_negative": ("hub_authors", "update planted set works = -1"),
    "among": ("hub_authors", "update planted set held_out_group = 'other' where held_out_group is not null"),
    "together": ("hub_authors", "update planted set held_out_work = null where held_out_genre is not null"),
    "shares": ("benchmark_shared_words", "update planted set own_share = 1.5"),
    "either": ("benchmark_held_out_candidates", "update planted set test_rank = null"),
}
"""A fault for every rule of the generic test `columns_hold`: a model, and what is done to its rows."""


def test_what_columns_hold_is_seen_when_it_breaks(sample_build: Build, manifest: dict[str, Any]) -> None:
    with connection(sample_build.db) as warehouse:
        for rule, (model, fault) in PLANTED.items():
            (test,) = (node for node in manifest["nodes"].values() if node["name"] == f"columns_of_{model}_hold")
            relation = manifest["nodes"][f"model.sphragis.{model}"]["relation_name"]
            asked = test["compiled_code"].replace(relation, "planted")
            warehouse.execute(f"create or replace temp table planted as from {relation.partition('.')[2]}")
            assert warehouse.execute(asked).fetchall() == [], model
            warehouse.execute(fault)
            assert {found[1] for found in warehouse.execute(asked).fetchall()} == {rule}, rule


def test_every_column_of_a_seed_is_described(manifest: dict[str, Any]) -> None:
    silent = []
    for node in manifest["nodes"].values():
        if node["resource_type"] == "seed":
            with (ROOT / node["original_file_path"]).open(encoding="utf-8") as file:
                header = file.readline().strip().split(",")
            silent += [
                f"{node['name']}.{name}" for name in header if not node["columns"].get(name, {}).get("description")
            ]
    assert silent == []


def test_public_tables_and_columns_carry_their_comments(sample_build: Build) -> None:
    with connection(sample_build.db) as warehouse:
        silent = warehouse.execute(
            "select schema_name || '.' || table_name || '.' || column_name from duckdb_columns() "
            f"where schema_name in {PUBLIC} and comment is null order by all"
        ).fetchall()
        tables = warehouse.execute(
            f"select schema_name || '.' || table_name from duckdb_tables() where schema_name in {PUBLIC} "
            "and comment is null order by all"
        ).fetchall()
    assert silent == []
    assert tables == []


def test_names_of_the_token_table_are_the_published_ones(sample_build: Build) -> None:
    names = re.findall(
        r"\w+",
        """
        sentence_id project path position author work canonical_work genre passage fate split source_index
        source_token token_index native_form form folded word lemma published_lemma native_tag native_head
        native_relation upos feats ud_upos ud_feats head relation deprel head_repair machine_upos machine_feats
        machine_head machine_deprel feat_aspect feat_case feat_degree feat_gender feat_mood feat_number feat_person
        feat_tense feat_verbform feat_voice
        """,
    )
    with connection(sample_build.db) as warehouse:
        columns = [row[0] for row in warehouse.execute("describe corpus.tokens").fetchall()]
    assert columns[: len(names)] == names


def test_models_are_short() -> None:
    long = {
        str(path.relative_to(ROOT)): lines
        for path in sorted((ROOT / "models").rglob("*.sql"))
        if (lines := len(path.read_text(encoding="utf-8").splitlines())) > 160
    }
    assert long == {}

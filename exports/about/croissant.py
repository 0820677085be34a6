"""The Croissant description of the dataset, made from the published schema; nothing is fetched.

One file set and one record set per configuration, one file object with its sha256 per Parquet file. A
nested list of structs becomes an array field with a sub-field per member, reached by a JSON path.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pyarrow as pa

from exports.about.record import DESCRIPTION, KEYWORDS, About
from exports.dataset import schema
from exports.warehouse import ExportError
from runtime.checkout import project_root

CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "arrayShape": "cr:arrayShape",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "containedIn": "cr:containedIn",
    "cr": "http://mlcommons.org/croissant/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "description": {"@container": "@language"},
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileObject": "cr:fileObject",
    "fileProperty": "cr:fileProperty",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isArray": "cr:isArray",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "name": {"@container": "@language"},
    "parentField": "cr:parentField",
    "path": "cr:path",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}

ENCODING = "application/x-parquet"

SPLITS = "splits"
"""The record set that says what the splits are."""

MARKS: dict[str, dict[str, Any]] = {
    "author": {"dataType": ["sc:Text", "cr:Label"]},
    "split": {"references": {"field": {"@id": f"{SPLITS}/name"}}},
}
"""What a column is to who trains: the label, and the split that a row is of."""


def _data_type(arrow: pa.DataType) -> str:
    """Croissant name of a scalar type."""
    if pa.types.is_integer(arrow):
        return "cr:Int32"
    return "sc:Boolean" if pa.types.is_boolean(arrow) else "sc:Text"


def _field(prefix: str, name: str, arrow: pa.DataType, files: str, column: str, path: str) -> dict[str, Any]:
    """Croissant field of a column or of a struct member; `path` leads to it inside the column."""
    depth = 0
    while pa.types.is_list(arrow):
        arrow, depth = arrow.value_type, depth + 1
    result: dict[str, Any] = {"@type": "cr:Field", "@id": f"{prefix}/{name}", "name": name}
    source: dict[str, Any] = {"fileSet": {"@id": files}, "extract": {"column": column}}
    if depth:
        result |= {"isArray": True, "arrayShape": ",".join(["-1"] * depth)}
    inner = path + "[*]" * depth
    if pa.types.is_struct(arrow):
        result["subField"] = [
            _field(f"{prefix}/{name}", member.name, member.type, files, column, f"{inner}.{member.name}")
            for member in arrow
        ]
    else:
        result["dataType"] = _data_type(arrow)
        if path:
            source["transform"] = {"jsonPath": path.lstrip(".")}
        result["source"] = source
    return result


def describe(about: About) -> dict[str, Any]:
    """Return the description as JSON-LD."""
    checksums = about.made.checksums
    distribution: list[dict[str, Any]] = []
    records: list[dict[str, Any]] = []
    for name in sorted(about.shapes):
        files = f"{name}-files"
        distribution.append(
            {
                "@type": "cr:FileSet",
                "@id": files,
                "name": files,
                "description": f"Parquet files of {name}, one per split.",
                "encodingFormat": ENCODING,
                "includes": f"data/{name}/*.parquet",
            }
        )
        for path in sorted(path for path in checksums if path.startswith(f"data/{name}/")):
            distribution.append(
                {
                    "@type": "cr:FileObject",
                    "@id": path,
                    "name": path.rpartition("/")[2],
                    "contentUrl": path,
                    "encodingFormat": ENCODING,
                    "sha256": checksums[path],
                }
            )
        chunked, held_out = about.shapes[name]
        records.append(
            {
                "@type": "cr:RecordSet",
                "@id": name,
                "name": name,
                "key": {"@id": f"{name}/id"},
                "field": [
                    _field(name, column.name, column.type, files, column.name, "")
                    | {"description": column.description}
                    | MARKS.get(column.name, {})
                    for column in schema.columns_of(chunked=chunked, held_out=held_out)
                ],
            }
        )
    return {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.1",
        "name": about.title,
        "description": ("A sample, not the treebanks. " if about.is_sample else "") + DESCRIPTION,
        "version": about.version,
        "citeAs": about.citation,
        "inLanguage": "grc",
        "license": sorted({project.licence_url for project in about.projects}),
        **({"url": about.url} if about.url else {}),
        "creator": [{"@type": "sc:Organization", "name": name} for name in about.creators],
        "datePublished": about.date,
        "keywords": list(KEYWORDS),
        "distribution": distribution,
        "recordSet": [_splits(), *records],
    }


def _splits() -> dict[str, Any]:
    """Return the record set of the splits, in the order in which people use them."""
    key = f"{SPLITS}/name"
    return {
        "@type": "cr:RecordSet",
        "@id": SPLITS,
        "name": SPLITS,
        "description": "The splits of every configuration.",
        "dataType": "cr:Split",
        "key": {"@id": key},
        "field": [{"@type": "cr:Field", "@id": key, "name": "name", "dataType": "sc:Text"}],
        "data": [{key: split} for split in schema.SPLITS],
    }


def validate(path: Path) -> list[str]:
    """Errors that the Croissant library finds; it needs the optional package `mlcroissant`.

    Raises:
        ModuleNotFoundError: the package is not installed.
    """
    import logging

    import mlcroissant

    logging.getLogger("absl").setLevel(logging.ERROR)
    try:
        dataset = mlcroissant.Dataset(str(path))
    except mlcroissant.ValidationError as error:
        return [str(error)]
    return [str(error) for error in dataset.metadata.ctx.issues.errors]


def check(path: Path) -> None:
    """Check a description where the library is installed (it is in the development extra).

    In a process of its own: the library keeps a graph of every field in memory.

    Raises:
        ExportError: the description is not valid.
    """
    import importlib.util
    import subprocess

    if importlib.util.find_spec("mlcroissant") is None:
        return
    command = [sys.executable, "-m", "exports.about.croissant", str(path.resolve())]
    checked = subprocess.run(command, cwd=project_root(ExportError), capture_output=True, text=True, check=False)
    if checked.returncode:
        told = (checked.stdout or checked.stderr).strip().splitlines()
        raise ExportError(f"croissant.json is not valid: {told[-1] if told else 'no reason given'}")


if __name__ == "__main__":
    found = validate(Path(sys.argv[1]))
    print("\n".join(found))
    sys.exit(1 if found else 0)

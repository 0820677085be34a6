"""Where Python finds the checkout: the one rule, and that there is no other."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import ROOMS, ROOT

import runtime.checkout
from exports.about.read import rule_variables
from exports.audit.compare import reading
from exports.warehouse import ExportError
from ingest.sources import load_registry
from runtime.checkout import project_root
from runtime.errors import IngestError


def other_checkout(folder: Path) -> Path:
    """Make a folder that looks like a checkout."""
    (folder / "seeds" / "universal").mkdir(parents=True)
    (folder / "seeds" / "annotation").mkdir()
    (folder / "dbt_project.yml").write_text("vars: {ngram_size: 7}\n")
    (folder / "seeds" / "annotation" / "relation_reduction.csv").write_text("relation,deprel\nacl,other\n")
    return folder


def test_the_current_checkout_comes_before_that_of_the_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert project_root(ExportError) == ROOT
    monkeypatch.chdir(other_checkout(tmp_path / "other"))
    assert project_root(ExportError) == tmp_path / "other"
    assert rule_variables() == {"ngram_size": 7}
    assert reading("reduced")("acl:relcl") == "other"


def test_without_a_checkout_the_caller_tells_its_own_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(runtime.checkout, "__file__", str(tmp_path / "runtime" / "checkout.py"))
    with pytest.raises(ExportError, match=r"expected dbt_project.yml .* run from the top of the checkout"):
        rule_variables()
    with pytest.raises(IngestError, match="run from the top of the checkout"):
        load_registry()


def test_nothing_else_looks_for_the_checkout() -> None:
    modules = [path for name in ROOMS for path in (ROOT / name).rglob("*.py")]
    finding = {
        path.relative_to(ROOT).as_posix()
        for path in modules
        if any(text in path.read_text(encoding="utf-8") for text in ("Path.cwd()", ".parents[", ".parent.parent"))
    }
    # The scorer's script stands in a dataset, which is no checkout.
    assert finding == {"runtime/checkout.py", "score/hub.py"}

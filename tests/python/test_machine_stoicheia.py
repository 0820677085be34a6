"""The provider Stoicheia, with a stand-in of libraries and model that has the interface of its public code.

The stand-in gives arc and label scores of the shapes of the model ((batch, words, words + 1) and one more axis for
labels, the root first, -inf for padding and own arcs), skips tokens without a letter it knows, and decodes greedily.
"""

from __future__ import annotations

import contextlib
import math
import shutil
import subprocess
import sys
from importlib import metadata
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, ClassVar

import numpy as np
import pytest
from conftest import ROOT

from machine.artefact import machine_layer
from machine.interface import Corpus, MachineError, Parsed, Sentence
from machine.providers import stoicheia
from machine.providers.stoicheia import StoicheiaProvider

REVISION = "0123456789abcdef0123456789abcdef01234567"
LABELS = ["SBJ", "OBJ", "PRED", "AuxP", "ADV", "COORD", "PNOM", "ATR", "AuxY"]

# form: tag, lemma, UD tag, features
WORDS = {
    "ἐκ": ("r--------", "ἐκ", "ADP", {}),
    "γῆς": ("n-s---fg-", "γῆ", "NOUN", {"Number": "Sing", "Gender": "Fem", "Case": "Gen"}),
    "ἔρχεται": ("v3spie---", "ἔρχομαι", "VERB", {"Person": "3", "Mood": "Ind", "VerbForm": "Fin"}),
    "σοφὸς": ("a-s---mn-", "σοφός", "ADJ", {"Case": "Nom"}),
    "ἐστιν": ("v3spia---", "εἰμί", "VERB", {"Person": "3"}),
    "ἀνήρ": ("n-s---mn-", "ἀνήρ", "NOUN", {"Case": "Nom"}),
}
SENTENCES = [
    Sentence("s-1", ["ἐκ", "γῆς", "ἔρχεται"]),
    Sentence("s-2", ["σοφὸς", "ϡ", "ἐστιν", "ἀνήρ"]),
    Sentence("s-3", ["ϡ", "ϙ"]),
]
# What the model prefers, as head and label of each word that it reads, counted among those.
TREES = {
    "ἐκ γῆς ἔρχεται": [(3, "AuxP"), (1, "ADV"), (0, "PRED")],
    "σοφὸς ἐστιν ἀνήρ": [(2, "PNOM"), (0, "PRED"), (2, "SBJ")],
}


class Tensor:
    """An array that must be taken off its device first."""

    def __init__(self, values: Any) -> None:
        self.values = np.asarray(values, dtype=np.float32)

    def detach(self) -> Tensor:
        return self

    cpu = float = detach

    def numpy(self) -> Any:
        return self.values


class Processor:
    """Reads tokens with a word of the list; decodes greedily."""

    folders: ClassVar[list[str]] = []

    def __init__(self) -> None:
        self.deprel_vocab = LABELS

    @classmethod
    def from_pretrained(cls, folder: str) -> Processor:
        cls.folders.append(folder)
        return cls()

    def __call__(self, sentences: list[list[str]]) -> dict[str, Any]:
        return {"_forms": [[form for form in forms if form in WORDS] for forms in sentences]}

    def decode(self, output: Any, batch: dict[str, Any], ud: bool = False) -> list[list[dict[str, Any]]]:
        assert ud
        return [
            [
                dict(form=form, xpos=tag, lemma=lemma, upos=upos, feats=feats, head=99, deprel="greedy")
                for form in forms
                for tag, lemma, upos, feats in [WORDS[form]]
            ]
            for forms in batch["_forms"]
        ]


class Model:
    """Scores the arcs of the preferred trees at 5, others at 0."""

    def __init__(self) -> None:
        self.is_training = True
        self.second_roots = False

    def eval(self) -> Model:
        self.is_training = False
        return self

    def __call__(self, _forms: list[list[str]]) -> Any:
        assert not self.is_training
        width = max(map(len, _forms))
        if not width:
            return SimpleNamespace(arc_scores=None, rel_scores=None)
        arcs = np.full((len(_forms), width, width + 1), -math.inf)
        labels = np.zeros((len(_forms), width, width + 1, len(LABELS)))
        for row, forms in enumerate(_forms):
            count = len(forms)
            arcs[row, :count, : count + 1] = 0
            for word, (head, label) in enumerate(TREES[" ".join(forms)] if forms else []):
                arcs[row, word, word + 1] = -math.inf
                arcs[row, word, head] = 5
                labels[row, word, head, LABELS.index(label)] = 1
                if self.second_roots:
                    # The second choice of the greedy decoder: everything on the root, with a label of its own.
                    arcs[row, word, 0] = 6 if head else 5.5
                    labels[row, word, 0, LABELS.index("AuxY" if head else label)] = 1
        return SimpleNamespace(arc_scores=Tensor(arcs), rel_scores=Tensor(labels))


@pytest.fixture
def libraries(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """Stand-ins of the libraries; what is called is written down."""
    calls: list[Any] = []
    model = Model()

    def from_pretrained(folder: str, **options: Any) -> Model:
        calls.append((folder, options))
        return model

    def snapshot_download(repository: str, revision: str) -> str:
        calls.append((repository, revision))
        return "/snapshot"

    def get_class(name: str, folder: str) -> Any:
        calls.append((name, folder))
        return Processor

    torch = ModuleType("torch")
    for name in ("manual_seed", "set_num_threads", "use_deterministic_algorithms"):
        setattr(torch, name, lambda value, name=name: calls.append((name, value)))
    torch.inference_mode = contextlib.nullcontext  # type: ignore[attr-defined]
    transformers = ModuleType("transformers")
    transformers.AutoModel = SimpleNamespace(from_pretrained=from_pretrained)  # type: ignore[attr-defined]
    dynamic = ModuleType("transformers.dynamic_module_utils")
    dynamic.get_class_from_dynamic_module = get_class  # type: ignore[attr-defined]
    hub = ModuleType("huggingface_hub")
    hub.snapshot_download = snapshot_download  # type: ignore[attr-defined]
    for module in (torch, transformers, dynamic, hub):
        monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setattr(metadata, "version", lambda name: f"{name} 1.0")
    return SimpleNamespace(calls=calls, model=model, transformers=transformers, dynamic=dynamic, hub=hub)


def provider(folder: Path | None = None, revision: str | None = REVISION, trust: bool = True) -> StoicheiaProvider:
    return StoicheiaProvider(folder, revision, trust)


def parse(tmp_path: Path, sentences: list[Sentence] = SENTENCES) -> dict[str, Parsed]:
    parses, _ = machine_layer(Corpus(sentences), provider(), tmp_path, lambda line: None)
    return {parsed.id: parsed for parsed in parses}


def test_prague_trees_become_ud_trees(tmp_path: Path, libraries: SimpleNamespace) -> None:
    parsed = parse(tmp_path)
    assert parsed["s-1"] == Parsed(
        "s-1",
        ["ADP", "NOUN", "VERB"],
        ["", "Case=Gen|Gender=Fem|Number=Sing", "Mood=Ind|Person=3|VerbForm=Fin"],
        [2, 3, 0],
        ["case", "obl", "root"],
    )


def test_skipped_tokens_are_x_on_the_root_and_the_copula_is_turned(tmp_path: Path, libraries: SimpleNamespace) -> None:
    parsed = parse(tmp_path)
    assert parsed["s-2"].upos == ["ADJ", "X", "VERB", "NOUN"]
    assert parsed["s-2"].feats[1] == ""
    assert parsed["s-2"].heads == [0, 1, 1, 1]
    assert parsed["s-2"].deprels == ["root", "dep", "cop", "nsubj"]


def test_a_sentence_that_is_skipped_whole_is_a_tree_all_the_same(tmp_path: Path, libraries: SimpleNamespace) -> None:
    assert parse(tmp_path)["s-3"] == Parsed("s-3", ["X", "X"], ["", ""], [0, 1], ["root", "dep"])
    alone = tmp_path / "alone"
    assert parse(alone, [SENTENCES[2]])["s-3"].heads == [0, 1]


def test_two_greedy_roots_become_one_tree_with_the_labels_of_its_arcs(
    tmp_path: Path, libraries: SimpleNamespace
) -> None:
    libraries.model.second_roots = True
    parsed = parse(tmp_path)
    # All three words would go to the root; the best tree keeps one of them and the labels of the other arcs.
    assert parsed["s-1"].heads.count(0) == 1
    assert parsed["s-1"].heads == [2, 3, 0]
    assert parsed["s-1"].deprels == ["case", "obl", "root"]


def test_the_manifest_names_model_revision_and_what_was_skipped(tmp_path: Path, libraries: SimpleNamespace) -> None:
    _, manifest = machine_layer(Corpus(SENTENCES), provider(), tmp_path, lambda line: None)
    assert manifest["model"] == "Ericu950/Stoicheia-tagger-parser"
    assert manifest["revision"] == REVISION
    assert manifest["versions"] == {name: f"{name} 1.0" for name in ("torch", "transformers", "huggingface_hub")}
    assert manifest["skipped_tokens"] == 3
    assert len(manifest["configuration"]["conversion_sha256"]) == 64


def test_everything_comes_from_the_pinned_snapshot(tmp_path: Path, libraries: SimpleNamespace) -> None:
    parse(tmp_path)
    assert libraries.calls == [
        ("manual_seed", 917),
        ("set_num_threads", 1),
        ("use_deterministic_algorithms", True),
        ("Ericu950/Stoicheia-tagger-parser", REVISION),
        ("/snapshot", {"revision": REVISION, "trust_remote_code": True}),
        ("processing_char_bert_joint.CharBertJointProcessor", "/snapshot"),
    ]
    assert Processor.folders[-1] == "/snapshot"


def test_a_local_snapshot_needs_no_hub_and_counts_by_its_content(tmp_path: Path, libraries: SimpleNamespace) -> None:
    folder = tmp_path / REVISION
    folder.mkdir()
    (folder / "config.json").write_text("{}")
    local = provider(folder)
    parses, manifest = machine_layer(Corpus(SENTENCES), local, tmp_path / "machine", lambda line: None)
    assert len(parses) == 3
    assert ("Ericu950/Stoicheia-tagger-parser", REVISION) not in libraries.calls
    assert str(tmp_path) not in str(manifest)
    digest = manifest["configuration"]["snapshot_sha256"]
    (folder / ".cache").mkdir()
    (folder / ".cache" / "x").write_text("x")
    assert local.identity(Corpus([]))["configuration"]["snapshot_sha256"] == digest
    (folder / "config.json").write_text("{ }")
    assert local.identity(Corpus([]))["configuration"]["snapshot_sha256"] != digest


@pytest.mark.parametrize(
    ("revision", "expected"),
    [
        (None, "expected its revision in SPHRAGIS_STOICHEIA_REVISION, found none"),
        ("main", "expected a commit id of 40 lower-case hexadecimal digits, found 'main'; branches and tags move"),
        (REVISION[:39], "expected a commit id of 40 lower-case hexadecimal digits, found"),
        (REVISION + "0", "expected a commit id of 40 lower-case hexadecimal digits, found"),
        (REVISION + "\n", "expected a commit id of 40 lower-case hexadecimal digits, found"),
        (REVISION.replace("a", "g"), "expected a commit id of 40 lower-case hexadecimal digits, found"),
    ],
)
def test_a_revision_that_is_no_commit_is_refused(revision: str | None, expected: str) -> None:
    with pytest.raises(MachineError) as caught:
        provider(revision=revision).identity(Corpus([]))
    assert expected in str(caught.value)


def test_a_snapshot_of_another_revision_is_refused(tmp_path: Path) -> None:
    other = REVISION[::-1]
    (tmp_path / other).mkdir()
    with pytest.raises(MachineError, match=f"expected a snapshot of {REVISION}, found one of {other}"):
        provider(tmp_path / other).identity(Corpus([]))


def test_a_snapshot_that_is_not_there_or_empty_is_told(tmp_path: Path, libraries: SimpleNamespace) -> None:
    with pytest.raises(MachineError, match="expected the folder of a snapshot, found none at"):
        provider(tmp_path / "missing").identity(Corpus([]))
    with pytest.raises(MachineError, match="expected the files of a model in"):
        provider(tmp_path).identity(Corpus([]))


def test_without_the_opt_in_nothing_of_the_model_is_touched(tmp_path: Path, libraries: SimpleNamespace) -> None:
    with pytest.raises(MachineError) as caught:
        machine_layer(Corpus(SENTENCES), provider(trust=False), tmp_path, lambda line: None)
    text = str(caught.value)
    assert "brings its own Python code, which runs on this machine with all your rights" in text
    assert f"Read it at revision {REVISION}, and set SPHRAGIS_TRUST_REMOTE_CODE=1" in text
    assert libraries.calls == []


def test_missing_libraries_are_told() -> None:
    try:
        metadata.version("torch")
    except metadata.PackageNotFoundError:
        with pytest.raises(
            MachineError, match=r"expected the library torch, found none; install the extra: pip install"
        ):
            provider().identity(Corpus([]))


def fails(error: Exception) -> Any:
    def call(*values: Any, **options: Any) -> Any:
        raise error

    return call


def test_a_model_that_cannot_be_fetched_is_told_with_the_ways_out(tmp_path: Path, libraries: SimpleNamespace) -> None:
    libraries.hub.snapshot_download = fails(OSError("offline mode is enabled\nsecond line"))
    with pytest.raises(MachineError) as caught:
        parse(tmp_path)
    assert "is not in the cache and cannot be fetched: OSError: offline mode is enabled; put a snapshot" in str(
        caught.value
    )
    assert "SPHRAGIS_MACHINE=conllu" in str(caught.value)


def test_a_model_or_processor_that_does_not_load_is_told(tmp_path: Path, libraries: SimpleNamespace) -> None:
    libraries.dynamic.get_class_from_dynamic_module = fails(AttributeError("no such class"))
    with pytest.raises(
        MachineError, match=r"expected the processor processing_char_bert_joint.CharBertJointProcessor at"
    ):
        parse(tmp_path)
    libraries.transformers.AutoModel.from_pretrained = fails(RuntimeError("sizes do not match"))
    with pytest.raises(MachineError, match="the model cannot be loaded: RuntimeError: sizes do not match"):
        parse(tmp_path)


def test_a_processor_of_another_kind_is_told(tmp_path: Path, libraries: SimpleNamespace) -> None:
    libraries.dynamic.get_class_from_dynamic_module = lambda name, folder: SimpleNamespace(
        from_pretrained=lambda folder: SimpleNamespace(decode=print)
    )
    with pytest.raises(MachineError, match=r"expected a processor with decode and deprel_vocab like .*SimpleNamespace"):
        parse(tmp_path)


def test_records_and_scores_of_another_shape_are_told(
    tmp_path: Path, libraries: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    decode = Processor.decode

    def without_tag(self: Processor, output: Any, batch: Any, ud: bool = False) -> Any:
        return [[{"form": record["form"]} for record in records] for records in decode(self, output, batch, ud)]

    def others(self: Processor, output: Any, batch: Any, ud: bool = False) -> Any:
        return [[record | {"form": "ἄλλο"} for record in records] for records in decode(self, output, batch, ud)]

    def fewer(self: Processor, output: Any, batch: Any, ud: bool = False) -> Any:
        return decode(self, output, batch, ud)[1:]

    for change, expected in (
        (without_tag, r"expected records with form, lemma, xpos, upos and feats .*KeyError: 'xpos'"),
        (others, "sentence s-1: expected records of its tokens in their order, found 'ἄλλο'"),
        (fewer, "expected records of 3 sentences, found 2"),
    ):
        monkeypatch.setattr(Processor, "decode", change)
        with pytest.raises(MachineError, match=expected):
            parse(tmp_path)
    monkeypatch.setattr(Processor, "decode", decode)
    monkeypatch.setattr(Model, "__call__", lambda self, _forms: SimpleNamespace())
    with pytest.raises(MachineError, match=r"sentence s-\d: expected arc scores, found none"):
        parse(tmp_path)


def test_batches_do_not_change_the_parse(
    tmp_path: Path, libraries: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = parse(tmp_path / "whole")
    monkeypatch.setattr(stoicheia, "BATCH_SENTENCES", 1)
    assert parse(tmp_path / "single") == whole


def test_a_stopped_run_goes_on_where_it_was(
    tmp_path: Path, libraries: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stoicheia, "PART_SENTENCES", 1)
    whole = parse(tmp_path / "whole")
    call, seen = Model.__call__, list[list[str]]()

    def stopped(self: Model, _forms: list[list[str]]) -> Any:
        seen.extend(_forms)
        if len(seen) == 2:
            raise KeyboardInterrupt
        return call(self, _forms)

    monkeypatch.setattr(Model, "__call__", stopped)
    with pytest.raises(KeyboardInterrupt):
        parse(tmp_path / "machine")
    (part,) = (tmp_path / "machine" / "stoicheia").iterdir()
    assert parse(tmp_path / "machine") == whole
    # The shortest sentence was kept; the one that was interrupted and the last were parsed.
    assert [len(forms) for forms in seen] == [0, 3, 3, 3]
    assert machine_layer(Corpus(SENTENCES), provider(), tmp_path / "machine", print)[1]["skipped_tokens"] == 3
    # A damaged part is parsed again.
    part.write_bytes(part.read_bytes().replace(b"X", b"Y", 1))
    for path in (tmp_path / "machine").glob("[0-9a-f]*"):
        shutil.rmtree(path)
    assert parse(tmp_path / "machine") == whole
    assert [len(forms) for forms in seen] == [0, 3, 3, 3, 0]


def test_the_libraries_are_not_imported_unless_the_model_is_loaded() -> None:
    script = (
        "import sys; import machine.providers.choice, machine.providers.stoicheia; "
        "print({'torch', 'transformers', 'huggingface_hub', 'spacy', 'jinja2', 'numpy'} & set(sys.modules))"
    )
    finished = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert finished.stdout.strip() == "set()"

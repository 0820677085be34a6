"""One fold of the machine layer, trained and parsed by one backend in one process: what it costs and how well it does.

The backends get the same training trees and the same sentences. `crossfit` is the parser of the project with the
settings of a profile; `spacy` is a spaCy pipeline (tok2vec on the same accent-stripped affixes, morphologizer,
transition parser), measured where spaCy is installed beside the project: it is in no lock. Nothing is cached.
"""

from __future__ import annotations

import dataclasses
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from exports.warehouse import ExportError, open_read_only, relations
from machine.providers.crossfit import worker
from runtime.command import run_child

if TYPE_CHECKING:
    from machine.interface import Corpus, Parsed
    from machine.providers.crossfit.data import FoldInput
    from machine.providers.crossfit.profile import Profile

BACKENDS = ("crossfit", "spacy")
NEEDED = (
    "intermediate.int_machine__sentences",
    "intermediate.int_splits__published_tokens",
    "intermediate.int_machine__training",
    "intermediate.int_machine__training_words",
    "intermediate.int_machine__withheld",
)
SPACY_WORDS = 1_000
"""Words in a batch of spaCy, as many as in one of `crossfit`."""


@dataclass(frozen=True)
class Measured:
    """One training and parse of a fold.

    Attributes:
        cpu, wall: seconds from the training trees in memory to the last parse.
        memory: greatest memory of the process in bytes.
        words, training_words: words parsed and words of one epoch.
        uas, las, upos, feats: shares of the words on which parser and human layer agree; las in the reduced inventory.
    """

    backend: str
    fold: int
    epochs: int
    cpu: float
    wall: float
    memory: int
    words: int
    training_words: int
    uas: float
    las: float
    upos: float
    feats: float


def load_corpus(db: Path) -> Corpus:
    """Return the published sentences of a warehouse as providers are given them.

    Raises:
        ExportError: the warehouse has no folds.
    """
    from machine.tables import Tables, corpus_of

    con = open_read_only(db)
    try:
        missing = [name for name in NEEDED if name not in relations(con)]
        if missing:
            raise ExportError(f"the warehouse {db} has no {', '.join(missing)}: run `dbt build`")
        orders = ("id", "id, token", "id", "id, token", "fold, id")
        tables = Tables(
            *(
                con.sql(f"select * from {name} order by {order}").to_arrow_table()
                for name, order in zip(NEEDED, orders, strict=True)
            )
        )
        return corpus_of(tables, is_sample=False)
    finally:
        con.close()


def run_crossfit(corpus: Corpus, fold: FoldInput, profile: Profile) -> list[Parsed]:
    """Train and parse with the parser of the project."""
    from machine.providers.crossfit.data import answer_sizes, numbered
    from machine.providers.crossfit.training import first_state, parse_fold, parses, train_epoch

    data = numbered(fold, profile)
    models = []
    for model in range(profile.models):
        state = first_state(profile, answer_sizes(corpus), model)
        for epoch in range(profile.epochs):
            state, _ = train_epoch(data, profile, (fold.fold, model, epoch), state)
        models.append(state["average"])
    return parses(data, fold.sentences, parse_fold(data, profile, models))


def run_spacy(corpus: Corpus, fold: FoldInput, profile: Profile) -> list[Parsed]:
    """Train and parse with a spaCy pipeline of the same epochs and seed.

    Raises:
        ExportError: spaCy is not installed.
    """
    try:
        import spacy
    except ImportError:
        raise ExportError("spaCy is not installed: `pip install spacy` beside the project to measure it") from None
    from spacy.attrs import LOWER, NORM, PREFIX, SHAPE, SUFFIX
    from spacy.tokens import Doc
    from spacy.training import Example
    from spacy.training.batchers import minibatch_by_words

    from machine.interface import Parsed
    from machine.providers.crossfit.features import bare

    class Defaults(spacy.language.BaseDefaults):  # type: ignore[misc]
        lex_attr_getters: dict[int, Callable[[str], str]] = {  # noqa: RUF012
            **spacy.language.BaseDefaults.lex_attr_getters,
            NORM: bare,
            PREFIX: lambda form: bare(form)[:3],
            SUFFIX: lambda form: bare(form)[-3:],
            SHAPE: lambda form: f"2 {bare(form)[-2:]} {form[-1:]}",
            LOWER: lambda form: f"5 {bare(form)[-5:]}",
        }

    class Greek(spacy.language.Language):  # type: ignore[misc]
        lang = "grc_bench"
        Defaults = Defaults

    spacy.registry.languages.register("grc_bench", func=Greek)
    spacy.util.fix_random_seed(profile.seed)
    nlp = Greek()
    width = 128
    embed = {
        "@architectures": "spacy.MultiHashEmbed.v2",
        "width": width,
        "attrs": ["ORTH", "NORM", "PREFIX", "SUFFIX", "SHAPE", "LOWER"],
        "rows": [10_000, 8_000, 2_500, 2_500, 2_500, 5_000],
        "include_static_vectors": False,
    }
    encode = {
        "@architectures": "spacy.MaxoutWindowEncoder.v2",
        "width": width,
        "depth": 4,
        "window_size": 1,
        "maxout_pieces": 3,
    }
    listener = {"@architectures": "spacy.Tok2VecListener.v1", "width": width, "upstream": "*"}
    parser = {
        "@architectures": "spacy.TransitionBasedParser.v2",
        "state_type": "parser",
        "extra_state_tokens": True,
        "hidden_width": 128,
        "maxout_pieces": 2,
        "use_upper": True,
        "tok2vec": listener,
    }
    nlp.add_pipe("tok2vec", config={"model": {"@architectures": "spacy.Tok2Vec.v2", "embed": embed, "encode": encode}})
    nlp.add_pipe("morphologizer", config={"model": {"@architectures": "spacy.Tagger.v2", "tok2vec": listener}})
    nlp.add_pipe("parser", config={"model": parser, "min_action_freq": 20, "learn_tokens": False})

    def document(forms: list[str], **gold: Any) -> Any:
        return Doc(nlp.vocab, words=forms, sent_starts=[True, *[False] * (len(forms) - 1)], **gold)

    examples = [
        Example(
            document(sentence.forms),
            document(
                sentence.forms,
                pos=tree.upos,
                morphs=tree.feats,
                heads=[head - 1 if head else place for place, head in enumerate(tree.heads)],
                deps=["ROOT" if label == "root" else label for label in tree.deprels],
            ),
        )
        for sentence, tree in fold.training
    ]
    optimizer = nlp.initialize(lambda: examples)
    import random

    shuffled = random.Random(profile.seed)
    words = sum(len(sentence.forms) for sentence, _ in fold.training)
    steps, step = max(1, words // SPACY_WORDS * profile.epochs), 0
    for _ in range(profile.epochs):
        shuffled.shuffle(examples)
        for batch in minibatch_by_words(examples, size=SPACY_WORDS):
            optimizer.learn_rate = 0.001 * min(1.0, (step + 1) / profile.warmup) * max(0.05, 1 - step / steps)
            nlp.update(batch, drop=0.15, sgd=optimizer)
            step += 1
    found = []
    documents = nlp.pipe(document(sentence.forms) for sentence in fold.sentences)
    for sentence, parsed in zip(fold.sentences, documents, strict=True):
        heads = [0 if token.head.i == token.i else token.head.i + 1 for token in parsed]
        labels = ["root" if token.dep_ == "ROOT" else token.dep_ for token in parsed]
        upos, feats = [token.pos_ for token in parsed], [str(token.morph) for token in parsed]
        found.append(Parsed(sentence.id, upos, feats, heads, labels))
    return found


def run(db: Path, backend: str, fold: int, changes: dict[str, Any]) -> Measured:
    """Measure one backend in this process.

    Args:
        db: a warehouse with folds.
        backend: one of BACKENDS.
        fold: which fold is parsed.
        changes: settings that differ from the full profile.

    Raises:
        ExportError: no such fold or setting, or the backend is not installed.
    """
    import resource

    from exports.audit.compare import reading
    from exports.audit.reader import Token
    from exports.audit.scores import score
    from machine.providers.crossfit.data import fold_inputs
    from machine.providers.crossfit.profile import FULL

    worker.begin()
    try:
        profile = dataclasses.replace(FULL, **changes)
    except TypeError as error:
        raise ExportError(f"no such setting of a profile: {error}") from None
    corpus = load_corpus(db)
    chosen = [one for one in fold_inputs(corpus, profile) if one.fold == fold]
    if not chosen:
        raise ExportError(f"the warehouse has the folds {sorted(set(corpus.folds.values()))}, not {fold}")
    wall, cpu = time.perf_counter(), time.process_time()
    parses = {"crossfit": run_crossfit, "spacy": run_spacy}[backend](corpus, chosen[0], profile)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    # Every sentence of the fold that is annotated as a whole by a native project has its gold tree in the corpus.
    forms = {sentence.id: sentence.forms for sentence in chosen[0].sentences}

    def tokens(tree: Parsed) -> list[Token]:
        rows = zip(forms[tree.id], tree.upos, tree.feats, tree.heads, tree.deprels, strict=True)
        return [
            Token(form, upos, frozenset(filter(None, feats.split("|"))), head, label)
            for form, upos, feats, head, label in rows
        ]

    pairs = [(tokens(corpus.gold[tree.id]), tokens(tree)) for tree in parses if tree.id in corpus.gold]
    figures = score(pairs, reading("reduced"))
    return Measured(
        backend,
        fold,
        profile.epochs,
        cpu,
        wall,
        resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
        figures["tokens"],
        sum(len(sentence.forms) for sentence, _ in chosen[0].training),
        figures["uas"],
        figures["las"],
        figures["upos_accuracy"],
        figures["feats_exact"],
    )


def measure(db: Path, backends: list[str], fold: int, changes: dict[str, Any]) -> str:
    """Measure each backend in a process of its own; a table of the figures.

    Raises:
        ExportError: a backend cannot be measured.
    """
    measured = []
    for backend in backends:
        request = json.dumps([str(db), backend, fold, changes])
        command = [sys.executable, "-m", "bench.parser", request]
        environment = os.environ | worker.ENVIRONMENT | {"PYTHONHASHSEED": "0"}
        done = run_child(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
        if done.returncode:
            told = done.stderr.strip().splitlines()
            raise ExportError(told[-1] if told else f"{backend} ended with {done.returncode}")
        measured.append(Measured(**json.loads(done.stdout.splitlines()[-1])))
    lines = [
        f"fold {fold}: {measured[0].training_words:,} words of other works train, {measured[0].words:,} are compared",
        f"{'backend':<10}{'epochs':>7}{'UAS':>8}{'LAS':>8}{'UPOS':>8}{'FEATS':>8}{'CPU s':>9}{'wall s':>9}{'MB':>8}",
    ]
    for found in measured:
        shares = "".join(f"{100 * share:>8.2f}" for share in (found.uas, found.las, found.upos, found.feats))
        cost = f"{found.cpu:>9.0f}{found.wall:>9.0f}{found.memory / 1e6:>8.0f}"
        lines.append(f"{found.backend:<10}{found.epochs:>7}{shares}{cost}")
    return "\n".join(lines)


if __name__ == "__main__":
    try:
        place, *rest = json.loads(sys.argv[1])
        print(json.dumps(asdict(run(Path(place), *rest))))
    except ExportError as error:
        raise SystemExit(str(error)) from None

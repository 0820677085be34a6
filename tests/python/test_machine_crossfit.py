"""The parser that is trained here: sees no work it parses, gives the same bytes again, goes on where it stopped."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from conftest import ROOT

from machine.check import find_cycle
from machine.interface import Corpus, MachineError, Parsed, Sentence
from machine.providers.crossfit import CrossfitProvider, worker
from machine.providers.crossfit.data import FoldData, answer_sizes, batch_size, batches, collate, fold_inputs, numbered
from machine.providers.crossfit.features import UNKNOWN, affix_table, bare, word_table
from machine.providers.crossfit.profile import FULL, SAMPLE, Profile

TINY = Profile(
    "tiny",
    word_rows=32,
    affix_rows=64,
    dimensions=6,
    hidden=8,
    layers=1,
    tag_hidden=8,
    arc_hidden=8,
    relation_hidden=8,
    models=2,
    epochs=3,
    batch_words=16,
    lengths=(8,),
    longest_trained=7,
    rate=0.02,
    warmup=2,
)

VERBS = {"λέγει": "Mood=Ind|VerbForm=Fin", "γράφει": "Mood=Ind|VerbForm=Fin", "ἄγειν": "VerbForm=Inf"}
NOUNS = {"λόγον": "Case=Acc", "ἵππος": "Case=Nom", "ἀνήρ": "Case=Nom"}


def small_corpus(size: int = 60) -> Corpus:
    """Return sentences of six works in three folds: noun, verb, noun, all on the verb; the last work has no gold."""
    dice = random.Random(917)
    sentences, folds, gold, works = [], {}, {}, {}
    for number in range(size):
        name = f"s-{number:03}"
        verb = dice.choice(sorted(VERBS))
        nouns = [dice.choice(sorted(NOUNS)) for _ in range(dice.randint(1, 6))]
        forms = [nouns[0], verb, *nouns[1:]]
        heads = [2, 0, *[2] * (len(nouns) - 1)]
        sentences.append(Sentence(name, forms))
        works[name] = f"work-{number % 6}"
        folds[name] = number % 3
        if number % 6 != 5:
            feats = [VERBS.get(form) or NOUNS[form] for form in forms]
            upos = ["VERB" if form in VERBS else "NOUN" for form in forms]
            gold[name] = Parsed(name, upos, feats, heads, ["nsubj", "root", *["obj"] * (len(nouns) - 1)])
    return Corpus(sentences, folds, gold, works=works, withheld={0: frozenset({"s-001"})})


def die(*arguments: object) -> None:
    """End a worker as a kill does."""
    os._exit(1)


def checksum(parses: list[Parsed]) -> str:
    return hashlib.sha256(json.dumps(sorted(parses), ensure_ascii=False).encode()).hexdigest()


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return small_corpus()


@pytest.fixture(scope="module")
def first(corpus: Corpus, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Parsed]]:
    """A first training of all folds, one process."""
    cache = tmp_path_factory.mktemp("crossfit")
    return cache, CrossfitProvider(TINY, processes=1).parse(corpus, cache, lambda line: None)


def test_no_parser_is_trained_on_a_work_that_it_parses_or_on_what_repeats_it(corpus: Corpus) -> None:
    for fold in fold_inputs(corpus, TINY):
        trained = {sentence.id for sentence, _ in fold.training}
        parsed = {sentence.id for sentence in fold.sentences}
        assert trained and parsed
        assert not trained & parsed
        assert not {corpus.works[name] for name in trained} & {corpus.works[name] for name in parsed}
        assert not trained & corpus.withheld.get(fold.fold, frozenset())
    assert "s-001" in {sentence.id for sentence, _ in fold_inputs(corpus, TINY)[2].training}


def test_every_sentence_is_parsed_in_exactly_one_fold(corpus: Corpus) -> None:
    parsed = [sentence.id for fold in fold_inputs(corpus, TINY) for sentence in fold.sentences]
    assert sorted(parsed) == [sentence.id for sentence in corpus.sentences]


def test_only_gold_trees_of_a_trainable_length_train(corpus: Corpus) -> None:
    short = dataclasses.replace(TINY, longest_trained=4)
    for fold in fold_inputs(corpus, short):
        assert {sentence.id for sentence, _ in fold.training} <= set(corpus.gold)
        assert max(len(sentence.forms) for sentence, _ in fold.training) == 4
        assert max(len(sentence.forms) for sentence in fold.sentences) == 7


def test_a_smaller_training_is_chosen_by_sha256_of_seed_and_id(corpus: Corpus) -> None:
    all_of_it, some = (
        fold_inputs(corpus, profile)[1].training for profile in (TINY, dataclasses.replace(TINY, most_trained=5))
    )
    ranked = sorted(all_of_it, key=lambda pair: hashlib.sha256(f"917:train:{pair[0].id}".encode()).hexdigest())
    assert some == sorted(ranked[:5], key=lambda pair: pair[0].id)


def test_the_key_of_a_fold_follows_from_its_own_content_alone(corpus: Corpus) -> None:
    keys = [fold.key({"trainer": 1}) for fold in fold_inputs(corpus, TINY)]
    assert len(set(keys)) == 3
    assert keys == [fold.key({"trainer": 1}) for fold in fold_inputs(small_corpus(), TINY)]
    assert keys[0] != fold_inputs(corpus, TINY)[0].key({"trainer": 2})
    changed = small_corpus()
    # s-003 is parsed in fold 0 and trains folds 1 and 2; a new relation leaves the sentence as it was for fold 0.
    changed.gold["s-003"] = changed.gold["s-003"]._replace(deprels=["dep", *changed.gold["s-003"].deprels[1:]])
    after = [fold.key({"trainer": 1}) for fold in fold_inputs(changed, TINY)]
    assert [one == other for one, other in zip(keys, after, strict=True)] == [True, False, False]


def test_a_work_in_two_folds_is_refused(corpus: Corpus) -> None:
    divided = dataclasses.replace(corpus, folds=corpus.folds | {"s-006": 1})
    with pytest.raises(MachineError, match="s-006: expected all of work-0 in fold 0, found it in fold 1"):
        fold_inputs(divided, TINY)


def test_more_rows_of_answers_are_another_key(corpus: Corpus) -> None:
    """The rows are what is drawn before training: new labels in one fold alone make other parses in all."""
    assert answer_sizes(corpus) == (64, 8)
    wider = small_corpus()
    for name, tree in wider.gold.items():
        if wider.folds[name] == 0:
            wider.gold[name] = tree._replace(deprels=[f"dep:{name.replace('-', '')}" for _ in tree.deprels])
    assert answer_sizes(wider) == (64, 24)
    one, other = (CrossfitProvider(TINY).identity(made)["fold_keys"] for made in (corpus, wider))
    assert not set(one) & set(other)


def test_what_the_manifest_says_is_part_of_the_identity(corpus: Corpus) -> None:
    before = CrossfitProvider(TINY).identity(corpus)
    renamed = dataclasses.replace(corpus, works={name: f"new-{work}" for name, work in corpus.works.items()})
    after = CrossfitProvider(TINY).identity(renamed)
    assert before["fold_keys"] == after["fold_keys"]
    assert before["facts_sha256"] != after["facts_sha256"]


def test_a_fold_without_training_trees_is_named(tmp_path: Path) -> None:
    bare_corpus = Corpus([Sentence("s-1", ["ναί"])], {"s-1": 0}, works={"s-1": "w"})
    with pytest.raises(MachineError, match="fold 0: expected trees of native projects"):
        CrossfitProvider(TINY).parse(bare_corpus, tmp_path, lambda line: None)


def test_every_parse_is_a_tree_with_labels_of_its_training(corpus: Corpus, first: tuple[Path, list[Parsed]]) -> None:
    forms = {sentence.id: sentence.forms for sentence in corpus.sentences}
    assert sorted(tree.id for tree in first[1]) == sorted(forms)
    for tree in first[1]:
        assert len(tree.heads) == len(forms[tree.id])
        assert tree.heads.count(0) == 1
        assert not find_cycle(tree.heads)
        assert [label == "root" for label in tree.deprels] == [head == 0 for head in tree.heads]
        assert set(tree.deprels) <= {"root", "nsubj", "obj"}
        assert set(zip(tree.upos, tree.feats, strict=True)) <= {
            ("VERB", "Mood=Ind|VerbForm=Fin"),
            ("VERB", "VerbForm=Inf"),
            ("NOUN", "Case=Acc"),
            ("NOUN", "Case=Nom"),
        }


def test_the_parser_learns(corpus: Corpus, first: tuple[Path, list[Parsed]]) -> None:
    """The verb is the root in every sentence: a parser that has learnt nothing finds it in every third."""
    forms = {sentence.id: sentence.forms for sentence in corpus.sentences}
    right = [forms[tree.id][tree.heads.index(0)] in VERBS for tree in first[1]]
    assert sum(right) / len(right) > 0.9


def test_two_trainings_and_any_number_of_processes_give_the_same_parse(
    corpus: Corpus, first: tuple[Path, list[Parsed]], tmp_path: Path
) -> None:
    again = CrossfitProvider(TINY, processes=3).parse(corpus, tmp_path, lambda line: None)
    assert checksum(again) == checksum(first[1])


def test_a_second_call_trains_nothing(
    corpus: Corpus, first: tuple[Path, list[Parsed]], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*arguments: object, **named: object) -> None:
        raise AssertionError("a process was started")

    monkeypatch.setattr("machine.providers.crossfit.schedule.ProcessPoolExecutor", refuse)
    assert checksum(CrossfitProvider(TINY).parse(corpus, first[0], lambda line: None)) == checksum(first[1])


def test_what_training_needed_is_gone_when_a_fold_is_parsed(first: tuple[Path, list[Parsed]]) -> None:
    assert [path.name for path in sorted(first[0].glob("folds/*/*"))] == ["parse.conllu"] * 3


STOPPED = """
import sys
from pathlib import Path
from test_machine_crossfit import TINY, small_corpus
from machine.providers.crossfit import CrossfitProvider
if __name__ == "__main__":
    say = lambda line: print(line, flush=True)
    CrossfitProvider(TINY, processes=1).parse(small_corpus(), Path(sys.argv[1]), say)
"""


def test_a_run_that_is_killed_resumes_and_leaves_no_process(
    corpus: Corpus, first: tuple[Path, list[Parsed]], tmp_path: Path
) -> None:
    script = tmp_path / "stopped.py"
    script.write_text(STOPPED, encoding="utf-8")
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "tests" / "python")])}
    cache = tmp_path / "cache"
    cache.mkdir()
    command = [sys.executable, str(script), str(cache)]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        for line in running.stdout:
            if "epoch 2 of 3" in line:
                running.send_signal(signal.SIGKILL)
                break
        running.wait()
        # The worker holds the other end of the pipe: its end is the end of the worker.
        running.stdout.read()
    states = [path.name for path in cache.glob("folds/*/model-*.npz")]
    assert any(name.endswith("after-2-epochs.npz") for name in states)
    said: list[str] = []
    resumed = CrossfitProvider(TINY, processes=1).parse(corpus, cache, said.append)
    assert checksum(resumed) == checksum(first[1])
    assert not any("model 1 of 2: epoch 1 of 3" in line for line in said)


def test_a_fold_of_which_one_model_was_trained_before_is_parsed(
    corpus: Corpus, first: tuple[Path, list[Parsed]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("machine.providers.crossfit.worker.run_parse", die)
    with pytest.raises(MachineError, match="found one killed"):
        CrossfitProvider(TINY, processes=1).parse(corpus, tmp_path, lambda line: None)
    monkeypatch.undo()
    trained = sorted(tmp_path.glob(f"folds/*/model-1-after-{TINY.epochs}-epochs.npz"))
    assert trained
    for path in trained:
        path.unlink()
    parsed = CrossfitProvider(TINY, processes=1).parse(corpus, tmp_path, lambda line: None)
    assert checksum(parsed) == checksum(first[1])


def test_a_damaged_parse_of_a_fold_is_made_again(
    corpus: Corpus, first: tuple[Path, list[Parsed]], tmp_path: Path
) -> None:
    from shutil import copytree

    cache = tmp_path / "copy"
    copytree(first[0], cache)
    victim = sorted(cache.glob("folds/*/parse.conllu"))[1]
    victim.write_text(victim.read_text(encoding="utf-8").replace("\troot\t", "\tdep\t", 1), encoding="utf-8")
    said: list[str] = []
    assert checksum(CrossfitProvider(TINY, processes=1).parse(corpus, cache, said.append)) == checksum(first[1])
    assert len({line.split(":")[0].split(",")[0] for line in said if line.startswith("fold")}) == 1


def test_identity_and_facts_state_what_was_done(corpus: Corpus) -> None:
    provider = CrossfitProvider(TINY)
    identity = provider.identity(corpus)
    assert identity["configuration"]["epochs"] == 3
    assert set(identity["versions"]) == {"jax", "jaxlib", "numpy"}
    assert json.loads(json.dumps(identity)) == identity
    facts = provider.facts(corpus)["folds"]
    assert [fold["works"] for fold in facts] == [["work-0", "work-3"], ["work-1", "work-4"], ["work-2", "work-5"]]
    assert facts[0]["withheld_sentences"] == 1
    without_gold = dataclasses.replace(corpus, withheld={0: frozenset({"s-001", "s-005"})})
    assert CrossfitProvider(TINY).facts(without_gold)["folds"][0]["withheld_sentences"] == 1
    assert sum(fold["sentences"] for fold in facts) == 60


def test_the_sample_has_a_profile_of_its_own(corpus: Corpus) -> None:
    assert CrossfitProvider().profile(corpus) is FULL
    assert CrossfitProvider().profile(dataclasses.replace(corpus, is_sample=True)) is SAMPLE


def test_words_and_affixes_are_rows_of_their_tables() -> None:
    forms = ["λόγος", "λόγοσ", "ᾗ"]
    table = affix_table(forms, 64)
    assert table.shape == (3, 12)
    assert (table >= 0).all() and (table < 64).all()
    assert (table[0, :8] == table[1, :8]).all()
    assert bare("ᾗ") == "η"
    rows = word_table(forms, [0, 0, 1, 2, 2, 2], rows=3)
    assert rows.tolist() == [2, UNKNOWN, 1], "the more frequent first"
    assert word_table(forms, [0, 0, 2, 2], rows=2).tolist() == [1, UNKNOWN, UNKNOWN]


def test_batches_hold_every_sentence_once_in_programs_of_fixed_size() -> None:
    lengths = np.asarray([3, 8, 9, 20, 1, 8])
    profile = dataclasses.replace(TINY, lengths=(4, 8), batch_words=8)
    for generator in (None, np.random.default_rng(1)):
        made = batches(lengths, profile, generator)
        assert sorted(place for _, members in made for place in members.tolist()) == list(range(6))
        for length, members in made:
            assert len(members) <= batch_size(length, profile)
            assert max(lengths[members]) <= length
    assert {length for length, _ in batches(lengths, profile, None)} == {4, 8, 16, 24}


def test_padding_has_no_say(corpus: Corpus, tmp_path: Path) -> None:
    """A sentence gets the same scores alone and beside longer ones."""
    from machine.providers.crossfit.network import read
    from machine.providers.crossfit.training import first_state

    data = numbered(fold_inputs(corpus, TINY)[0], TINY)
    parameters = first_state(TINY, answer_sizes(corpus), 0)["parameters"]
    short, long = (int(place) for place in (data.parsed.lengths.argmin(), data.parsed.lengths.argmax()))
    words = int(data.parsed.lengths[short])
    alone = read(parameters, collate(data, data.parsed, np.asarray([short]), words, 1), np.int32(4))
    beside = read(parameters, collate(data, data.parsed, np.asarray([long, short]), 8, 3), np.int32(4))
    np.testing.assert_allclose(
        np.asarray(alone["arcs"])[0], np.asarray(beside["arcs"])[1, :words, : words + 1], rtol=1e-4, atol=1e-5
    )


def test_what_is_saved_is_read_again(corpus: Corpus, tmp_path: Path) -> None:
    from machine.providers.crossfit.training import first_state, load_state, save_state

    data = numbered(fold_inputs(corpus, TINY)[0], TINY)
    data.save(tmp_path / "data.npz")
    again = FoldData.load(tmp_path / "data.npz")
    assert (again.tags, again.relations) == (data.tags, data.relations)
    np.testing.assert_equal(vars(again.training), vars(data.training))
    state = first_state(TINY, answer_sizes(corpus), 0)
    save_state(worker.state_path(tmp_path, 0, 2), state)
    np.testing.assert_equal(load_state(worker.state_path(tmp_path, 0, 2)), state)
    assert worker.epochs_done(tmp_path, 0, 3) == 2
    assert worker.epochs_done(tmp_path, 0, 1) == 0


@pytest.mark.parametrize("left", [0, 100, -200])
def test_a_torn_state_counts_as_none(corpus: Corpus, tmp_path: Path, left: int) -> None:
    from machine.providers.crossfit.training import first_state, save_state

    path = worker.state_path(tmp_path, 0, 1)
    save_state(path, first_state(TINY, answer_sizes(corpus), 0))
    assert worker.epochs_done(tmp_path, 0, 3) == 1
    path.write_bytes(path.read_bytes()[:left])
    assert worker.epochs_done(tmp_path, 0, 3) == 0
    assert not path.exists()


def test_a_torn_input_is_written_again(corpus: Corpus, first: tuple[Path, list[Parsed]], tmp_path: Path) -> None:
    key = CrossfitProvider(TINY).identity(corpus)["fold_keys"][0][:16]
    for path in first[0].glob("folds/*/parse.conllu"):
        if path.parent.name != key:
            target = tmp_path / "folds" / path.parent.name / path.name
            target.parent.mkdir(parents=True)
            target.write_bytes(path.read_bytes())
    torn = worker.data_path(tmp_path / "folds" / key)
    torn.parent.mkdir(parents=True)
    torn.write_bytes(b"PK")
    assert checksum(CrossfitProvider(TINY).parse(corpus, tmp_path, lambda line: None)) == checksum(first[1])


def test_a_worker_that_is_killed_is_told(corpus: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("machine.providers.crossfit.worker.run_epoch", die)
    with pytest.raises(MachineError, match="found one killed, perhaps for want of memory"):
        CrossfitProvider(TINY, processes=1).parse(corpus, tmp_path, lambda line: None)


def test_the_rate_rises_and_falls() -> None:
    from machine.providers.crossfit.training import rate_at

    rates = [rate_at(TINY, step, 50) for step in range(50)]
    assert rates[0] == TINY.rate / TINY.warmup
    assert max(rates) <= TINY.rate
    assert rates[2:] == sorted(rates[2:], reverse=True)
    assert rates[-1] == pytest.approx(TINY.rate * 0.02)

"""The rules of deduplication in plain Python, pair by pair: the reference of the models, and corpora for both."""

from __future__ import annotations

import hashlib
import random
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import duckdb

PRIORITY = {
    name: place
    for place, name in enumerate(
        ("ud_perseus", "ud_proiel", "ud_ptnk", "gorman", "agdt", "pedalion", "harrington"), start=1
    )
}

LONGEST = 1000
"""Words of the longest sentence that is compared by 4-grams: `max_sentence_words`."""


@dataclass(frozen=True)
class Sentence:
    """One sentence read; numbers follow project, path and position, as in the warehouse."""

    number: int
    project: str
    author: str
    words: tuple[str, ...]
    document: str = "work"
    path_rank: int = 1
    position: int = 1
    decision: str = "keep"
    corruption: str | None = None

    @property
    def letters(self) -> str:
        return "".join(self.words)

    @property
    def ngrams(self) -> frozenset[tuple[str, ...]]:
        if len(self.words) > LONGEST:
            return frozenset()
        return frozenset(tuple(self.words[start : start + 4]) for start in range(len(self.words) - 3))


@dataclass(frozen=True)
class Outcome:
    """What the rules decide about one sentence."""

    outcome: str
    survivor: int | None = None


@dataclass(frozen=True)
class Verdict:
    """Outcomes by sentence number, and shared 4-grams and rule of every pair that reaches one."""

    outcomes: dict[int, Outcome]
    pairs: dict[tuple[int, int], tuple[int, str]]


def _better(sentence: Sentence) -> tuple[bool, int, int, int, int]:
    is_corrupt = sentence.corruption is not None
    return is_corrupt, PRIORITY[sentence.project], sentence.path_rank, sentence.position, sentence.number


def shared_counts(chosen: Sequence[Sentence]) -> Counter[tuple[int, int]]:
    """Count the 4-grams that every two sentences share."""
    owners: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for sentence in sorted(chosen, key=lambda one: one.number):
        for ngram in sentence.ngrams:
            owners[ngram].append(sentence.number)
    shared: Counter[tuple[int, int]] = Counter()
    for numbers in owners.values():
        shared.update(combinations(numbers, 2))
    return shared


def judge(sentences: Sequence[Sentence], by_provenance: bool = False) -> Verdict:
    """Apply the rules in their order."""
    outcomes: dict[int, Outcome] = {}
    groups: dict[str, list[Sentence]] = defaultdict(list)
    for sentence in sentences:
        if sentence.decision != "keep":
            outcomes[sentence.number] = Outcome("skipped_document" if sentence.decision == "skip" else "excluded_work")
        elif not sentence.words:
            outcomes[sentence.number] = Outcome("no_words")
        else:
            groups[sentence.letters].append(sentence)

    left: dict[int, Sentence] = {}
    projects: dict[int, set[str]] = {}
    for members in groups.values():
        if len({member.author for member in members}) > 1:
            outcomes.update((member.number, Outcome("author_conflict")) for member in members)
            continue
        best = min(members, key=_better)
        left[best.number] = best
        projects[best.number] = {member.project for member in members}
        outcomes.update(
            (member.number, Outcome("exact_duplicate", best.number)) for member in members if member is not best
        )

    pairs: dict[tuple[int, int], tuple[int, str]] = {}
    for (one, other), shared in shared_counts(list(left.values())).items():
        smaller = min(len(left[one].ngrams), len(left[other].ngrams))
        if left[one].author != left[other].author:
            if shared >= 4 and shared >= Fraction(4, 5) * smaller:
                pairs[one, other] = shared, "quotation"
        elif shared >= 3 and shared >= Fraction(1, 2) * smaller:
            is_cross = left[one].project != left[other].project
            if by_provenance:
                is_cross = not projects[one] & projects[other]
            pairs[one, other] = shared, "near_duplicate" if is_cross else "same_project_repetition"

    quoted = {number for pair, (_, rule) in pairs.items() if rule == "quotation" for number in pair}
    partners: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for (one, other), (shared, rule) in pairs.items():
        if rule == "near_duplicate" and not quoted & {one, other}:
            lower, upper = sorted((one, other), key=lambda number: -PRIORITY[left[number].project])
            partners[lower].append((shared, upper))

    def decide(number: int) -> int:
        return min(partners[number], key=lambda pair: (pair[1] in partners, -pair[0], pair[1]))[1]

    survivors: dict[int, int] = {}
    for number in list(partners):
        survivor = decide(number)
        while survivor in partners:
            survivor = decide(survivor)
        survivors[number] = survivor

    documents: dict[tuple[str, str], list[Sentence]] = defaultdict(list)
    for sentence in left.values():
        documents[sentence.project, sentence.document].append(sentence)
    fragments = set()
    for members in documents.values():
        members.sort(key=lambda one: (one.path_rank, one.position, one.number))
        for before, middle, after in zip(members, members[1:], members[2:], strict=False):
            is_untouched = middle.number not in quoted | set(partners) | set(survivors.values())
            if is_untouched and before.number in partners and after.number in partners:
                fragments.add(middle.number)

    for number, sentence in left.items():
        if number in quoted:
            outcomes[number] = Outcome("quotation")
        elif number in partners:
            outcomes[number] = Outcome("near_duplicate", survivors[number])
        elif number in fragments:
            outcomes[number] = Outcome("fragment")
        elif sentence.corruption:
            outcomes[number] = Outcome("corrupt")
        else:
            outcomes[number] = Outcome("entered")
    return Verdict(outcomes, pairs)


def random_corpus(seed: int, size: int = 120) -> list[Sentence]:
    """Return a corpus in which passages of few words recur across authors, projects and documents."""
    chance = random.Random(seed)
    words = [f"λ{chr(945 + number % 24)}{chr(945 + number // 24)}" for number in range(40)]
    passages = [[chance.choice(words) for _ in range(chance.randint(3, 14))] for _ in range(18)]
    sentences = []
    for number in range(1, size + 1):
        passage = list(chance.choice(passages))
        for _ in range(chance.randint(0, 3)):
            place = chance.randrange(len(passage) + 1)
            match chance.randint(0, 3):
                case 0:
                    passage.insert(place, chance.choice(words))
                case 1:
                    passage[place:] = []
                case 2:
                    passage += chance.choice(passages)
                case _:
                    passage[:place] = []
        sentences.append(
            Sentence(
                number,
                chance.choice(sorted(PRIORITY)),
                chance.choice(("Alpha", "Alpha", "Alpha", "Beta")),
                tuple(passage),
                document=chance.choice(("one", "two")),
                path_rank=chance.randint(1, 3),
                position=number,
                decision=chance.choice(("keep",) * 12 + ("skip", "exclude")),
                corruption=chance.choice((None,) * 9 + ("mixed_script",)),
            )
        )
    return sentences


def write_inputs(con: duckdb.DuckDBPyConnection, sentences: Sequence[Sentence], is_shuffled: bool = False) -> None:
    """Create the tables that the models of deduplication read."""
    rows: list[dict[str, Any]] = [
        {
            "sentence_number": one.number,
            "sentence_id": f"{one.project}/{one.document}#{one.number}",
            "project": one.project,
            "author": one.author,
            "source_priority": PRIORITY[one.project],
            "path_rank": one.path_rank,
            "position": one.position,
            "decision": one.decision,
            "decision_reason": None,
            "document_match": one.document,
            "source_flag": None,
        }
        for one in sentences
    ]
    texts = [
        {
            "sentence_number": one.number,
            "dedup_key": hashlib.sha256(one.letters.encode()).hexdigest() if one.words else None,
            "is_corrupt": one.corruption is not None,
            "corruption": one.corruption,
            "corrupt_source_index": 1 if one.corruption else None,
            "word_count": len(one.words),
        }
        for one in sentences
    ]
    tokens = [
        {
            "sentence_number": one.number,
            "source_index": place,
            "token_index": place,
            "native_form": word,
            "folded": word,
            "is_published": True,
        }
        for one in sentences
        for place, word in enumerate(one.words, start=1)
    ]
    if is_shuffled:
        for table in (rows, texts, tokens):
            random.Random(1).shuffle(table)
    con.execute("create schema if not exists intermediate")
    _create(
        con,
        "int_catalogue__sentences",
        rows,
        "sentence_number integer, sentence_id varchar, project varchar, author varchar, source_priority integer,"
        " path_rank integer, position integer, decision varchar, decision_reason varchar, document_match varchar,"
        " source_flag varchar",
    )
    _create(
        con,
        "int_text__sentences",
        texts,
        "sentence_number integer, dedup_key varchar, is_corrupt boolean, corruption varchar,"
        " corrupt_source_index integer, word_count integer",
    )
    columns = (
        "sentence_number integer, source_index integer, token_index integer, native_form varchar, folded varchar,"
        " is_published boolean"
    )
    _create(con, "int_text__tokens", tokens, columns)
    _create(con, "int_reading__tokens", tokens, columns)


def _create(con: duckdb.DuckDBPyConnection, name: str, rows: Sequence[dict[str, Any]], columns: str) -> None:
    con.execute(f"create or replace table intermediate.{name} ({columns})")
    if rows:
        import pyarrow as pa

        con.register("rows_of_python", pa.Table.from_pylist(list(rows)))
        con.execute(f"insert into intermediate.{name} by name select * from rows_of_python")
        con.unregister("rows_of_python")


def verdict_of(con: duckdb.DuckDBPyConnection) -> Verdict:
    """Return what the models decided."""
    outcomes = con.execute(
        "select sentence_number, outcome, survivor_number from intermediate.int_dedup__outcomes"
    ).fetchall()
    pairs = con.execute(
        "select left_number, right_number, shared, rule from intermediate.int_dedup__shared_ngrams"
        " where rule is not null"
    ).fetchall()
    return Verdict(
        {number: Outcome(outcome, survivor) for number, outcome, survivor in outcomes},
        {(left, right): (shared, rule) for left, right, shared, rule in pairs},
    )


def sentences_of(con: duckdb.DuckDBPyConnection) -> list[Sentence]:
    """Read the inputs of the rules back from a warehouse."""
    words: dict[int, list[str]] = defaultdict(list)
    cursor = con.execute(
        "select sentence_number, folded from intermediate.int_text__tokens where is_published"
        " order by sentence_number, token_index"
    )
    while batch := cursor.fetchmany(100_000):
        for number, folded in batch:
            words[number].append(folded)
    rows = con.execute(
        "select sentence_number, project, author, document_match, path_rank, position, decision, is_corrupt"
        " from intermediate.int_catalogue__sentences"
        " inner join intermediate.int_text__sentences using (sentence_number)"
        " order by sentence_number"
    ).fetchall()
    return [
        Sentence(
            number,
            project,
            author,
            tuple(words.get(number, ())),
            document,
            path_rank,
            position,
            decision,
            "corrupt" if is_corrupt else None,
        )
        for number, project, author, document, path_rank, position, decision, is_corrupt in rows
    ]

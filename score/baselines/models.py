"""What each baseline counts, and how it learns from the counts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse
from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer
from sklearn.metrics import pairwise_distances
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

from score.baselines.logistic import Predicted, fitted
from score.baselines.markup import length_figures, markup_counts
from score.baselines.material import Material, Tokens

if TYPE_CHECKING:
    from numpy.typing import NDArray

Setting = Mapping[str, Any]
Matrix = Any

FEWEST_ROWS = 2
"""Training rows that a word or an n-gram has to stand in: what stands in one tells nothing about another."""

WORD = r"\S+"
"""Words are divided by blanks: published text has nothing else between them."""


@dataclass(frozen=True)
class Baseline:
    """One baseline.

    Attributes:
        name: as it is asked for.
        what: what it looks at, in words.
        inputs: what it can look at, the first by default; none when it looks at labels alone.
        settings: among which validation chooses, the first of equal ones.
        count: makes the matrix of all rows; its settings are those named in `counts_by`.
        learn: learns from some rows and predicts others.
        counts_by: names of the settings of `count`.
    """

    name: str
    what: str
    inputs: tuple[str, ...]
    settings: tuple[Setting, ...]
    count: Callable[[Material, str, Setting], Matrix]
    learn: Callable[[Matrix, NDArray[Any], Matrix, Setting], Predicted]
    counts_by: tuple[str, ...] = ()


def no_counts(material: Material, column: str, setting: Setting) -> Matrix:
    """Return nothing for every row."""
    return np.zeros((len(material.ids), 1))


def text_counts(material: Material, column: str, setting: Setting) -> Matrix:
    """Return counts of words or n-grams in the texts."""
    low, high = setting["ngrams"]
    pattern = WORD if setting["of"] == "word" else None
    vectorizer = CountVectorizer(
        analyzer=setting["of"], ngram_range=(low, high), token_pattern=pattern, lowercase=False, dtype=np.float32
    )
    return vectorizer.fit_transform(material.texts(column))


def lemma_counts(material: Material, column: str, setting: Setting) -> Matrix:
    """Return counts of lemmas."""
    tokens = material.tokens(column)
    return counted(len(material.ids), tokens.row, tokens.codes["lemma"])


def lengths(material: Material, column: str, setting: Setting) -> Matrix:
    """Return what the words of the sentences of a row say by their number alone."""
    return length_figures(
        np.array([[len(sentence.split()) for sentence in text.split("\n")] for text in material.texts(column)])
    )


def markup_rates(material: Material, column: str, setting: Setting) -> Matrix:
    """Return the share of the words of a row that have each feature of the annotation."""
    tokens = material.tokens(column)
    rows = len(material.ids)
    return markup_counts(tokens, rows)[1] / np.bincount(tokens.row, minlength=rows)[:, None]


def edge_counts(material: Material, column: str, setting: Setting) -> Matrix:
    """Return counts of n-grams along edges.

    Class, relation and class of the head; relations of two edges; classes of three words, each the head of the last.
    """
    tokens = material.tokens(column)
    rows = len(material.ids)
    up = of_head(tokens, tokens.codes["upos"])
    above = of_head(tokens, tokens.codes["deprel"])
    beyond = of_head(tokens, up)
    grams = [
        (tokens.codes["upos"], tokens.codes["deprel"], up),
        (tokens.codes["deprel"], above),
        (tokens.codes["upos"], up, beyond),
    ]
    return sparse.hstack([counted(rows, tokens.row, joined(*gram)) for gram in grams], format="csr")


def of_head(tokens: Tokens, codes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return a code of the head of every word; that of the root's head is one of its own."""
    return np.where(tokens.head < 0, codes.max() + 1, codes[tokens.head])


def joined(*codes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return one code for each combination that occurs."""
    made = codes[0]
    for each in codes[1:]:
        made = made * (int(each.max()) + 1) + each
    return np.asarray(np.unique(made, return_inverse=True)[1])


def counted(rows: int, row: NDArray[np.int64], code: NDArray[np.int64]) -> Matrix:
    """Return how often each code stands in each row."""
    ones = np.ones(len(row), dtype=np.float32)
    return sparse.csr_matrix((ones, (row, code)), shape=(rows, int(code.max()) + 1))


def most_frequent(train: Matrix, labels: NDArray[Any], test: Matrix, setting: Setting) -> Predicted:
    """Return the label with most rows, the first of equal ones."""
    names, counts = np.unique(labels, return_counts=True)
    return Predicted(np.full(test.shape[0], names[counts.argmax()]))


def logistic(train: Matrix, labels: NDArray[Any], test: Matrix, setting: Setting) -> Predicted:
    """L2 logistic regression on standardised figures; it has no setting."""
    return fitted(train, labels, test)


def linear(train: Matrix, labels: NDArray[Any], test: Matrix, setting: Setting) -> Predicted:
    """Linear support vectors on TF-IDF, of what stands in at least FEWEST_ROWS training rows."""
    kept = np.flatnonzero(np.bincount(train.indices, minlength=train.shape[1]) >= FEWEST_ROWS)
    weights = TfidfTransformer(sublinear_tf=True)
    model = LinearSVC(C=setting["C"], random_state=0)
    model.fit(weights.fit_transform(train[:, kept]), labels)
    return Predicted(model.predict(weights.transform(test[:, kept])))


def nearest(metric: str) -> Callable[[Matrix, NDArray[Any], Matrix, Setting], Predicted]:
    """Delta: z-scores of the rates of the most frequent words over the training rows, nearest mean of an author.

    Args:
        metric: cosine (Smith and Aldridge 2011), or cityblock (Burrows 2002).
    """

    def learn(train: Matrix, labels: NDArray[Any], test: Matrix, setting: Setting) -> Predicted:
        total = np.asarray(train.sum(axis=0)).ravel()
        chosen = np.lexsort((np.arange(len(total)), -total))[: setting["words"]]
        rates = [
            np.asarray(part[:, chosen].todense()) / np.maximum(np.asarray(part.sum(axis=1)), 1)
            for part in (train, test)
        ]
        scaler = StandardScaler().fit(rates[0])
        known, query = (scaler.transform(part) for part in rates)
        names = np.unique(labels)
        means = np.stack([known[labels == name].mean(axis=0) for name in names])
        return Predicted(names[pairwise_distances(query, means, metric=metric).argmin(axis=1)])

    return learn


TEXTS = ("text", "text_distorted")
TREES = ("conllu_human", "conllu_machine")
COSTS = (0.1, 1.0, 10.0)
FREQUENT = (30, 100, 300, 1000, 3000)
GRAMS = ((3, 3), (4, 4), (2, 5))

BASELINES = {
    baseline.name: baseline
    for baseline in (
        Baseline("majority", "nothing", (), ({},), no_counts, most_frequent),
        Baseline("length", "lengths of sentences", ("text",), ({},), lengths, logistic),
        Baseline("markup", "rates of classes, relations, features and shapes", TREES, ({},), markup_rates, logistic),
        Baseline(
            "delta",
            "most frequent words, cosine Delta",
            TEXTS,
            tuple({"of": "word", "ngrams": (1, 1), "words": words} for words in FREQUENT),
            text_counts,
            nearest("cosine"),
            ("of", "ngrams"),
        ),
        Baseline(
            "burrows",
            "most frequent words, Burrows's Delta",
            TEXTS,
            tuple({"of": "word", "ngrams": (1, 1), "words": words} for words in FREQUENT),
            text_counts,
            nearest("cityblock"),
            ("of", "ngrams"),
        ),
        Baseline(
            "word",
            "words and pairs of words",
            TEXTS,
            tuple({"of": "word", "ngrams": (1, high), "C": cost} for high in (1, 2) for cost in COSTS),
            text_counts,
            linear,
            ("of", "ngrams"),
        ),
        Baseline("lemma", "lemmas", TREES, tuple({"C": cost} for cost in COSTS), lemma_counts, linear),
        Baseline(
            "char",
            "n-grams of characters",
            TEXTS,
            tuple({"of": "char", "ngrams": sizes, "C": cost} for sizes in GRAMS for cost in COSTS),
            text_counts,
            linear,
            ("of", "ngrams"),
        ),
        Baseline("syntax", "n-grams along edges", TREES, tuple({"C": cost} for cost in COSTS), edge_counts, linear),
    )
}
"""The baselines, by name."""

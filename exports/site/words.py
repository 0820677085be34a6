"""What the pages say that stands nowhere else: the standards, the tables of decisions of a word, known limits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

UD = "Universal Dependencies"
STANDARDS: Mapping[str, tuple[str, str]] = {
    "relation": (UD, "https://universaldependencies.org/u/dep/{}.html"),
    "class": (UD, "https://universaldependencies.org/u/pos/{}.html"),
    "feature": (UD, "https://universaldependencies.org/u/feat/{}.html"),
}
"""Where a word of the vocabulary is defined; the name goes into the address."""

DEFINED_IN: Mapping[str, Sequence[tuple[str, str]]] = {
    "relation": (("ud_relations", "relation"), ("ud_subtypes", "relation")),
    "class": (("ud_upos", "upos"),),
    "feature": (("ud_features", "feature"),),
    "project": (("projects", "project"),),
}
"""Seeds that list the words of a kind, and their column."""

DECIDED_IN: Mapping[str, Mapping[str, Sequence[str]]] = {
    "relation": {
        "relation_reduction": ("relation", "deprel", "coordinator_deprel"),
        "native_relations": ("relation",),
        "universal_relations": ("ud_relation", "relation"),
        "relation_kinds": ("relation",),
    },
    "class": {
        "upos_reduction": ("upos", "reduced"),
        "tag_to_upos": ("upos",),
        "universal_classes": ("ud_upos",),
        "class_families": ("upos",),
        "published_classes": ("upos",),
    },
    "feature": {
        "tag_to_feats": ("feature",),
        "feats_to_tag": ("feature",),
        "upos_to_tag": ("feature",),
    },
    "track": {"tracks": ("track",), "track_authors": ("track",)},
    "project": {"projects": ("project",), "source_flags": ("project",), "copied_annotations": ("project",)},
}
"""Tables of decisions whose rows lead to a word, and the columns that name it."""

DEDUPLICATION = "docs/decisions/0040-order-and-survivors-of-deduplication.md"
SPLITS = "docs/decisions/0050-splits-in-whole-numbers.md"
AUTHORSHIP = "docs/decisions/0003-authorship-policy.md"

FATES: Mapping[str, tuple[str, str]] = {
    "published": ("It entered and is in a split of a track.", SPLITS),
    "remainder": (
        "It entered, and was left over when the rows of the main track were cut to a multiple of ten.",
        SPLITS,
    ),
    "author_below_threshold": ("It entered, and its author has too few rows for any track.", SPLITS),
    "corrupt": (
        "A word of it has signs that no Greek word has, or it is longer than any sentence.",
        "docs/decisions/0007-letters-of-published-forms.md",
    ),
    "fragment": (
        "Both its neighbours are near-duplicates: it is what is left of a passage that another project has.",
        "docs/decisions/0044-fragments-at-the-edge.md",
    ),
    "near_duplicate": (
        "Another project has nearly the same sentence, at least half of either in the same words, and goes before.",
        DEDUPLICATION,
    ),
    "quotation": (
        "It shares most of its words with a sentence of another author: one quotes the other, and both are left out.",
        DEDUPLICATION,
    ),
    "author_conflict": (
        "The same letters stand under two authors or more, so that no label is sure; all copies are left out.",
        AUTHORSHIP,
    ),
    "exact_duplicate": (
        "It has the same letters as another sentence of its author, which is kept in its place.",
        "docs/decisions/0043-a-sound-copy-is-chosen.md",
    ),
    "no_words": ("No token of it has a Greek letter.", "docs/decisions/0022-editorial-tokens.md"),
    "excluded_work": ("Its work is left out by the table of documents: its author is not certain enough.", AUTHORSHIP),
    "skipped_document": ("Its document is left out by the table of documents, such as a text in Latin.", AUTHORSHIP),
}
"""What a fate means, and the record of the decision."""

STANDS_FOR: Mapping[str, tuple[str, str, str]] = {
    "relation": ("relation_reduction", "relation", "deprel"),
    "class": ("upos_reduction", "upos", "reduced"),
}
"""The table by which the full annotation is reduced to the published one: seed, column read, column published."""

LIMITS: Mapping[str, Sequence[tuple[str, int]]] = {
    "author": (
        ("Labels follow the tradition of the works; pseudonymous corpora are left out but for those named.", 3),
    ),
    "text": (("Letters are normalised; what was read stands in the warehouse as `native_form`.", 4),),
    "text_distorted": (("It is as good as the machine layer that tells nouns, adjectives and verbs.", 70),),
    "split": (("Test and training rows of the main track share works, so that topic helps.", 50),),
    "passage": (("Only where the source gives one; citations of several systems are mended to one.", 52),),
    "passage_note": (("Disputes about passages are those of the table, from the standard editions.", 111),),
    "dedup_key": (("Sentences that differ in one letter have different keys.", 40),),
    "held_out_work": (("One work an author: chance in the choice of the work is not averaged out.", 51),),
    "licenses": (("As the projects state them, file by file.", 62),),
    "source_records": (("Names of annotators are those of the files; some name none.", 112),),
    "native_syntax": (("Words that annotators cut are put together; several source tokens may be one.", 99),),
    "conllu_human": (
        ("Relations and features are reduced to what all projects tell; the full layer is in the warehouse.", 37),
        ("Traces of a project's habits remain and are measured.", 90),
    ),
    "conllu_machine": (("Made by one parser, never seen by a human; its folds are by family of works.", 71),),
}
"""Known limits of a published column, each with the number of the record of the decision."""

"""One row per sentence that has a 4-gram: its MinHash signature by datasketch; none when it is not measured."""

import numpy as np
import pyarrow as pa


def model(dbt, session):
    """Return the signatures, in the order of the sentence numbers; none when MinHash is not measured.

    A 4-gram is hashed as its words joined by a blank, in UTF-8, not as the numbers of its words: the signature of a
    sentence is then the same in every corpus that holds it, and corpora can be compared by their signatures alone.
    """
    dbt.config(materialized="table")
    permutations = int(dbt.config.meta_get("permutations"))
    seed = int(dbt.config.meta_get("seed"))
    size = int(dbt.config.meta_get("ngram_size"))

    if not dbt.config.meta_get("is_measured"):
        return table_of(np.empty(0, np.int32), np.empty(0, np.int32), [], permutations)
    import datasketch

    words = dbt.ref("int_dedup__words").order("word_number").fetchnumpy()["folded"]
    vocabulary = [b"", *(str(word).encode() for word in words)]
    columns = [f"word_{place}" for place in range(1, size + 1)]
    ngrams = dbt.ref("int_dedup__ngrams").order(", ".join(["sentence_number", *columns])).fetchnumpy()
    grams = [
        b" ".join([vocabulary[number] for number in numbers])
        for numbers in zip(*(ngrams[column].tolist() for column in columns), strict=True)
    ]
    owners = np.asarray(ngrams["sentence_number"])
    starts = np.flatnonzero(np.diff(owners, prepend=-1))
    ends = np.append(starts[1:], len(owners)) if len(starts) else starts

    sets = (grams[start:end] for start, end in zip(starts.tolist(), ends.tolist(), strict=True))
    hashes = [minhash.hashvalues for minhash in datasketch.MinHash.generator(sets, num_perm=permutations, seed=seed)]
    return table_of(owners[starts], ends - starts, hashes, permutations)


def table_of(numbers, sizes, hashes, permutations):
    """Return numbers of sentences, sizes of their sets and their signatures as a table."""
    values = pa.array(np.concatenate(hashes) if hashes else [], type=pa.uint32())
    offsets = pa.array(np.arange(len(hashes) + 1, dtype=np.int32) * permutations)
    return pa.table(
        {
            "sentence_number": pa.array(numbers.astype(np.int32)),
            "set_size": pa.array(sizes.astype(np.int32)),
            "signature": pa.ListArray.from_arrays(offsets, values),
        }
    )

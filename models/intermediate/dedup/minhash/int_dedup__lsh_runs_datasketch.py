"""One row per setting of locality-sensitive hashing: the candidate pairs that it gives, and its seconds."""

import time

import numpy as np
import pyarrow as pa


def banded_pairs(signatures, rows):
    """Return the pairs of lines that agree in all rows of at least one band, each pair once, in order.

    The same pairs as datasketch's MinHashLSH with `params=(bands, rows)` (a test compares them), found by sorting
    each band instead of filling dictionaries.

    Args:
        signatures: one line per sentence, one column per permutation.
        rows: rows of one band; columns that fill no band are left out.
    """
    lines = len(signatures)
    found = [np.empty(0, dtype=np.int64)]
    for first in range(0, signatures.shape[1] - rows + 1, rows):
        bucket = signatures[:, first].astype(np.uint64)
        for column in range(first + 1, first + rows):
            if column > first + 1:
                # Hash values have 32 bits: two of them fit one number, of more the first ones are numbered anew.
                bucket = np.unique(bucket, return_inverse=True)[1].astype(np.uint64)
            bucket = bucket << np.uint64(32) | signatures[:, column].astype(np.uint64)
        order = np.argsort(bucket, kind="stable")
        buckets = bucket[order]
        starts = np.flatnonzero(np.append(True, buckets[1:] != buckets[:-1])) if lines else order
        sizes = np.diff(np.append(starts, lines))
        # Every member of a bucket pairs with those behind it.
        behind = np.repeat(starts + sizes, sizes) - np.arange(lines) - 1
        left = np.repeat(np.arange(lines), behind)
        step = np.arange(len(left)) - np.repeat(np.cumsum(behind) - behind, behind)
        found.append(np.unique(order[left] * lines + order[left + step + 1]))
    pairs = np.unique(np.concatenate(found))
    return pairs // max(lines, 1), pairs % max(lines, 1)


def ensemble_pairs(signatures, sizes, threshold, seed):
    """Return the pairs that datasketch's LSH Ensemble gives for a containment of `threshold`, each once, in order."""
    import datasketch

    hashes = [datasketch.MinHash(hashvalues=line, seed=seed, scheme="affine32") for line in signatures]
    index = datasketch.MinHashLSHEnsemble(threshold=threshold, num_perm=signatures.shape[1], num_part=16, m=8)
    index.index((line, minhash, int(size)) for line, (minhash, size) in enumerate(zip(hashes, sizes, strict=True)))
    found = {
        (min(line, other), max(line, other))
        for line, (minhash, size) in enumerate(zip(hashes, sizes, strict=True))
        for other in index.query(minhash, int(size))
        if other != line
    }
    pairs = np.array(sorted(found), dtype=np.int64).reshape(-1, 2)
    return pairs[:, 0], pairs[:, 1]


def model(dbt, session):
    """Return the candidate pairs of every setting; seconds are CPU seconds of this thread, given the signatures."""
    dbt.config(materialized="table")
    seed = int(dbt.config.meta_get("seed"))
    is_ensemble_measured = bool(dbt.config.meta_get("measure_ensemble"))
    thresholds = [float(threshold) for threshold in dbt.config.meta_get("ensemble_thresholds")]
    band_rows = [int(rows) for rows in dbt.config.meta_get("band_rows")]

    table = dbt.ref("int_dedup__signatures").order("sentence_number").to_arrow_table()
    numbers = table["sentence_number"].to_numpy()
    sizes = table["set_size"].to_numpy()
    flat = table["signature"].combine_chunks().flatten().to_numpy()
    signatures = flat.reshape(len(numbers), -1) if len(numbers) else np.empty((0, 1), dtype=np.uint32)

    runs = []
    for rows in band_rows if len(numbers) else []:
        started = time.thread_time()
        left, right = banded_pairs(signatures, rows)
        bands = signatures.shape[1] // rows
        runs.append((f"bands_{bands}x{rows}", bands, rows, None, left, right, time.thread_time() - started))
    for threshold in thresholds if len(numbers) and is_ensemble_measured else []:
        started = time.thread_time()
        left, right = ensemble_pairs(signatures, sizes, threshold, seed)
        name = f"ensemble_{threshold:.2f}"
        runs.append((name, None, None, threshold, left, right, time.thread_time() - started))

    columns = list(zip(*runs, strict=True)) or [()] * 7
    return pa.table(
        {
            "setting": pa.array(columns[0], type=pa.string()),
            "bands": pa.array(columns[1], type=pa.int32()),
            "rows_per_band": pa.array(columns[2], type=pa.int32()),
            "containment_threshold": pa.array(columns[3], type=pa.float64()),
            # Lines are in the order of the sentence numbers: the smaller line is the smaller number.
            "left_numbers": pa.array([numbers[left] for left in columns[4]], type=pa.list_(pa.int32())),
            "right_numbers": pa.array([numbers[right] for right in columns[5]], type=pa.list_(pa.int32())),
            "seconds": pa.array(columns[6], type=pa.float64()),
        }
    )

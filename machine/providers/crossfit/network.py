"""The parser: words to vectors, two-way LSTM, tags, and heads by biaffine attention (Dozat and Manning 2017).

Arrays are time-major. T places of a sentence (place 0 is the root), B sentences of a batch, N = T - 1 words:

- `words` (T, B) and `affixes` (T, B, AFFIXES) are rows of the tables; `mask` (T, B) is 1.0 for words and the root;
- scores of heads are (B, N, T): entry [b, i, h] that word i + 1 hangs on place h;
- scores of tags are (N, B, tags), of relations (N, B, relations).

JAX compiles and differentiates; every random mask is drawn outside, by numpy, so that nothing depends on the
generator of a library that compiles.

The tables of words and affixes are large, and a batch touches few of their rows. A training batch therefore numbers the
rows it touches, and only these are read, differentiated and moved.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp
import numpy as np

from machine.providers.crossfit.features import AFFIXES
from machine.providers.crossfit.products import both_ways, pairs, product

if TYPE_CHECKING:
    from machine.providers.crossfit.profile import Profile

Arrays = dict[str, Any]
"""Arrays by name: parameters, moments of the optimiser, or the parts of a batch."""

NEVER = -1e9
"""Score of what cannot be chosen."""

CLIP = 5.0
"""Greatest norm of a gradient."""

TABLES = ("words", "affixes")
"""Parameters of which a batch touches a few rows."""

MOVED = ("parameters", "mean", "square")
"""What a batch changes, by the names of the parameters."""

MOMENTS = (0.9, 0.95)
"""Decay of the two moments of Adam; the second is shorter than usual because a training is a few thousand steps."""


def start(profile: Profile, tags: int, relations: int, model: int = 0) -> Arrays:
    """Return the parameters before training, drawn from the seed of the profile and the number of the model."""
    random = np.random.default_rng([profile.seed, model])
    size, hidden = 2 * profile.dimensions, profile.hidden

    def drawn(*shape: int, scale: float | None = None) -> np.ndarray[Any, Any]:
        spread = scale if scale is not None else float(np.sqrt(2.0 / (shape[-2] + shape[-1])))
        return (random.standard_normal(shape) * spread).astype(np.float32)

    def zeros(*shape: int) -> np.ndarray[Any, Any]:
        return np.zeros(shape, dtype=np.float32)

    made: Arrays = {
        "words": drawn(profile.word_rows, profile.dimensions, scale=0.2),
        "affixes": drawn(profile.affix_rows, profile.dimensions, scale=0.2),
        "root": drawn(size, scale=0.2),
    }
    for layer in range(profile.layers):
        entering = size if layer == 0 else 2 * hidden
        made[f"input{layer}"] = drawn(2, entering, 4 * hidden)
        made[f"recurrent{layer}"] = drawn(2, hidden, 4 * hidden)
        # The gate that keeps the cell starts open.
        made[f"bias{layer}"] = np.concatenate([zeros(2, hidden), zeros(2, hidden) + 1, zeros(2, 2 * hidden)], axis=1)
    encoded = 2 * hidden
    for name, units in (
        ("tag", profile.tag_hidden),
        ("dependent", profile.arc_hidden),
        ("head", profile.arc_hidden),
        ("label_dependent", profile.relation_hidden),
        ("label_head", profile.relation_hidden),
    ):
        made[f"{name}_in"], made[f"{name}_bias"] = drawn(encoded, units), zeros(units)
    made["tag_out"], made["tag_out_bias"] = drawn(profile.tag_hidden, tags), zeros(tags)
    made["arc"] = drawn(profile.arc_hidden + 1, profile.arc_hidden, scale=0.05)
    width = profile.relation_hidden + 1
    made["label"] = drawn(width, relations * width, scale=0.05)
    return made


def masks(profile: Profile, random: np.random.Generator, places: int, sentences: int) -> Arrays:
    """Draw what a training batch drops: 0.0 for what is dropped, survivors scaled up."""
    keep = 1.0 - profile.dropout

    def dropped(*shape: int) -> np.ndarray[Any, Any]:
        return (random.random(shape, dtype=np.float32) < keep).astype(np.float32) / np.float32(keep)

    drawn: Arrays = {
        "known": (random.random((places, sentences), dtype=np.float32) >= profile.word_dropout),
        "vectors": dropped(places, sentences, 2 * profile.dimensions),
    }
    drawn["affixes"] = (random.random((places, sentences, AFFIXES), dtype=np.float32) >= profile.affix_dropout).astype(
        np.float32
    )
    for layer in range(profile.layers):
        drawn[f"layer{layer}"] = dropped(1, sentences, 2 * profile.hidden)
    for name, units in (
        ("dependent", profile.arc_hidden),
        ("head", profile.arc_hidden),
        ("label_dependent", profile.relation_hidden),
        ("label_head", profile.relation_hidden),
    ):
        drawn[name] = dropped(1, sentences, units)
    drawn["tag"] = dropped(1, sentences, profile.tag_hidden)
    return drawn


def encode(parameters: Arrays, batch: Arrays, drop: Arrays | None) -> Arrays:
    """Return what is scored: tags (N, B, tags), arcs (B, N, T), and the vectors that relations are scored from."""
    pieces = parameters["affixes"][batch["affixes"]]
    if drop is not None:
        pieces = pieces * drop["affixes"][..., None]
    state = jnp.concatenate([parameters["words"][batch["words"]], pieces.sum(-2)], -1)
    state = jnp.concatenate([jnp.broadcast_to(parameters["root"], (1, *state.shape[1:])), state[1:]], 0)
    if drop is not None:
        state = state * drop["vectors"]
    lowest = state
    layer = 0
    while f"input{layer}" in parameters:
        weights, bias, recurrent = (parameters[f"{name}{layer}"] for name in ("input", "bias", "recurrent"))
        state = both_ways(state, weights, bias, recurrent, batch["mask"])
        if drop is not None:
            state = state * drop[f"layer{layer}"]
        if layer == 0:
            lowest = state
        layer += 1

    def units(name: str, entering: jax.Array) -> jax.Array:
        made = jax.nn.leaky_relu(product(entering, parameters[f"{name}_in"]) + parameters[f"{name}_bias"], 0.1)
        return made if drop is None else made * drop[name]

    # Tags need the neighbours only: they are read from the first layer, so that the others are left to the tree.
    tags = product(units("tag", lowest[1:]), parameters["tag_out"]) + parameters["tag_out_bias"]
    dependents = units("dependent", state[1:])
    dependents = product(jnp.concatenate([dependents, jnp.ones_like(dependents[..., :1])], -1), parameters["arc"])
    arcs = pairs(dependents.swapaxes(0, 1), units("head", state).swapaxes(0, 1))
    arcs = jnp.where((batch["mask"] > 0).T[:, None, :], arcs, NEVER)
    return {
        "tags": tags,
        "arcs": arcs,
        "label_dependent": units("label_dependent", state[1:]),
        "label_head": units("label_head", state),
    }


def relation_scores(parameters: Arrays, encoded: Arrays, heads: jax.Array) -> jax.Array:
    """Scores of relations (N, B, relations) between every word and its head; `heads` (N, B) are places."""
    dependents, governors = encoded["label_dependent"], encoded["label_head"]
    chosen = jnp.take_along_axis(governors, heads[..., None], axis=0)
    one = jnp.ones_like(dependents[..., :1])
    dependents, chosen = jnp.concatenate([dependents, one], -1), jnp.concatenate([chosen, one], -1)
    width = dependents.shape[-1]
    mixed = product(dependents, parameters["label"]).reshape(*dependents.shape[:2], -1, width)
    return (mixed * chosen[..., None, :]).sum(-1)


def _surprise(scores: jax.Array, gold: jax.Array, weight: jax.Array) -> jax.Array:
    """Mean cross-entropy of the gold classes over the words that count."""
    right = jnp.take_along_axis(scores, gold[..., None], axis=-1)[..., 0]
    return jnp.sum((jax.nn.logsumexp(scores, axis=-1) - right) * weight) / jnp.sum(weight)


def loss(parameters: Arrays, batch: Arrays, drop: Arrays | None) -> jax.Array:
    """Sum of the mean losses of heads, relations and tags."""
    encoded = encode(parameters, batch, drop)
    weight = batch["mask"][1:]
    arcs = _surprise(encoded["arcs"], batch["heads"].T, weight.T)
    relations = _surprise(relation_scores(parameters, encoded, batch["heads"]), batch["relations"], weight)
    return arcs + relations + _surprise(encoded["tags"], batch["tags"], weight)


@partial(jax.jit, donate_argnums=0)
def train_step(state: Arrays, batch: Arrays, rows: Arrays, drop: Arrays, rate: jax.Array) -> tuple[Arrays, jax.Array]:
    """One batch: gradient, clipping, Adam, with `rows` of the tables alone.

    Args:
        state: parameters, both moments and the steps so far; it is used up.
        batch: see the module; its words and affixes are places in `rows`.
        rows: for each of the tables its rows that the batch touches; rows beyond the table fill the array up.
        drop: what `masks` has drawn.
        rate: learning rate.

    Returns:
        The new state, and the loss.
    """

    def touched(name: str, table: jax.Array) -> jax.Array:
        return table.at[rows[name]].get(mode="fill", fill_value=0.0) if name in TABLES else table

    before = {part: {name: touched(name, table) for name, table in state[part].items()} for part in MOVED}
    value, gradients = jax.value_and_grad(loss)(before["parameters"], batch, drop)
    norm = jnp.sqrt(sum(jnp.vdot(gradient, gradient) for gradient in jax.tree.leaves(gradients)))
    shrink = jnp.minimum(1.0, CLIP / (norm + 1e-6))
    steps = state["steps"] + 1
    first, second = MOMENTS

    def moved(name: str) -> tuple[jax.Array, jax.Array, jax.Array]:
        gradient = gradients[name] * shrink
        mean = first * before["mean"][name] + (1 - first) * gradient
        square = second * before["square"][name] + (1 - second) * gradient * gradient
        change = (mean / (1 - first**steps)) / (jnp.sqrt(square / (1 - second**steps)) + 1e-8)
        return before["parameters"][name] - rate * change, mean, square

    new: Arrays = {part: {} for part in MOVED} | {"steps": steps}
    for name in gradients:
        for part, values in zip(MOVED, moved(name), strict=True):
            table = state[part][name]
            new[part][name] = (
                table.at[rows[name]].set(values, mode="drop", unique_indices=True) if name in TABLES else values
            )
    return new, value


@jax.jit
def read(parameters: Arrays, batch: Arrays, tags: jax.Array) -> Arrays:
    """Score a batch without training: log-probabilities of the first `tags` tags and of heads."""
    encoded = encode(parameters, batch, None)
    known = jnp.where(jnp.arange(encoded["tags"].shape[-1]) < tags, encoded["tags"], NEVER)
    return encoded | {"tags": jax.nn.log_softmax(known, -1), "arcs": jax.nn.log_softmax(encoded["arcs"], -1)}


@jax.jit
def read_relations(parameters: Arrays, encoded: Arrays, heads: jax.Array) -> jax.Array:
    """Log-probabilities of relations (N, B, relations) at the heads that decoding has chosen."""
    return jax.nn.log_softmax(relation_scores(parameters, encoded, heads), -1)

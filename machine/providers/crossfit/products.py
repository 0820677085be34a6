"""Matrix products in the precision of the profile, with their gradients, and the two-way LSTM made of them.

Where the processor multiplies bfloat16 in hardware, factors are rounded to it and products are summed in float32: four
times the speed, and room for a network of twice the width. Parameters, activations and sums stay float32 everywhere.

The gradients are written out, for two reasons. The gradient of a product of rounded factors is a product of rounded
factors too, which differentiation by itself does in float32. And the gradient of the recurrent weights is one product
over all places of a sentence after the scan, not a sum that grows inside it.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
from jax import lax

from machine.providers.crossfit.processor import precision

ALIGNMENT = 32
"""Rows that a long dimension is padded to a multiple of, by one row at least."""


def rounded(array: jax.Array) -> jax.Array:
    """Return the array as a factor of a product."""
    return array.astype(precision())


def _dot(left: jax.Array, right: jax.Array) -> jax.Array:
    return jnp.matmul(left, right, preferred_element_type=jnp.float32)


def _over_rows(left: jax.Array, right: jax.Array) -> jax.Array:
    """Multiply the transpose of `left` (R, K) by `right` (R, N).

    The padding keeps the compiler from multiplying the transpose as it lies in memory, which it does in float32.
    """
    more = ((0, 0), (0, ALIGNMENT - left.shape[0] % ALIGNMENT))
    return _dot(jnp.pad(left.T, more), jnp.pad(right, more[::-1]))


@jax.custom_vjp
def product(left: jax.Array, weights: jax.Array) -> jax.Array:
    """Return `left` (..., K) times `weights` (K, N)."""
    return _dot(rounded(left), rounded(weights))


def _product(left: jax.Array, weights: jax.Array) -> Any:
    factors = rounded(left), rounded(weights)
    return _dot(*factors), factors


def _product_gradient(factors: Any, gradient: jax.Array) -> Any:
    left, weights = factors
    gradient = rounded(gradient)
    rows = _over_rows(left.reshape(-1, left.shape[-1]), gradient.reshape(-1, gradient.shape[-1]))
    return _dot(gradient, weights.T), rows


product.defvjp(_product, _product_gradient)


def _einsum(what: str, left: jax.Array, right: jax.Array) -> jax.Array:
    return jnp.einsum(what, left, right, preferred_element_type=jnp.float32)


@jax.custom_vjp
def pairs(left: jax.Array, right: jax.Array) -> jax.Array:
    """Return the products of every row of `left` (B, N, K) with every row of `right` (B, T, K): (B, N, T)."""
    return _einsum("bnk,btk->bnt", rounded(left), rounded(right))


def _pairs(left: jax.Array, right: jax.Array) -> Any:
    factors = rounded(left), rounded(right)
    return _einsum("bnk,btk->bnt", *factors), factors


def _pairs_gradient(factors: Any, gradient: jax.Array) -> Any:
    left, right = factors
    gradient = rounded(gradient)
    return _einsum("bnt,btk->bnk", gradient, right), _einsum("bnt,bnk->btk", gradient, left)


pairs.defvjp(_pairs, _pairs_gradient)


Kept = Any
"""What the gradient of an LSTM needs of its run."""


def _as_bits(array: jax.Array) -> jax.Array:
    """Return a rounded array as whole numbers: a scan that writes it place by place copies it whole every time."""
    return lax.bitcast_convert_type(array, jnp.uint16) if array.dtype == jnp.bfloat16 else array


def _from_bits(array: jax.Array) -> jax.Array:
    return lax.bitcast_convert_type(array, jnp.bfloat16) if array.dtype == jnp.uint16 else array


def _run(
    entering: jax.Array, weights: jax.Array, bias: jax.Array, recurrent: jax.Array, mask: jax.Array, backwards: bool
) -> tuple[jax.Array, Kept]:
    hidden = recurrent.shape[0]
    factors = rounded(entering), rounded(weights), rounded(recurrent)
    # All gates by one function: the logistic function is a hyperbolic tangent, scaled and moved.
    scale = jnp.repeat(jnp.array([0.5, 0.5, 0.5, 1.0], dtype=jnp.float32), hidden)
    shift = jnp.repeat(jnp.array([0.5, 0.5, 0.5, 0.0], dtype=jnp.float32), hidden)

    def step(state: Any, here: Any) -> Any:
        output, cell = state
        sums, inside = here
        gates = scale * jnp.tanh(scale * (sums + bias + _dot(rounded(output), factors[2]))) + shift
        enters, keeps, leaves, new = jnp.split(gates, 4, -1)
        cell = (keeps * cell + enters * new) * inside
        output = leaves * jnp.tanh(cell) * inside
        return (output, cell), (output, cell, _as_bits(rounded(gates)))

    empty = jnp.zeros((entering.shape[1], hidden), jnp.float32)
    _, kept = lax.scan(step, (empty, empty), (_dot(*factors[:2]), mask), reverse=backwards)
    return kept[0], (*kept, *factors, mask)


@partial(jax.custom_vjp, nondiff_argnums=(5,))
def one_way(
    entering: jax.Array, weights: jax.Array, bias: jax.Array, recurrent: jax.Array, mask: jax.Array, backwards: bool
) -> jax.Array:
    """Run an LSTM over sentences: (T, B, K) to outputs (T, B, H); padding leaves no state.

    Args:
        entering: what enters at every place (T, B, K).
        weights: from there to the gates (K, 4H), which are: entering, kept, leaving, new.
        bias: of the gates (4H).
        recurrent: from the output of the place before to the gates (H, 4H).
        mask: 1.0 for places of a sentence (T, B, 1).
        backwards: begin at the last place.
    """
    return _run(entering, weights, bias, recurrent, mask, backwards)[0]


def _run_gradient(backwards: bool, kept: Kept, gradient: jax.Array) -> Any:
    outputs, cells, opened, entering, weights, recurrent, mask = kept
    hidden = outputs.shape[-1]

    def before(values: jax.Array) -> jax.Array:
        none = jnp.zeros_like(values[:1])
        return jnp.concatenate([values[1:], none] if backwards else [none, values[:-1]], 0)

    def step(state: Any, here: Any) -> Any:
        later, later_cell = state
        upon, gates, cell, cell_before, inside = here
        enters, keeps, leaves, new = jnp.split(_from_bits(gates).astype(jnp.float32), 4, -1)
        upon = (upon + later) * inside
        bent = jnp.tanh(cell)
        upon_cell = (later_cell + upon * leaves * (1 - bent * bent)) * inside
        sums = [
            upon_cell * new * enters * (1 - enters),
            upon_cell * cell_before * keeps * (1 - keeps),
            upon * bent * leaves * (1 - leaves),
            upon_cell * enters * (1 - new * new),
        ]
        upon_gates = rounded(jnp.concatenate(sums, -1))
        return (_dot(upon_gates, recurrent.T), upon_cell * keeps), _as_bits(upon_gates)

    empty = jnp.zeros(outputs.shape[1:], jnp.float32)
    along = (gradient, opened, cells, before(cells), mask)
    _, upon_gates = lax.scan(step, (empty, empty), along, reverse=not backwards)
    upon_gates = _from_bits(upon_gates)
    rows = upon_gates.reshape(-1, 4 * hidden)
    return (
        _dot(upon_gates, weights.T),
        _over_rows(entering.reshape(-1, entering.shape[-1]), rows),
        rows.astype(jnp.float32).sum(0),
        _over_rows(rounded(before(outputs)).reshape(-1, hidden), rows),
        jnp.zeros_like(mask),
    )


one_way.defvjp(_run, _run_gradient)


def both_ways(
    entering: jax.Array, weights: jax.Array, bias: jax.Array, recurrent: jax.Array, mask: jax.Array
) -> jax.Array:
    """Run two LSTMs over sentences, one from each end: (T, B, K) to outputs (T, B, 2H).

    Args:
        entering: what enters at every place (T, B, K).
        weights: those of `one_way` for either direction (2, K, 4H).
        bias: likewise (2, 4H).
        recurrent: likewise (2, H, 4H).
        mask: 1.0 for places of a sentence (T, B).
    """
    ways = [one_way(entering, weights[way], bias[way], recurrent[way], mask[..., None], way == 1) for way in (0, 1)]
    return jnp.concatenate(ways, -1)

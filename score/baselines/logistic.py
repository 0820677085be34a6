"""The one classifier of rates: of the baselines `markup` and `length`, and of every fit of the leakage audit.

L2 logistic regression of scikit-learn on figures that are standardised by the training rows, with the settings below
and no others: nothing is tuned on a figure. Fits run in one thread, so that the number of threads does not matter.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

SETTINGS = {"solver": "lbfgs", "C": 1.0, "tol": 1e-4, "max_iter": 2000}
"""Those of scikit-learn by default, with iterations enough to converge."""


@dataclass(frozen=True)
class Predicted:
    """Labels of rows, and where the model gives them the probability of every label."""

    labels: NDArray[Any]
    classes: NDArray[Any] | None = None
    scores: NDArray[np.float64] | None = None


def fitted(
    train: NDArray[np.float64], labels: NDArray[Any], test: NDArray[np.float64], balanced: bool = False
) -> Predicted:
    """Learn from some rows and predict others; where there is one label there is nothing to learn.

    Args:
        train: figures of the rows to learn from.
        labels: their labels.
        test: figures of the rows to be labelled.
        balanced: give every label the same weight, whatever its number of rows.
    """
    from sklearn.linear_model import LogisticRegression
    from threadpoolctl import threadpool_limits

    if len(set(labels.tolist())) == 1:
        return Predicted(np.full(len(test), labels[0], dtype=labels.dtype), labels[:1], np.ones((len(test), 1)))
    # What never differs in training tells nothing. Left out, it cannot move the last digits either: who knows of more
    # features that no row here has gets the same labels.
    differs = np.ptp(train, axis=0) > 0
    if differs.any():
        train, test = train[:, differs], test[:, differs]
    mean, spread = train.mean(axis=0), train.std(axis=0)
    spread[np.ptp(train, axis=0) == 0] = 1.0
    with threadpool_limits(limits=1):
        model = LogisticRegression(class_weight="balanced" if balanced else None, **SETTINGS)
        model.fit((train - mean) / spread, labels)
        standardised = (test - mean) / spread
        return Predicted(model.predict(standardised), model.classes_, model.predict_proba(standardised))

"""The pseudo-inertia of a body, and matrices that are always positive definite, by ten numbers.

A body's ten parameters are possible ones (a density somewhere that is nowhere negative) just where
the 4 x 4 matrix

    P = [ S    m c ]      S = tr(I) / 2 - I, second moments about the frame's origin
        [ m c'  m  ]

is positive definite. Written as P = L L' with a triangle L whose diagonal is of exponentials, every
ten numbers give a possible body.

Source: Wensing, Kim and Slotine 2018, "Linear matrix inequalities for physically consistent
inertial parameter identification"; Traversaro, Brossette, Escande and Nori 2016; Rucker and Wensing
2022, "Smooth parameterization of rigid-body inertia" (log-Cholesky).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.model.inertia import PARAMETERS, moments
from robodyn_ros.spatial import Array

Floats = NDArray[np.float64]

_ROWS, _COLUMNS = np.tril_indices(4, -1)
_DIAGONAL = np.arange(4)
_SMALLEST = 1e-3
"""Of what is usual: a described pseudo-inertia is taken for at least so much in every direction."""


def pseudo_inertia(parameters: Array) -> Floats:
    """Return P (..., 4, 4) of parameters (..., 10); see `model.inertia` for their order."""
    mass, first, inertia = moments(parameters)
    trace = np.trace(inertia, axis1=-2, axis2=-1)
    found = np.zeros((*np.shape(mass), 4, 4))
    found[..., :3, :3] = 0.5 * np.asarray(trace)[..., None, None] * np.eye(3) - inertia
    found[..., :3, 3] = found[..., 3, :3] = first
    found[..., 3, 3] = mass
    return found


def parameters_from(pseudo: Floats) -> Floats:
    """Return the parameters (..., 10) of P (..., 4, 4)."""
    second = pseudo[..., :3, :3]
    trace = np.trace(second, axis1=-2, axis2=-1)
    inertia = trace[..., None, None] * np.eye(3) - second
    found = np.empty((*pseudo.shape[:-2], PARAMETERS))
    found[..., 0] = pseudo[..., 3, 3]
    found[..., 1:4] = pseudo[..., :3, 3]
    for place, (i, j) in enumerate(((0, 0), (0, 1), (1, 1), (0, 2), (1, 2), (2, 2)), start=4):
        found[..., place] = inertia[..., i, j]
    return found


def is_consistent(parameters: Floats) -> bool:
    """Return whether bodies (..., 10) are possible: every pseudo-inertia positive definite."""
    return bool(np.all(np.linalg.eigvalsh(pseudo_inertia(parameters)) > 0.0))


def root(parameters: Floats, mass: float, length: float) -> Floats:
    """Return the Cholesky factor (4, 4) of a described body, made possible where it is not.

    Args:
        parameters: (10,) as described.
        mass: kg, what is usual.
        length: m, likewise.
    """
    usual = np.array([length, length, length, 1.0]) * np.sqrt(mass)
    scaled: Floats = pseudo_inertia(parameters) / np.outer(usual, usual)
    values, vectors = np.linalg.eigh(scaled)
    if values[0] < _SMALLEST:
        floor = _SMALLEST if parameters[0] > 0.0 else 0.1
        scaled = vectors @ np.diag(np.maximum(values, floor)) @ vectors.T
    return np.asarray(np.linalg.cholesky(scaled * np.outer(usual, usual)), dtype=np.float64)


def triangle(numbers: Floats) -> Floats:
    """Return L (..., 4, 4) of ten numbers (..., 10): logarithms of its diagonal, then the rest."""
    found = np.zeros((*numbers.shape[:-1], 4, 4))
    found[..., _DIAGONAL, _DIAGONAL] = np.exp(numbers[..., :4])
    found[..., _ROWS, _COLUMNS] = numbers[..., 4:]
    return found


def triangle_derivatives(numbers: Floats) -> Floats:
    """Return dL (10, 4, 4) by each of ten numbers (10,)."""
    found = np.zeros((PARAMETERS, 4, 4))
    for k in range(4):
        found[k, k, k] = np.exp(numbers[k])
    for k, (i, j) in enumerate(zip(_ROWS, _COLUMNS, strict=True), start=4):
        found[k, i, j] = 1.0
    return found

"""Contact problems and linear complementarity problems as arrays."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Mapping, Sequence

import numpy as np

from ._engine import engine
from ._errors import InputError


@dataclass(frozen=True)
class Solution:
    """Solutions of one problem, or of a batch: arrays then have a first dimension for it."""

    status: Any  #: "converged" and others
    message: Any  #: empty where it is solved

    @property
    def solved(self) -> Any:
        """Whether it is, checked without the solver."""
        return np.asarray(self.status) == "converged" if isinstance(self.status, list) else self.status == "converged"


@dataclass(frozen=True)
class LCPSolution(Solution):
    z: np.ndarray
    w: np.ndarray  #: M z + q
    residual: Any


@dataclass(frozen=True)
class ContactSolution(Solution):
    u: np.ndarray  #: motions
    r: np.ndarray  #: reactions
    merit: Any  #: relative residual
    dr_dq: np.ndarray | None = None
    du_dq: np.ndarray | None = None
    dr_dbound: np.ndarray | None = None  #: by μ, or by the threshold of Tresca's law
    du_dbound: np.ndarray | None = None


def _unpacked(single: bool, result: dict, arrays: dict) -> dict:
    values = {"status": result["status"], "message": result["messages"], **arrays}
    return {k: v[0] for k, v in values.items()} if single else values


def lcp(M: Any, q: Any, *, tolerance: float = 0.0, max_iterations: int = 0) -> LCPSolution:
    """Solves w = M z + q, 0 ≤ z ⊥ w ≥ 0. With q of two dimensions a batch, for which M may be one matrix."""
    q = np.asarray(q, float)
    result, arrays = engine().call("lcp", {"tolerance": tolerance, "max_iterations": max_iterations}, {"M": _dense(M), "q": q})
    return LCPSolution(**_unpacked(q.ndim == 1, result, arrays))


def contact(W: Any, q: Any, mu: Any = None, *, dim: int = 3, laws: Sequence[Mapping[str, Any]] | None = None, derivatives: bool = False, tolerance: float = 0.0, max_iterations: int = 0) -> ContactSolution:
    """Solves u = W r + q with Coulomb's friction μ, or other laws, at each contact.

    Components of a contact stand together, the normal first; u_N > 0 opens, r_N > 0 presses. W is
    dense or sparse (scipy), q has one dimension, or two of a batch; `laws` has entries like
    {"law": "cohesive", "mu": .3, "cohesion": 1, "tension": 0}, one for all or one a contact.
    """
    q = np.asarray(q, float)
    arrays: dict[str, Any] = {"q": q}
    if hasattr(W, "tobsr"):
        blocks = W.tobsr((dim, dim))
        blocks.sort_indices()
        arrays.update(indptr=blocks.indptr, indices=blocks.indices, data=blocks.data)
    else:
        arrays["W"] = _dense(W)
    if laws is None:
        if mu is None:
            raise InputError("friction is missing: want mu or laws")
        arrays["mu"] = np.asarray(mu, float)
    args = {"dim": dim, "laws": list(laws or []), "derivatives": derivatives, "tolerance": tolerance, "max_iterations": max_iterations}
    result, found = engine().call("contact", args, arrays)
    return ContactSolution(**_unpacked(q.ndim == 1, result, found))


def _dense(m: Any) -> np.ndarray:
    return np.asarray(m.toarray() if hasattr(m, "toarray") else m, float)

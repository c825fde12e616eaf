"""Contact problems and linear complementarity problems as arrays."""
from __future__ import annotations

import os
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
    v: np.ndarray | None = None  #: unknowns of a global problem
    multipliers: np.ndarray | None = None  #: λ of its bilateral constraints
    edges: Any = None  #: contacts between two states, where derivatives are those of one side
    dr_dq: np.ndarray | None = None
    du_dq: np.ndarray | None = None
    dr_dbound: np.ndarray | None = None  #: by μ, or by the threshold of Tresca's law
    du_dbound: np.ndarray | None = None


def _unpacked(single: bool, result: dict, arrays: dict) -> dict:
    values = {"status": result["status"], "message": result["messages"], **arrays}
    if "edges" in result:
        values["edges"] = [e or [] for e in result["edges"]]
    return {k: v[0] for k, v in values.items()} if single else values


def lcp(M: Any, q: Any, *, tolerance: float = 0.0, max_iterations: int = 0) -> LCPSolution:
    """Solves w = M z + q, 0 ≤ z ⊥ w ≥ 0. With q of two dimensions a batch, for which M may be one matrix."""
    q = _real("q", q)
    result, arrays = engine().call("lcp", {"tolerance": tolerance, "max_iterations": max_iterations}, {"M": _dense("M", M), "q": q})
    return LCPSolution(**_unpacked(q.ndim == 1, result, arrays))


def contact(W: Any, q: Any, mu: Any = None, *, dim: int = 3, laws: Sequence[Mapping[str, Any]] | None = None, derivatives: bool = False, tolerance: float = 0.0, max_iterations: int = 0) -> ContactSolution:
    """Solves u = W r + q with Coulomb's friction μ, or other laws, at each contact.

    Components of a contact stand together, the normal first; u_N > 0 opens, r_N > 0 presses. W is
    dense or sparse (scipy), q has one dimension, or two of a batch; `laws` has entries like
    {"law": "cohesive", "mu": .3, "cohesion": 1, "tension": 0}, one for all or one a contact.
    """
    q = _real("q", q)
    arrays: dict[str, Any] = {"q": q}
    if hasattr(W, "tobsr"):
        blocks = W.tobsr((dim, dim))
        blocks.sort_indices()
        arrays.update(indptr=blocks.indptr, indices=blocks.indices, data=_real("W", blocks.data))
    else:
        arrays["W"] = _dense("W", W)
    if laws is None:
        if mu is None:
            raise InputError("friction is missing: want mu or laws")
        arrays["mu"] = _real("mu", mu)
    args = {"dim": dim, "laws": list(laws or []), "derivatives": derivatives, "tolerance": tolerance, "max_iterations": max_iterations}
    result, found = engine().call("contact", args, arrays)
    return ContactSolution(**_unpacked(q.ndim == 1, result, found))


def solve(problem: Any, *, derivatives: bool = False, tolerance: float = 0.0, max_iterations: int = 0) -> Any:
    """Solves a problem of any form, or a list of problems in one call. One is a file (as of Siconos, FCLIB where the
    engine has HDF5, or JSON), or a mapping of arrays, the matrices dense or sparse (scipy):

    W, q, and mu or laws                      u = W r + q                            local
    M, f, H, w, and mu or laws; G, b          M v = f + H r + G λ, u = Hᵀv + w       global
    M, q; equality where w_i = 0              w = M z + q, 0 ≤ z ⊥ w ≥ 0             LCP, mixed LCP

    Contacts have three components, or as many as `dimension` says. Derivatives are those of contact problems.
    """
    single = isinstance(problem, (str, os.PathLike, Mapping))
    args = {"problems": [_numbered(i, p) for i, p in enumerate([problem] if single else problem)], "derivatives": derivatives,
            "tolerance": tolerance, "max_iterations": max_iterations}
    result, arrays = engine().call("solve", args)
    found = [_solution(head, {k: arrays[f"{i}.{k}"] for k in _VECTORS if f"{i}.{k}" in arrays}) for i, head in enumerate(result)]
    return found[0] if single else found


_VECTORS = ("r", "u", "v", "lambda", "residual", "dr_dq", "du_dq", "dr_dbound", "du_dbound")


#: What problems of a kind have: matrices, and vectors with the side of a matrix that they are as long as.
_KINDS = {"local": {"W": None, "q": ("W", 0)}, "global": {"M": None, "H": None, "f": ("M", 0), "w": ("H", 1)},
          "mlcp": {"M": None, "q": ("M", 0), "equality": ("M", 0)}, "lcp": {"M": None, "q": ("M", 0)}}


def _numbered(i: int, p: Any) -> Any:
    """Problem i of a list, as [_problem] has it."""
    try:
        return _problem(p)
    except InputError as e:
        raise InputError(f"problem {i}: {e}") from None


def _problem(p: Any) -> Any:
    """A file by its whole path, or the object that the engine reads (contact/problemfile)."""
    if isinstance(p, (str, os.PathLike)):
        return os.path.abspath(p)
    if not isinstance(p, Mapping):
        raise InputError(f"a problem is of {type(p).__name__}, want a file, or a mapping like {{'W': W, 'q': q, 'mu': 0.3}}")
    kind = "local" if "W" in p else "global" if "H" in p else "mlcp" if "equality" in p else "lcp"
    entry = {"format": "quasistatic-contact-problem", "version": 1, **p, "kind": kind}
    if missing := [key for key in _KINDS[kind] if p.get(key) is None]:
        raise InputError(f"{' and '.join(missing)} missing: problems of the kind {kind} have {', '.join(_KINDS[kind])}")
    for key in ("W", "M", "H", "G"):
        if entry.get(key) is not None:
            entry[key] = _matrix(_finite(key, entry[key]))
    for key in ("M", "H"):
        if key in entry and kind != "local" and entry[key]["rows"] != entry["M"]["cols"]:
            raise InputError(f"{key} has {entry[key]['rows']} rows, want {entry['M']['cols']}, as M has columns")
    for key, length in _KINDS[kind].items():
        if length is None:
            continue
        matrix, side = entry[length[0]], ("rows", "cols")[length[1]]
        if np.size(_finite(key, p[key])) != matrix[side]:
            raise InputError(f"{key} has {np.size(p[key])} numbers, want {matrix[side]}, as {length[0]} has {side}")
    if kind in ("local", "global"):
        dim = entry.setdefault("dimension", 3)
        numbers = "q" if kind == "local" else "w"
        if dim not in range(2, 7) or np.size(p[numbers]) % dim:
            raise InputError(f"{numbers} has {np.size(p[numbers])} numbers and dimension is {dim!r}, want 2 or 3 numbers a contact (4 to 6 with moments)")
        contacts = np.size(p[numbers]) // dim
        if {k for k in p if p[k] is not None} <= {*_KINDS[kind], "G", "b", "dimension"}:  # others the engine knows, or names
            raise InputError("friction is missing: want mu or laws")
        if p.get("mu") is not None:
            mu = _finite("mu", _real("mu", p["mu"]))
            if mu.size not in (1, contacts):
                raise InputError(f"mu has {mu.size} numbers, want one, or one for each of {contacts} contacts of {dim} components")
            entry["mu"] = np.broadcast_to(mu.reshape(-1), contacts)
        if p.get("laws") is not None:
            laws = [{"type" if k == "law" else k: v for k, v in law.items()} for law in p["laws"]]
            entry["laws"] = laws * contacts if len(laws) == 1 else laws
    return entry


def _finite(key: str, x: Any) -> Any:
    """x, a matrix or a vector, whose numbers must be finite."""
    numbers = _real(key, x.tocoo().data if hasattr(x, "tocoo") else x)
    if not np.isfinite(numbers).all():
        raise InputError(f"{key} has {np.count_nonzero(~np.isfinite(numbers))} numbers that are not finite")
    return x


def _matrix(m: Any) -> dict:
    if hasattr(m, "tocoo"):
        m = m.tocoo()
        return {"rows": m.shape[0], "cols": m.shape[1], "i": m.row, "j": m.col, "x": m.data}
    m = np.atleast_2d(np.asarray(m, float))
    return {"rows": m.shape[0], "cols": m.shape[1], "dense": m}


def _solution(head: dict, x: dict) -> Solution:
    residual = float(x.pop("residual"))
    known = {"status": head["status"], "message": head["message"]}
    if head["kind"] in ("lcp", "mlcp"):
        return LCPSolution(**known, z=x["r"], w=x["u"], residual=residual)
    x["multipliers"] = x.pop("lambda")
    return ContactSolution(**known, **x, merit=residual, edges=head.get("edges", []) if "dr_dq" in x else None)


def _dense(key: str, m: Any) -> np.ndarray:
    return _real(key, m.toarray() if hasattr(m, "toarray") else m)


def _real(key: str, x: Any) -> np.ndarray:
    """x as numbers. Complex ones would lose their imaginary parts."""
    if np.iscomplexobj(x):
        raise InputError(f"{key} has complex numbers, want real ones")
    return np.asarray(x, float)

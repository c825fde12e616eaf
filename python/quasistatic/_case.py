"""Cases built in Python: nested names that are those of the case format."""
from __future__ import annotations

import difflib
import itertools
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Callable, Mapping, Sequence

import numpy as np

from ._engine import engine
from ._errors import InputError
from ._run import Run, run, source


@lru_cache(maxsize=1)
def schema() -> dict:
    """The JSON Schema of the case format."""
    return engine().call("schema")[0]


class Node(dict):
    """A part of a case: keys are attributes too. Names that the format does not have are refused."""

    def __init__(self, values: Mapping[str, Any] = {}, parts: Sequence[dict] = ()):
        super().__init__()
        object.__setattr__(self, "_parts", list(parts))
        for key, value in values.items():
            self[key] = value

    def __setitem__(self, key: str, value: Any) -> None:
        known = _keys(self._parts)
        if known is not None and key not in known:
            near = difflib.get_close_matches(key, known, 1)
            raise InputError(f"there is no key {key!r} here" + (f", is {near[0]!r} meant?" if near else f", but {', '.join(sorted(known))}"))
        super().__setitem__(key, _wrapped(value, _below(self._parts, key)))

    def __getattr__(self, key: str) -> Any:
        if key.startswith("_"):
            raise AttributeError(key)
        if key not in self:
            known = _keys(self._parts)
            if known is not None and key not in known:
                raise AttributeError(f"there is no key {key!r} here")
            self[key] = {}  # case.friction.dry.mu = 0.3 makes what is on the way
        return self[key]

    def __setattr__(self, key: str, value: Any) -> None:
        self[key] = value

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *(_keys(self._parts) or ()), *self})


def _wrapped(value: Any, parts: Sequence[dict]) -> Any:
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, Mapping) and not isinstance(value, Node):
        return Node(value, parts)
    if isinstance(value, (list, tuple)):
        entries = [e for p in _resolved(parts) for e in ([p["items"]] if isinstance(p.get("items"), dict) else [])]
        return [_wrapped(v, entries) for v in value]
    return value


def _resolved(parts: Sequence[dict]) -> list[dict]:
    """The schemas behind references and alternatives."""
    found, todo = [], list(parts)
    while todo:
        p = todo.pop()
        if not isinstance(p, dict):
            continue
        if "$ref" in p:
            todo.append(schema()["$defs"][p["$ref"].rpartition("/")[2]])
        for word in ("oneOf", "anyOf", "allOf"):
            for q in p.get(word, []):
                todo.append(q.get("then", q) if isinstance(q, dict) else q)
        found.append(p)
    return found


def _keys(parts: Sequence[dict]) -> set[str] | None:
    """The keys that there are; None: any name may be one, or nothing is known."""
    keys: set[str] = set()
    for p in _resolved(parts):
        keys.update(p.get("properties", {}))
        if "patternProperties" in p or isinstance(p.get("additionalProperties"), dict):
            return None
    return keys or None


def _below(parts: Sequence[dict], key: str) -> list[dict]:
    below = []
    for p in _resolved(parts):
        if key in p.get("properties", {}):
            below.append(p["properties"][key])
        elif isinstance(p.get("additionalProperties"), dict):
            below.append(p["additionalProperties"])
        below.extend(p.get("patternProperties", {}).values())
    return below


class Case(Node):
    """A case of a model, with the keys of the case format as attributes.

    >>> c = Case("energetic", until=2, steps=800)
    >>> c.friction.dry.mu = 0.4
    """

    def __init__(self, model: str | Mapping[str, Any], **keys: Any):
        values = dict(model) if isinstance(model, Mapping) else {"model": model}
        name = values.get("model")
        if name not in schema()["$defs"]:
            models = [p["if"]["properties"]["model"]["const"] for p in schema()["allOf"]]
            raise InputError(f"there is no model {name!r}, but {', '.join(models)}")
        super().__init__({**values, **keys}, [{"$ref": f"#/$defs/{name}"}, {"properties": {"$schema": {}, "model": {}}}])

    @classmethod
    def read(cls, name: str) -> Case:
        """A case from a file, or a built-in one by its name."""
        return cls(engine().call("case", source(name))[0])

    def check(self) -> dict:
        """Examines the assumptions of the theorems, without a run."""
        return engine().call("check", source(self))[0]

    def run(self, **options: Any) -> Run:
        """See `run`."""
        return run(self, **options)

    def sweep(self, values: Mapping[str, Any], observe: Sequence[Any], *, grid: bool = True) -> Sweep:
        """See `sweep`."""
        return sweep(self, values, observe, grid=grid)

    def sensitivity(self, of: Any, by: Any) -> Gradient:
        """See `grad`."""
        return grad(self, of, by)


@dataclass(frozen=True)
class Sweep:
    """Many runs of one case: a row each of `values`, `observed` and the verdicts."""

    paths: list[str]
    values: np.ndarray  #: runs by paths
    observed: np.ndarray  #: runs by quantities; NaN where a run did not get there
    verdicts: list[str]  #: certified, solved, failed, refused
    messages: list[str]
    met: list[bool]

    def __len__(self) -> int:
        return len(self.verdicts)


def sweep(case: Any, values: Mapping[str, Any], observe: Sequence[Any], *, grid: bool = True) -> Sweep:
    """Runs a case with many numbers, on all cores: all combinations of them, or (grid=False) side by side."""
    paths = list(values)
    columns = [np.atleast_1d(np.asarray(v, float)) for v in values.values()]
    if grid:
        table = np.array(list(itertools.product(*columns)), float).reshape(-1, len(paths))
    else:
        if len({len(c) for c in columns}) > 1:
            raise InputError("values side by side must be equally many")
        table = np.stack(columns, 1)
    result, arrays = engine().call("runs", dict(source(case), paths=paths, observe=[_quantity(q) for q in observe]), {"values": table})
    return Sweep(paths, table, arrays["observed"], result["verdicts"], result["messages"], result["met"])


def _quantity(q: Any) -> Any:
    """A quantity as in expect; a line "position particle=p axis=x time=1" is one too."""
    if not isinstance(q, str):
        return q
    name, *pairs = q.split()
    entry: dict[str, Any] = {"quantity": name}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals:
            raise InputError(f"{pair!r} of the quantity {q!r} is no key=value")
        try:
            entry[key] = float(value)
        except ValueError:
            entry[key] = value
    return entry


@dataclass(frozen=True)
class Gradient:
    """Derivatives of quantities by numbers of a case."""

    labels: list[str]
    value: np.ndarray  #: of each quantity
    grad: np.ndarray  #: quantities by numbers
    ranges: list[tuple[float, float]]  #: of each number, in which the order of events stays
    raw: list[dict]  #: all of it: events, what changes at the ends of the ranges


def grad(case: Any, of: Any, by: Any, *, set: Mapping[str, Any] | None = None) -> Gradient:
    """Differentiates quantities (as in expect) by numbers of a case, along a walk from event to event, or by runs beside it."""
    of = [of] if isinstance(of, (str, Mapping)) else list(of)
    by = [by] if isinstance(by, str) else list(by)
    if isinstance(case, Mapping):
        case = {k: v for k, v in case.items() if k != "expect"}  # what is asked for is `of`
    raw, _ = engine().call("sensitivity", dict(source(case, set), of=[_quantity(q) for q in of], by=by))
    last = slice(-len(of), None)  # before them stands what the case expects
    value = np.array([q["value"] for q in raw[0]["quantities"]][last])
    jacobian = np.array([[q["derivative"] for q in r["quantities"]][last] for r in raw]).T
    ranges = [(-np.inf if r["from"] is None else r["from"], np.inf if r["to"] is None else r["to"]) for r in raw]
    return Gradient([q["label"] for q in raw[0]["quantities"]][last], value, jacobian, ranges, raw)


def value_and_grad(case: Any, of: Any, by: Sequence[str]) -> Callable[[Any], tuple[Any, np.ndarray]]:
    """A function x ↦ (value, gradient) for scipy.optimize.minimize(…, jac=True); of several quantities
    the values and the Jacobian."""
    by = [by] if isinstance(by, str) else list(by)
    single = isinstance(of, (str, Mapping))

    def f(x: Any) -> tuple[Any, np.ndarray]:
        g = grad(case, of, by, set=dict(zip(by, np.atleast_1d(np.asarray(x, float)))))
        return (float(g.value[0]), g.grad[0]) if single else (g.value, g.grad)

    return f

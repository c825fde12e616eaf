"""Runs: what the engine computed, as arrays, with its verdict."""
from __future__ import annotations

import html
import os
from dataclasses import dataclass, fields
from typing import Any, Iterator, Mapping

import numpy as np

from ._engine import engine
from ._errors import InputError


@dataclass(frozen=True)
class Fact:
    """One line of a verdict."""

    word: str  #: solved, accurate, or as expected
    name: str
    value: float
    limit: float
    unit: str
    passed: bool
    basis: str  #: proven, computed, estimated, sampled, not said
    place: str = ""  #: where it is worst
    remedy: str = ""  #: what would reach the limit


@dataclass(frozen=True)
class Event:
    """A change of contact."""

    t: float
    name: str
    before: str
    after: str
    within: float  #: by what t may be off [s]; as long as the run: nobody knows


class Table(Mapping[str, np.ndarray]):
    """A table of a run: columns by name, `p.x` or `x:p`, and its times `t`."""

    def __init__(self, head: dict, t: np.ndarray, values: np.ndarray):
        self.name: str = head["name"]
        self.t = t
        self.values = values  #: rows by columns
        self.columns: list[str] = head["columns"]
        self.units: dict[str, str] = {"t": "s", **dict(zip(self.columns, head["units"]))}  #: SI; "1": a pure number
        self._at = {c: i for i, c in enumerate(self.columns)}
        self.words = {w: np.array(text, dtype=object) for w, text in zip(head.get("words", []), head.get("text", []))}

    def __getitem__(self, name: str) -> np.ndarray:
        if name == "t":
            return self.t
        if name in self.words:
            return self.words[name]
        component, colon, thing = name.partition(":")
        at = self._at.get(f"{thing}.{component}" if colon else name)
        if at is None:
            import difflib

            near = difflib.get_close_matches(name, self.columns, 1)
            raise KeyError(f"{self.name} has no column {name}" + (f", is {near[0]} meant?" if near else ""))
        return self.values[:, at]

    def __iter__(self) -> Iterator[str]:
        return iter(["t", *self.words, *self.columns])

    def __len__(self) -> int:
        return 1 + len(self.words) + len(self.columns)

    def of(self, thing: str) -> np.ndarray:
        """The columns of one particle, body, element or node, as a structured array with t."""
        mine = [c for c in self.columns if c.startswith(thing + ".")]
        if not mine:
            raise KeyError(f"{self.name} has no columns of {thing}")
        array = np.empty(len(self.t), [("t", "f8"), *((c[len(thing) + 1:], "f8") for c in mine)])
        array["t"] = self.t
        for c in mine:
            array[c[len(thing) + 1:]] = self[c]
        return array

    def things(self) -> list[str]:
        """The particles, bodies, elements or nodes that have columns here."""
        return list(dict.fromkeys(c.rpartition(".")[0] for c in self.columns if "." in c))

    def to_pandas(self) -> Any:
        """As a DataFrame with the times as its index."""
        import pandas

        frame = pandas.DataFrame({k: self[k] for k in self if k != "t"}, index=pandas.Index(self.t, name="t"))
        frame.attrs["units"] = self.units
        return frame

    def to_xarray(self) -> Any:
        """As a Dataset over t; columns of things have a dimension for these."""
        import xarray

        with_unit = lambda k: {"units": self.units[k]} if k in self.units else {}
        return xarray.Dataset({k: ("t", self[k], with_unit(k)) for k in self if k != "t"}, coords={"t": ("t", self.t, with_unit("t"))})

    def __repr__(self) -> str:
        return f"<Table {self.name}: {len(self.t)} rows, {', '.join(self.columns[:6])}{', …' if len(self.columns) > 6 else ''}>"


class Run(Mapping[str, Table]):
    """A run: its tables by name, and what it is worth."""

    def __init__(self, result: dict, arrays: dict, origin: dict):
        self.summary: dict = result["summary"]
        self._tables = {h["name"]: Table(h, arrays[h["name"] + ".t"], arrays[h["name"]]) for h in result.get("tables", [])}
        self._origin = origin

    def __getitem__(self, name: str) -> Table:
        if name not in self._tables:
            raise KeyError(f"the run has no table {name}; it has {', '.join(self._tables)}")
        return self._tables[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._tables)

    def __len__(self) -> int:
        return len(self._tables)

    @property
    def name(self) -> str:
        return self.summary["name"]

    @property
    def certified(self) -> bool:
        """Solved and accurate."""
        return self.summary["certified"]

    @property
    def met(self) -> bool:
        """All that the case expects is so."""
        return self.summary["met"]

    @property
    def message(self) -> str:
        """What went wrong first; empty if nothing did."""
        return self.summary["message"]

    @property
    def verdict(self) -> str:
        """In one line."""
        word = "certified" if self.certified else "NOT CERTIFIED"
        return f"{word}{'' if self.met else ', not as expected'}{': ' + self.message if self.message else ''}"

    @property
    def facts(self) -> list[Fact]:
        """What the verdict says, with the numbers."""
        known = {f.name for f in fields(Fact)}
        return [Fact(**{k: v for k, v in f.items() if k in known}) for f in self.summary.get("facts", [])]

    @property
    def expected(self) -> list[dict]:
        """What the case expects, with what was found."""
        return self.summary.get("expectations", [])

    @property
    def events(self) -> list[Event]:
        """Changes of contact."""
        t = self._tables.get("events")
        if t is None:
            return []
        words = list(t.words.values())
        return [Event(float(t.t[k]), *(str(w[k]) for w in words), float(t["within"][k])) for k in range(len(t.t))]

    def to_pandas(self) -> dict:
        """All tables as DataFrames."""
        return {name: table.to_pandas() for name, table in self.items()}

    def to_xarray(self) -> dict:
        """All tables as Datasets."""
        return {name: table.to_xarray() for name, table in self.items()}

    def report(self) -> str:
        """The page of the run, one HTML document. A run without a folder is made again for it."""
        page, _ = engine().call("report", self._origin)
        return page

    def _repr_html_(self) -> str:
        return f'<iframe srcdoc="{html.escape(self.report(), quote=True)}" width="100%" height="800" style="border:0"></iframe>'

    def __repr__(self) -> str:
        return f"<Run {self.name}: {self.verdict}>"


def source(case: Any, changes: Mapping[str, Any] | None = None, accuracy: float | None = None) -> dict:
    """The case of a call: a dict, a Case, a file, or the name of a built-in one, with changes by path."""
    import json

    from ._engine import _plain

    lines = [f"{path}={json.dumps(value, default=_plain)}" for path, value in (changes or {}).items()]
    if accuracy is not None:
        lines.append(f"accuracy={accuracy!r}")
    if isinstance(case, (str, os.PathLike)):
        name = os.fspath(case)
        if os.path.isfile(name) or os.path.splitext(name)[1] or os.path.basename(name) != name:
            name = os.path.abspath(name)  # the engine stays in the folder where it was started
        return {"case": name, "set": lines}
    if isinstance(case, Mapping):
        return {"case": dict(case), "dir": os.getcwd(), "set": lines}
    raise InputError(f"a case is a dict, a path or the name of a built-in one, not {type(case).__name__}")


def run(case: Any, *, set: Mapping[str, Any] | None = None, out: str | os.PathLike | None = None, accuracy: float | None = None, force: bool = False, verify: bool = False) -> Run:
    """Runs a case. With `out` it leaves the files of a run there, as the command does.

    A run that is not certified is a value: look at `verdict`. A case that is wrong is a CaseError.
    """
    origin = source(case, set, accuracy)
    args = dict(origin, force=force, verify=verify)
    if out is not None:
        args["out"] = os.path.abspath(out)
    result, arrays = engine().call("run", args)
    return Run(result, arrays, {"folder": args["out"]} if out is not None else origin)


def read(folder: str | os.PathLike) -> Run:
    """Reads what a run has left in a folder; a file that was changed is an error."""
    folder = os.path.abspath(folder)
    result, arrays = engine().call("read", {"dir": folder})
    return Run(result, arrays, {"folder": folder})


def cases() -> list[dict]:
    """The built-in cases: name, model, description."""
    return engine().call("cases")[0]

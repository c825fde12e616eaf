"""A solver for compas_dem: `quasistatic stands` on a Problem, its forces written into the BlockModel.

    from quasistatic import compas_dem
    answer = compas_dem.solve(problem)                  # or, beside the solvers of compas_dem:
    compas_dem.install()
    answer = problem.solve(compas_dem.Solver(limit=30))
    answer.verdict, answer.reason, answer.margins

The contacts of the model must have been computed. Each of them gets its `forces` at its points (c_np, c_nn,
c_u, c_v in its frame, pressure positive), each edge of the graph `force` on its second block, and its
`force_magnitude`. Nothing of compas is imported but by `install`.
"""
from __future__ import annotations

import json
import math
import subprocess
import tempfile
from collections import defaultdict
from pathlib import Path
from typing import Any, Sequence

from ._engine import program
from ._errors import EngineError, InputError

NAME = "QUASISTATIC"
ANSWERS = (0, 1, 4)  # exit codes: stands; falls or depends; open


class Solver:
    """Name and parameters, as compas_dem has them: mu [-] of contacts without friction, limit [s]."""

    def __init__(self, mu: float | None = None, limit: float = 10, margins: bool = False, supports: Sequence[int] = ()):
        self.name = NAME
        self.parameters: dict[str, Any] = {"mu": mu, "limit": limit, "margins": margins, "supports": tuple(supports)}


class Answer(dict):
    """What `quasistatic stands --json` prints; its keys are attributes too."""

    def __getattr__(self, key: str) -> Any:
        try:
            return self[key]
        except KeyError:
            raise AttributeError(key) from None

    @property
    def stands(self) -> bool:
        return self["verdict"] == "stands"


def solve(problem: Any, solver: Solver | None = None, model: Any = None) -> Answer:
    """Asks whether a Problem stands, or the model of one where versions of compas_dem keep it apart."""
    wishes = (solver or Solver()).parameters
    model = model if model is not None else getattr(problem, "model", problem)
    asked = problem if getattr(problem, "model", None) is not None else model
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "problem.json"
        asked.to_json(str(file))
        command = [program(), "stands", str(file), "--json", "--limit", f"{wishes['limit']}s"]
        if wishes["mu"] is not None:
            command += ["--mu", repr(float(wishes["mu"]))]
        if wishes["margins"]:
            command.append("--margins")
        for node in wishes["supports"]:
            command += ["--support", str(node)]
        done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
    if done.returncode == 2:
        raise InputError(done.stderr.strip())
    if done.returncode not in ANSWERS or not done.stdout:
        raise EngineError(f"quasistatic stands ended with {done.returncode}: {done.stderr.strip()}")
    answer = Answer(json.loads(done.stdout))
    _write(model, answer.get("reactions") or [])
    return answer


def _dot(a: Sequence[float], b: Sequence[float]) -> float:
    return sum(x * y for x, y in zip(a, b))


def _write(model: Any, reactions: list[dict[str, Any]]) -> None:
    """Gives edges and contacts the forces of the answer, which names blocks by their nodes."""
    found: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
    for r in reactions:
        a, b = r["blocks"]
        found[a, b].append(r)
        found[b, a].append({"point": r["point"], "force": [-x for x in r["force"]]})
    for u, v in model.graph.edges():
        there = found.get((str(u), str(v)), [])
        force = [sum(r["force"][k] for r in there) for k in range(3)]
        model.graph.edge_attribute((u, v), "force", force)
        model.graph.edge_attribute((u, v), "force_magnitude", math.hypot(*force))
        rest = list(there)
        for contact in model.graph.edge_attribute((u, v), "contacts") or []:
            axes = [list(getattr(contact.frame, name)) for name in ("xaxis", "yaxis", "zaxis")]
            local = []
            for point in contact.points:
                at = min(rest, key=lambda r: math.dist(r["point"], list(point)), default=None)
                if at is not None:
                    rest.remove(at)
                local.append([_dot(at["force"], a) if at else 0.0 for a in axes])
            sign = -1 if sum(c[2] for c in local) < 0 else 1  # z from the second block to the first: the force on that
            contact.forces = [{"c_np": max(sign * n, 0.0), "c_nn": max(-sign * n, 0.0), "c_u": sign * x, "c_v": sign * y} for x, y, n in local]


def install() -> None:
    """Lets Problem.solve of compas_dem take this Solver."""
    from compas_dem.problem import Problem

    others = Problem.solve

    def chosen(self: Any, solver: Any, *args: Any, **kwargs: Any) -> Any:
        if getattr(solver, "name", None) == NAME:
            return solve(self, solver, *args, **kwargs)
        return others(self, solver, *args, **kwargs)

    if getattr(others, "__name__", "") != chosen.__name__:
        Problem.solve = chosen

#!/usr/bin/env python3
"""What the way from Python to the engine costs: the same work in Python and in Go, one after the other.

    QUASISTATIC_PROGRAM=... python3 python/times.py

Needs scipy, and Go for the second column (`go test ./serve -bench Times`). Prints a table in Markdown; the ratios say
more than the times, since both columns are of one machine in one minute.
"""
from __future__ import annotations

import platform
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Callable

import numpy as np
from scipy.optimize import brentq

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import quasistatic as qs  # noqa: E402

# A spring of k = 2 N/m drags a particle that is pressed by N = 1.5 N and pushed by 0.4 N, as in serve/times_test.go.
CASE: dict[str, Any] = {
    "name": "m", "model": "energetic", "until": 1, "steps": 200, "friction": {"dry": {"mu": 0.3}},
    "particles": [{"id": "p", "at": [0, 0, 0], "friction": "dry"}],
    "anchors": [{"id": "u", "at": {"sine": {"amplitude": [1, 0, 0], "frequency": 1, "offset": [0, 0, -0.3]}}}],
    "energies": [{"type": "tether", "particle": "p", "anchor": "u", "stiffness": [2, 2, 5]},
                 {"type": "load", "particle": "p", "force": [0.4, 0, 0]}]}
W = 2 * np.eye(3) + 0.1
Q = np.random.default_rng(1).normal(size=(1000, 3))
MU = np.random.default_rng(2).normal(0.4, 0.03, 1000)


def root() -> None:
    def end(mu: float) -> float:
        return qs.run(CASE, set={"friction.dry.mu": mu})["trajectory"]["p.x"][-1] + 0.2

    brentq(end, 0.3, 0.6, xtol=1e-10)


def fit() -> None:
    """Gauss and Newton for μ and k, four rounds and one for the data."""
    times = 0.15 + 0.05 * np.arange(18)
    of = [f"position particle=p axis=x time={t:.17g}" for t in times]
    f = qs.value_and_grad(CASE, of, ["friction.dry.mu", "energies[0].stiffness[0]"])
    true, x = np.array([0.43, 2.2]), np.array([0.3, 2.0])
    data = f(true)[0]
    for _ in range(4):
        value, jacobian = f(x)
        x = x + np.linalg.lstsq(jacobian, data - value, rcond=None)[0]
    np.testing.assert_allclose(x, true, atol=1e-6)


# What is measured, how it is done in Python, and the name of the benchmark in Go.
WORK: list[tuple[str, Callable[[], Any], str]] = [
    ("root of a run's end by μ, 3 runs (brentq)", root, "root"),
    ("1,000 contact problems, one call", lambda: qs.contact(W, Q, 0.5), "contacts"),
    ("1,000 contact problems, a call each", lambda: [qs.contact(W, q, 0.5) for q in Q], "contacts"),
    ("fit of μ and k to 18 positions, 5 rounds with gradients", fit, "fit"),
    ("Monte Carlo, 1,000 runs: `qs.sweep`", lambda: qs.sweep(CASE, {"friction.dry.mu": MU}, ["position particle=p axis=x"]), "samples"),
    ("Monte Carlo, 1,000 runs: `qs.run` each", lambda: [qs.run(CASE, set={"friction.dry.mu": m}) for m in MU], "samples"),
]


def in_go(name: str) -> float:
    """The time of a benchmark [s]."""
    done = subprocess.run(["go", "test", "./serve", "-run", "-", "-bench", f"Times/{name}$", "-benchtime", "1x"],
                          cwd=HERE.parent, check=True, capture_output=True, text=True)
    found = re.search(r"([\d.]+) ns/op", done.stdout)
    if not found:
        sys.exit(f"times.py: no time of {name} in:\n{done.stdout}")
    return float(found[1]) / 1e9


def main() -> None:
    qs.run("grazing")  # starts the engine
    print("| work | Python [s] | Go [s] | ratio |\n|---|---|---|---|")
    for label, work, name in WORK:
        begin = time.perf_counter()
        work()
        python = time.perf_counter() - begin
        go = in_go(name)
        print(f"| {label} | {python:.3f} | {go:.3f} | {python / go:.2f} |", flush=True)
    print(f"\n{time.strftime('%Y-%m-%d')}, {platform.machine()}, {platform.system()}, Python {platform.python_version()}")


if __name__ == "__main__":
    main()

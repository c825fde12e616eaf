#!/usr/bin/env python3
"""Rate-and-state sliders on a belt, against `quasistatic run`.

m x'' = -k (x + mu0 N/k) + N mu(V - x', theta), theta' = 1 - |V - x'| theta/L, mu with asinh, by Radau to 1e-10
from x0 at rest in steady sliding. Nothing of the program is used, and no speed of rest. `rate_state.py K
[X0 T...]` prints x at times for the numbers of the cases rate-and-state and rate-and-state-steady;
`rate_state.py BINARY scenes [first]` draws random sliders on both sides of the Hopf point, runs them,
and says which certified ones are further off than they say. Needs numpy and scipy.
"""
import os
import sys

import numpy as np
from scipy.integrate import solve_ivp

from judged import judge


def slider(k, x0, until, m=1.0, n=10.0, mu0=0.4, a=0.01, b=0.015, v0=1e-3, length=1e-4, belt=1e-3):
    def mu(v, th):
        return a * np.arcsinh(v / (2 * v0) * np.exp((mu0 + b * np.log(v0 * th / length)) / a))

    def f(t, y):
        x, v, th = y
        u = belt - v
        return [v, (-k * x - mu0 * n + n * mu(u, th)) / m, 1 - abs(u) * th / length]

    return solve_ivp(f, [0, until], [x0, 0, length / v0], method="Radau", rtol=1e-10, atol=1e-14 * min(1, length / 1e-4), dense_output=True)


def scene(rng):
    m, n = 1.0, 10.0
    a = rng.uniform(0.005, 0.02)
    b = a * rng.uniform(0.5, 2.5)
    belt = 10 ** rng.uniform(-4, -1)
    v0, length = belt * rng.uniform(0.3, 3), belt * rng.uniform(0.02, 0.3)
    hopf = n * abs(b - a) / length * (1 + m * belt**2 / (n * a * length))
    k = hopf * rng.uniform(0.3, 2)
    mu0 = rng.uniform(0.2, 0.7)
    x0 = length * rng.uniform(-0.3, 0.3)
    omega = belt / length * np.sqrt(abs(b - a) / a)
    until = rng.uniform(1, 4) * 2 * np.pi / omega
    kw = dict(m=m, n=n, mu0=mu0, a=a, b=b, v0=v0, length=length, belt=belt)
    case = {
        "model": "rigid", "until": until, "dimension": 2, "gravity": [0, -n / m], "alpha": 0.5,
        "obstacles": {"belt": {"point": [0, 0], "normal": [0, 1], "motion": {"translation": [{"table": [[0, 0], [1000, 1000 * belt]]}, 0]}}},
        "friction": {"rock": {"rate_state": {"mu0": mu0, "a": a, "b": b, "v0": v0, "length": length}}}, "material": "rock",
        "bodies": [{"id": "block", "mass": m, "position": [x0, 0]}],
        "springs": [{"type": "spring", "body": "block", "at": [0, 0], "other": [-10, 0], "stiffness": k, "rest": 10 - mu0 * n / k}],
    }
    return k, x0, until, kw, case


def judged(seed):
    k, x0, until, kw, case = scene(np.random.default_rng(seed))
    s = slider(k, x0, until, **kw)
    times = until * np.array([0.25, 0.5, 0.75, 1])
    want = s.sol(times)[0]
    case["expect"] = [{"quantity": "position", "body": "block", "axis": "x", "time": float(t), "value": float(x), "tolerance": 1} for t, x in zip(times, want)]
    far = np.max(np.abs(s.y[0] - x0))
    return case, lambda values: max(abs(v - x) for v, x in zip(values, want)) / far


if __name__ == "__main__":
    if os.path.exists(sys.argv[1]):
        first = int(sys.argv[3]) if len(sys.argv) > 3 else 0
        judge(sys.argv[1], range(first, first + int(sys.argv[2])), judged)
    k, x0, times = float(sys.argv[1]), float(sys.argv[2]), [float(t) for t in sys.argv[3:]]
    s = slider(k, x0, times[-1])
    for t in times:
        print(t, *s.sol(t))
    print("speed of slip", min(1e-3 - s.y[1]), "to", max(1e-3 - s.y[1]), "x", min(s.y[0]), "to", max(s.y[0]))

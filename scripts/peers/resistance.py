#!/usr/bin/env python3
"""Balls with resistance to rolling, spinning and drilling, and adhesion, against `quasistatic run`.

A ball of radius r on a plane that may turn about its normal, with a constant pull g: v' = g + F/m,
I w' = -r n x F + M, u = v + w x (-r n) - s0, with friction and moments regularised,
F = -mu N u/sqrt(|u|^2 + e^2) and alike, drilling with one root for both; integrated by Radau to
1e-8. An impact at the start minimises the kinetic energy of the change and the dissipation. Nothing
of the program is used. `resistance.py BINARY [scenes [first]]` draws random scenes, runs them, and says which
certified ones are further off than they say; `resistance.py` prints the number of cases/drilling-ball.
"""
import json
import os
import subprocess
import sys
import tempfile

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import minimize

SMOOTH = 2e-7  # [m/s], of slip; creep of what sticks is below it


def soft(x, eps=SMOOTH):
    return x / np.sqrt(np.dot(x, x) + eps * eps)


class Scene:
    def __init__(self, rng):
        self.r, self.m = rng.uniform(0.05, 0.5), rng.uniform(0.2, 5)
        self.inertia = 0.4 * self.m * self.r**2
        self.mu = rng.uniform(0.05, 0.8)
        kind = rng.integers(4)
        self.roll = self.r * rng.uniform(0.002, 0.1) if kind != 1 else 0
        self.spin = self.r * rng.uniform(0.002, 0.1) if kind in (0, 1) else 0
        self.drill = self.r * rng.uniform(0.02, 0.3) if kind in (2, 3) else 0
        self.stick = rng.uniform(1, 10) * self.m if rng.random() < 0.4 else 0
        down = 10 if not self.stick or rng.random() < 0.5 else -rng.uniform(0.1, 0.9) * self.stick / self.m
        slope, way = rng.uniform(0, 1.5) * rng.integers(2), rng.uniform(0, 6)
        self.g = np.array([slope * np.cos(way), slope * np.sin(way), -down])
        self.omega = rng.uniform(-3, 3) if rng.random() < 0.25 else 0
        self.v = np.array([*rng.normal(size=2), -rng.uniform(0.5, 2) if rng.random() < 0.25 else 0])
        self.w = rng.normal(size=3) * [3, 3, 8]
        if rng.random() < 0.3:  # it rolls
            self.w[:2] = -self.v[1] / self.r, self.v[0] / self.r
        self.x = np.array([*rng.uniform(-0.3, 0.3, size=2), self.r])
        self.until = rng.uniform(0.5, 2.5)

    def case(self, name, alpha, steps):
        c = {"name": name, "model": "rigid", "until": self.until, "accuracy": 0.01, "gravity": list(self.g),
             "obstacles": {"floor": {"point": [0, 0, 0], "normal": [0, 0, 1]}},
             "friction": {"f": {k: v for k, v in [("mu", self.mu), ("rolling", self.roll), ("spinning", self.spin), ("drilling", self.drill), ("adhesion", self.stick)] if v or k == "mu"}},
             "material": "f",
             "bodies": [{"id": "b", "mass": self.m, "shape": {"type": "sphere", "radius": self.r}, "position": list(self.x), "velocity": list(self.v), "spin": list(self.w)}]}
        if self.omega:
            t = self.until
            c["obstacles"]["floor"]["motion"] = {"rotation": {"through": [0, 0, 0], "axis": [0, 0, 1], "angle": {"table": [[0, 0], [t, self.omega * t]]}}}
        if alpha:
            c["alpha"] = alpha
        if steps:
            c["steps"] = steps
        return c

    def slips(self, x, v, w):
        u = v[:2] + self.r * np.array([-w[1], w[0]]) - self.omega * np.array([-x[1], x[0]])
        return u, w[:2], w[2] - self.omega

    def bounds(self, u, roll, spin):
        """What dissipates, per normal force."""
        e = SMOOTH / self.r
        out = self.roll * np.sqrt(roll @ roll + e * e)
        if self.drill:
            return out + self.mu * np.sqrt(u @ u + (self.drill * spin)**2 + SMOOTH**2)
        return out + self.mu * np.sqrt(u @ u + SMOOTH**2) + self.spin * np.sqrt(spin**2 + e * e)

    def impact(self):
        p = -self.m * self.v[2]
        if not p > 0:
            return 0
        v0, w0 = self.v[:2].copy(), self.w.copy()

        def cost(y):
            dv, dw = y[:2] - v0, y[2:] - w0
            return 0.5 * self.m * dv @ dv + 0.5 * self.inertia * dw @ dw + p * self.bounds(*self.slips(self.x, y[:2], y[2:]))

        best = np.array([*v0, *w0])
        for _ in range(8):
            best = minimize(cost, best, method="BFGS", options={"gtol": 1e-12}).x
            best = minimize(cost, best, method="Powell", options={"xtol": 1e-12, "ftol": 1e-15}).x
        self.v, self.w = np.array([*best[:2], 0]), best[2:]

    def forces(self, x, v, w, normal):
        u, roll, spin = self.slips(x, v, w)
        if self.drill:
            root = soft(np.array([*u, self.drill * spin]))
            f, about = -self.mu * normal * root[:2], -self.mu * normal * self.drill * root[2]
        else:
            f = -self.mu * normal * soft(u)
            about = -self.spin * normal * soft(np.array([spin]), SMOOTH / self.r)[0]
        return f, np.array([*(-self.roll * normal * soft(roll, SMOOTH / self.r)), about])

    def solve(self):
        self.impact()
        normal = -self.m * self.g[2] + self.stick

        def rate(_, y):
            v, w = np.array([y[2], y[3], 0]), y[4:7]
            f, moment = self.forces(y[:2], v, w, normal)
            turn = moment + self.r * np.array([f[1], -f[0], 0])
            return [y[2], y[3], *(self.g[:2] + f / self.m), *(turn / self.inertia), np.hypot(y[2], y[3])]

        def slope(t, y):  # scipy's own differences overflow where nothing moves
            columns = np.empty((8, 8))
            for k in range(8):
                d = np.zeros(8)
                d[k] = 1e-9
                columns[:, k] = (np.array(rate(t, y + d)) - rate(t, y - d)) / 2e-9
            return columns

        y = solve_ivp(rate, [0, self.until], [*self.x[:2], *self.v[:2], *self.w, 0], method="Radau", jac=slope, rtol=1e-8, atol=1e-10).y[:, -1]
        return y[:2], y[2:4], y[4:7], y[7]


def drilling_ball():
    s = Scene(np.random.default_rng(0))
    s.r, s.m, s.inertia, s.mu, s.roll, s.spin, s.drill, s.stick = 0.1, 1, 0.004, 0.3, 0, 0, 0.01, 0
    s.g, s.omega, s.v, s.w, s.x, s.until = np.array([0, 0, -10.]), 0, np.array([1., 0, 0]), np.array([0, 0, 20.]), np.array([0, 0, .1]), 3
    x, v, w, _ = s.solve()
    print(f"x = {x[0]:.7g} m, v = {v[0]:.7g} m/s, spin {w[2]:.3g} rad/s at 3 s")


def referee(binary, scenes, first=0):
    wrong = certified = 0
    for seed in range(first, first + scenes):
        rng = np.random.default_rng(1000 + seed)
        s = Scene(rng)
        alpha, steps = (None, None) if seed % 3 == 0 else ([0.5, 1][seed % 2], int(rng.choice([64, 200, 500])))
        with tempfile.TemporaryDirectory() as d:
            with open(os.path.join(d, "c.json"), "w") as f:
                json.dump(s.case("c", alpha, steps), f)
            got = subprocess.run([binary, "run", "c.json"], cwd=d, capture_output=True, text=True, timeout=120)
            if got.returncode not in (0, 1):
                print(seed, "exit", got.returncode, got.stderr[-300:])
                continue
            checked = subprocess.run([binary, "diagnose", "out/c"], cwd=d, capture_output=True, text=True, timeout=240)
            with open(os.path.join(d, "out/c/trajectory.csv")) as f:
                last = [float(a) for a in f.readlines()[-1].split(",")]
            with open(os.path.join(d, "out/c/velocities.csv")) as f:
                speed = [float(a) for a in f.readlines()[-1].split(",")]
        x, v, w, way = s.solve()
        off = np.hypot(last[1] - x[0], last[2] - x[1])
        share = off / max(way, 1e-3)
        fine = got.returncode == 0
        certified += fine
        if fine != (checked.returncode == 0):
            print(seed, "run says", got.returncode, "diagnose", checked.returncode, (checked.stdout + checked.stderr)[-400:])
        if fine and share > 0.011:
            wrong += 1
        if fine and share > 0.003 or not fine:
            kinds = [k for k in ("roll", "spin", "drill", "stick", "omega") if getattr(s, k)]
            print(seed, "certified" if fine else "not", kinds, "alpha", alpha, "steps", steps, f"off {share:.3g} of {way:.3g} m,", "speeds", np.round(np.array(speed[1:3]) - v, 5), "" if fine else got.stderr[-160:].strip())
    print(f"{scenes} scenes, {certified} certified, {wrong} of them wrong")
    return wrong


if __name__ == "__main__":
    if len(sys.argv) == 1:
        drilling_ball()
    else:
        sys.exit(referee(os.path.abspath(sys.argv[1]), *map(int, sys.argv[2:] or [60])) > 0)

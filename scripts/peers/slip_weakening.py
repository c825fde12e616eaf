#!/usr/bin/env python3
"""Friction over slip, mu(s), of rows of particles that go forth and back, against `quasistatic run`.

n particles on a line, each pressed with N_i, tied to its neighbours and to a driven anchor. Between
two events all is linear: what slides has (K x')_i + N_i mu_i'(s_i) x'_i = f'_i, what sticks x'_i = 0;
the mode is found among all 3^n. Events are kinks of the drive, ends of the rows of mu, and forces
that reach their bound: so positions, slip and dissipation are exact to rounding. Nothing of the
program is used. `slip_weakening.py BINARY [scenes [first]]` draws random scenes, runs them, and says
which certified ones are further off than they say; needs numpy.
"""
import itertools
import sys

import numpy as np

from judged import judge


class Scene:
    def __init__(self, rng):
        self.n = n = rng.integers(1, 4)
        self.k = rng.uniform(0.5, 3, n)  # to the anchor
        self.c = rng.uniform(0.2, 3, n - 1)  # to the neighbours
        self.lift = rng.uniform(0.2, 2, n)  # N = 5 lift
        self.N = 5 * self.lift
        self.K = np.diag(self.k)
        for i, c in enumerate(self.c):
            self.K[i : i + 2, i : i + 2] += c * np.array([[1, -1], [-1, 1]])
        while True:
            self.rows = []
            fall = np.zeros(n)
            for i in range(n):
                s = np.concatenate([[0], np.cumsum(rng.uniform(0.1, 1, rng.integers(1, 4)))])
                mu = rng.uniform(0.05, 0.5, len(s))
                self.rows.append((s, mu))
                fall[i] = self.N[i] * max(0, np.max(-np.diff(mu) / np.diff(s)))
            if np.min(np.linalg.eigvalsh(self.K - np.diag(fall))) > 0.1:
                break
        times = np.concatenate([[0], np.cumsum(rng.uniform(0.3, 1, rng.integers(2, 6)))])
        reach = 2 * np.max(self.N * 0.5 / self.k)
        self.times = times
        self.u = np.concatenate([np.zeros((1, n)), rng.uniform(-reach, reach, (len(times) - 1, n))])

    def case(self):
        particles, anchors, energies, friction = [], [], [], {}
        for i in range(self.n):
            friction[f"f{i}"] = {"slip": [list(r) for r in zip(*map(list, self.rows[i]))]}
            particles.append({"id": f"p{i}", "at": [float(i), 0, 0], "friction": f"f{i}"})
            anchors.append({"id": f"a{i}", "at": {"table": [[t, [i + u, 0, -self.lift[i]]] for t, u in zip(self.times, self.u[:, i])]}})
            energies.append({"type": "tether", "particle": f"p{i}", "anchor": f"a{i}", "stiffness": [self.k[i], self.k[i], 5]})
        for i, c in enumerate(self.c):
            energies.append({"type": "bond", "between": [f"p{i}", f"p{i+1}"], "stiffness": [c, c, 0]})
        return {"model": "energetic", "until": self.times[-1], "friction": friction, "particles": particles, "anchors": anchors, "energies": energies}

    def mu(self, i, s):
        w, m = self.rows[i]
        return np.interp(s, w, m)

    def slope(self, i, s):
        w, m = self.rows[i]
        for a in range(len(w) - 1):
            if w[a] - 1e-12 <= s < w[a + 1] - 1e-12:
                return (m[a + 1] - m[a]) / (w[a + 1] - w[a])
        return 0.0

    def exact(self):
        n = self.n
        x, s, lost = np.zeros(n), np.zeros(n), 0.0
        for a in range(len(self.times) - 1):
            t, end = self.times[a], self.times[a + 1]
            rate = (self.u[a + 1] - self.u[a]) / (end - t)
            while t < end - 1e-13:
                u = self.u[a] + rate * (t - self.times[a])
                pull = self.k * u - self.K @ x  # what friction holds
                bound = np.array([self.N[i] * self.mu(i, s[i]) for i in range(n)])
                slopes = np.array([self.N[i] * self.slope(i, s[i]) for i in range(n)])
                at = np.abs(pull) >= bound - 1e-11
                for mode in itertools.product(*[(0, int(np.sign(p))) if b else (0,) for p, b in zip(pull, at)]):
                    free = [i for i in range(n) if mode[i]]
                    v = np.zeros(n)
                    if free:
                        v[free] = np.linalg.solve((self.K + np.diag(slopes))[np.ix_(free, free)], (self.k * rate)[free])
                    force = self.k * rate - self.K @ v
                    good = all(mode[i] * v[i] >= 0 for i in free)
                    good = good and all(np.sign(pull[i]) * force[i] <= 1e-12 for i in range(n) if at[i] and not mode[i])
                    if good:
                        break
                else:
                    raise RuntimeError("no mode")
                dt = end - t
                for i in range(n):
                    if mode[i]:
                        for w in self.rows[i][0]:
                            if w > s[i] + 1e-12 and abs(v[i]) > 0:
                                dt = min(dt, (w - s[i]) / abs(v[i]))
                    else:
                        for sign in (1, -1):
                            if sign * force[i] > 1e-13 and not (at[i] and sign == np.sign(pull[i])):
                                dt = min(dt, max(bound[i] - sign * pull[i], 0) / (sign * force[i]))
                ds = np.abs(v) * dt
                lost += sum(self.N[i] * (self.mu(i, s[i]) + self.mu(i, s[i] + ds[i])) / 2 * ds[i] for i in range(n))
                x, s, t = x + v * dt, s + ds, t + dt
        return x, s, lost


def judged(seed):
    scene = Scene(np.random.default_rng(seed))
    x, s, lost = scene.exact()
    case = scene.case()
    case["expect"] = [{"quantity": "displacement", "particle": f"p{i}", "axis": "x", "value": x[i], "tolerance": 1} for i in range(scene.n)]
    case["expect"] += [{"quantity": "slipped", "particle": f"p{i}", "value": s[i], "tolerance": 1} for i in range(scene.n)]
    case["expect"] += [{"quantity": "dissipation", "value": lost, "tolerance": 1}]
    # of the largest way, and of what is dissipated
    size = [max(np.max(s), 1e-9)] * (2 * scene.n) + [max(lost, 1e-9)]
    return case, lambda values: max(abs(v - w) / z for v, w, z in zip(values, np.concatenate([x, s, [lost]]), size))


scenes = int(sys.argv[2]) if len(sys.argv) > 2 else 100
first = int(sys.argv[3]) if len(sys.argv) > 3 else 0
judge(sys.argv[1], range(first, first + scenes), judged)

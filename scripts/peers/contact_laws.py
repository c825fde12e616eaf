#!/usr/bin/python3
"""Compares answers to small random problems of rolling, cohesive, compliant and mixed contacts with enumeration.

scripts/peers/contact_laws.py DIR write [--count 200] [--seed 1]        (apt-get install python3-scipy)
quasistatic solve --quiet --out DIR/out DIR/*.json
scripts/peers/contact_laws.py DIR check

A reaction r of a contact has a normal part, of at least -t, and discs D: tangents, spin, rolling moments, with
|r_D| <= c_D + mu_D r_N. Written out, the laws say, with s = u + C r + o (C = 0, o = 0 without a spring),

    s_N >= 0,  r_N >= -t,  s_N (r_N + t) = 0;   |r_D| < c_D + mu_D r_N  =>  s_D = 0,   else  s_D = -l r_D,  l >= 0.

A mode says of each contact which of both N is, and of each of its discs whether it sticks or slips. All are tried; the
equations of one, s_D |..| and all, are solved by scipy from several starts, and what meets the inequalities is a solution.
Our answer has to meet the same conditions, and where none was given there must be no solution.
"""
import argparse
import glob
import itertools
import json
import os

import numpy as np
from scipy.optimize import root

VALID = 1e-6  # of the data: our solver is asked for 1e-8, and stops where motions and reactions are good to 1e-6 (verdict.go)


def discs(dim):
    """Components of the discs, in the order of bounds of a law."""
    return {2: [[1]], 3: [[1, 2]], 4: [[1, 2], [3]], 5: [[1, 2], [3, 4]], 6: [[1, 2], [3], [4, 5]]}[dim]


def contact(law, dim):
    """Tension t, (c, mu) of each disc, C and o of a law."""
    c, o = np.zeros(dim), np.zeros(dim)
    if law["type"] == "compliant":
        h, s = law.get("step", 0), law["compliance"]
        for k, x in [(0, s)] + [(k, law.get("tangential", 0)) for k in range(1, dim)]:
            c[k] = x if h == 0 else x / (h * (h + x * law.get("damping", 0)))
        o[0] = law.get("gap", 0) if h == 0 else law.get("gap", 0) / (h + s * law.get("damping", 0))
        law = law["law"]
    mu = law.get("mu", 0)
    bounds = [(law.get("cohesion", 0), mu)]
    if dim in (4, 6):
        bounds.append((0, law.get("spin", 0)))
    if dim in (5, 6):
        bounds.append((0, law.get("resistance", 0)))
    return law.get("tension", 0), bounds, c, o


def random_law(rng, dim, family):
    if dim > 3:
        law = {"type": "rolling", "mu": rng.choice([0, 0.2, 0.6]), "resistance": rng.choice([0, 0.05, 0.3]), "spin": rng.choice([0, 0.05, 0.3])}
        if dim == 4:
            del law["resistance"]
        if dim == 5:
            del law["spin"]
        return law
    if family == "mixed":
        family = rng.choice(["coulomb", "frictionless", "cohesive", "compliant"])
    if family == "frictionless":
        return {"type": "frictionless"}
    if family == "coulomb":
        return {"type": "coulomb", "mu": rng.choice([0.1, 0.3, 0.8])}
    if family == "cohesive":
        mu, c = rng.choice([0, 0.3, 0.7]), rng.choice([0.05, 0.3, 1])
        return {"type": "cohesive", "mu": mu, "cohesion": c, "tension": rng.choice([0, 0.5, 1]) * min(c / mu if mu else 1, 1)}
    inner = random_law(rng, dim, rng.choice(["coulomb", "frictionless", "cohesive"]))
    law = {"type": "compliant", "law": inner, "compliance": rng.choice([0, 0.1, 2]), "gap": rng.choice([0, -0.2, 0.1]), "tangential": rng.choice([0, 0.5])}
    if rng.random() < 0.5:
        law["step"], law["damping"] = 0.1, rng.choice([0, 3])
    return law


def write(folder, count, seed):
    rng = np.random.default_rng(seed)
    for number in range(count):
        family = ["rolling", "cohesive", "compliant", "mixed"][number % 4]
        dim = int(rng.integers(4, 7)) if family == "rolling" else int(rng.integers(2, 4))
        nc = int(rng.integers(1, 3 if dim > 3 else 5))
        n = dim * nc
        velocities = n + 2 if rng.random() < 0.7 else max(dim, n - 2)  # singular W in the others
        h = rng.standard_normal((velocities, n))
        for j in range(nc):  # contacts touch some bodies each, and moments have arms of a third
            h[rng.permutation(velocities)[: velocities // 3], dim * j : dim * (j + 1)] = 0
            h[:, dim * j + 3 : dim * (j + 1)] *= 0.3
        w = h.T @ np.diag(10 ** rng.uniform(-1, 1, velocities)) @ h
        q = h.T @ rng.standard_normal(velocities) * rng.choice([0.3, 1, 3])  # the motion v = 0 is admissible
        laws = [random_law(rng, dim, family) for _ in range(nc)]
        problem = {"format": "quasistatic-contact-problem", "version": 1, "kind": "local", "title": family, "dimension": dim,
                   "W": {"rows": n, "cols": n, "dense": ((w + w.T) / 2).tolist()}, "q": q.tolist(), "laws": laws}
        with open(f"{folder}/laws-{number:04d}.json", "w") as file:
            json.dump(problem, file, default=lambda x: x.item())  # numpy's numbers


class Problem:
    def __init__(self, path):
        p = json.load(open(path))
        self.family, self.dim = p["title"], p["dimension"]
        self.w, self.q = np.array(p["W"]["dense"]), np.array(p["q"])
        self.contacts = [contact(law, self.dim) for law in p["laws"]]
        self.discs = discs(self.dim)
        c = np.concatenate([x[2] for x in self.contacts])
        self.stiff, self.shift = self.w + np.diag(c), self.q + np.concatenate([x[3] for x in self.contacts])
        self.motion = np.linalg.norm(self.shift) + 1e-30
        self.force = max(self.motion / np.trace(self.stiff) * len(self.q), 1e-30)

    def stretch(self, r):
        """u + C r + o."""
        return self.stiff @ r + self.shift

    def fault(self, r):
        """By how much r misses the laws, in units of the data."""
        s, worst = self.stretch(r), 0.0
        for j, (t, bounds, _, _) in enumerate(self.contacts):
            a, b = s[self.dim * j :][: self.dim] / self.motion, r[self.dim * j :][: self.dim]
            size = max(self.force, np.abs(r).max())
            worst = max(worst, -a[0], -(b[0] + t) / size, min(abs(a[0]), abs(b[0] + t) / size))
            for d, (c, mu) in zip(self.discs, bounds):
                slip, drag, most = a[d], b[d] / size, max(c + mu * b[0], 0) / size
                worst = max(worst, np.linalg.norm(drag) - most)
                # sticks, or is opposed by all that there is
                worst = max(worst, min(np.linalg.norm(slip), np.linalg.norm(drag * np.linalg.norm(slip) + most * slip) / max(np.linalg.norm(slip), 1e-30)))
        return worst

    def solutions(self, rng, starts=4):
        found = []
        choices = []
        for t, bounds, _, _ in self.contacts:
            one = []
            for closed in (True, False):
                parts = []
                for c, mu in bounds:
                    least = c - mu * t
                    if mu == 0 and c == 0 or not closed and least <= 1e-12:
                        parts.append(["none"])
                    else:
                        parts.append(["stick", "slip"])
                one += [(closed, *x) for x in itertools.product(*parts)]
            choices.append(one)
        for mode in itertools.product(*choices):
            def equations(r):
                s, f = self.stretch(r), np.empty(len(r))
                for j, (t, bounds, _, _) in enumerate(self.contacts):
                    at = self.dim * j
                    f[at] = s[at] if mode[j][0] else r[at] + t
                    for d, (c, mu), what in zip(self.discs, bounds, mode[j][1:]):
                        k = [at + i for i in d]
                        if what == "stick":
                            f[k] = s[k]
                        elif what == "none":
                            f[k] = r[k]
                        else:
                            f[k] = r[k] * np.linalg.norm(s[k]) + (c + mu * r[at]) * s[k]
                return f

            linear = not any("slip" in m for m in mode)
            for attempt in range(1 if linear else starts):
                if linear:  # of least norm, where W is singular
                    zero = equations(np.zeros(len(self.q)))
                    jac = np.array([equations(e) - zero for e in np.eye(len(self.q))]).T
                    r = np.linalg.lstsq(jac, -zero, rcond=1e-11)[0]
                else:
                    start = self.force * rng.standard_normal(len(self.q)) * 10 ** rng.uniform(-0.5, 0.5)
                    start[:: self.dim] = np.abs(start[:: self.dim])
                    r = root(equations, start, method="hybr", options={"xtol": 1e-12}).x
                if np.all(np.isfinite(r)) and self.fault(r) < VALID:
                    u = self.w @ r + self.q
                    if not any(np.linalg.norm(u - v) < 1e-4 * self.motion for v, _ in found):
                        found.append((u, r))
        return found


def check(folder):
    rng, counts, wrong = np.random.default_rng(5), {}, []
    for path in sorted(glob.glob(f"{folder}/laws-*.json")):
        p, name = Problem(path), os.path.basename(path)
        found, out = p.solutions(rng), f"{folder}/out/{name}.json"
        ours = json.load(open(out)) if os.path.exists(out) else {}
        solved, r = ours.get("status") == "converged", np.array(ours.get("r") or np.zeros(len(p.q)))
        if solved and p.fault(r) > VALID:
            verdict = "ours is wrong"
            wrong.append(f"{name}: misses the laws by {p.fault(r):.1e}")
        elif solved and not found:
            verdict = "ours alone"
        elif solved:
            u = p.w @ r + p.q
            near = min(np.linalg.norm(u - v) for v, _ in found) < 1e-4 * p.motion
            verdict = ("the same, of several" if len(found) > 1 else "the same") if near else "another"
        elif found:
            verdict = "ours misses it"
            wrong.append(f"{name}: {ours.get('status')}, but there is a solution")
        else:
            verdict = "neither"
        row = counts.setdefault(p.family, {})
        row[verdict] = row.get(verdict, 0) + 1
    for family, row in counts.items():
        print(family, sum(row.values()), row)
    print("\n".join(wrong[:20]) or "all agree")
    return 1 if wrong else 0


def main():
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("folder")
    a.add_argument("what", choices=["write", "check"])
    a.add_argument("--count", type=int, default=200)
    a.add_argument("--seed", type=int, default=1)
    o = a.parse_args()
    if o.what == "write":
        os.makedirs(o.folder, exist_ok=True)
        write(o.folder, o.count, o.seed)
        return 0
    return check(o.folder)


if __name__ == "__main__":
    raise SystemExit(main())

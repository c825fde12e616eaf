#!/usr/bin/env python3
"""Independent reference for `block-impact`, `block-braking` and their variations:
P1 block, modified mass, trapezoidal rule, implicit contact and Coulomb friction.

Nothing is shared with the Go code but the model: dense matrices, the Delassus operator of
the bottom nodes by inversion, and per step Gauss-Seidel over the nodes with the exact
solution of each node's problem (open, stick, slip to either side).

  block_dynamics.py                    the tables S1 and S3
  block_dynamics.py PROGRAM N [SEED]   N random variations against `PROGRAM run` (default seed 1)

The second form exits with 1 if a mean velocity, an energy or a force differs by more than
1e-7 of the largest one met (of the energies: of the largest kinetic energy)."""

import json
import os
import random
import subprocess
import sys
import tempfile

import numpy as np


def assemble(p):
    """Stiffness and mass of the block, node i+(nx+1)j, squares split along (n0, n2)."""
    (nx, ny), (width, height) = p["cells"], p["size"]
    points = np.array([[width * i / nx, height * j / ny] for j in range(ny + 1) for i in range(nx + 1)])
    young, nu = p["young"], p["poisson"]
    if p["kinematics"] == "plane stress":
        law = young / (1 - nu**2) * np.array([[1, nu, 0], [nu, 1, 0], [0, 0, (1 - nu) / 2]])
    else:
        law = young / ((1 + nu) * (1 - 2 * nu)) * np.array([[1 - nu, nu, 0], [nu, 1 - nu, 0], [0, 0, 0.5 - nu]])
    n = len(points)
    stiffness, mass = np.zeros((2 * n, 2 * n)), np.zeros((2 * n, 2 * n))
    unit = np.eye(3) / 3 if p["mass"] == "lumped" else (np.ones((3, 3)) + np.eye(3)) / 12
    for j in range(ny):
        for i in range(nx):
            a = i + (nx + 1) * j
            for t in ((a, a + 1, a + nx + 2), (a, a + nx + 2, a + nx + 1)):
                barycentric = np.c_[np.ones(3), points[list(t)]]
                area, g = np.linalg.det(barycentric) / 2, np.linalg.inv(barycentric)[1:]
                strain = np.zeros((3, 6))
                strain[0, 0::2], strain[1, 1::2] = g[0], g[1]
                strain[2, 0::2], strain[2, 1::2] = g[1], g[0]
                dofs = [2 * k + d for k in t for d in (0, 1)]
                stiffness[np.ix_(dofs, dofs)] += area * strain.T @ law @ strain
                mass[np.ix_(dofs, dofs)] += np.kron(p["density"] * area * unit, np.eye(2))
    return stiffness, mass


def node(gap, slip, a, b, c, d, mu):
    """Reaction of one node: gap + a·rn + b·rt >= 0, slip + c·rn + d·rt against rt."""
    if gap >= 0:
        return 0.0, 0.0
    rn, rt = (b * slip - d * gap) / (a * d - b * c), (c * gap - a * slip) / (a * d - b * c)
    if rn >= 0 and abs(rt) <= mu * rn:
        return rn, rt
    for sign in (1, -1):
        if a - b * mu * sign > 0:
            rn = -gap / (a - b * mu * sign)
            if (slip + (c - d * mu * sign) * rn) * sign >= 0:
                return rn, -mu * sign * rn
    raise ArithmeticError("a node has no solution")


def contact(w, q, mu, g0, r, sweeps=200000):
    """Gauss-Seidel from r on the bottom nodes; interleaved normal, tangential."""
    for _ in range(sweeps):
        change = 0.0
        for i in range(0, len(q), 2):
            j = i + 1
            a, b, c, d = w[i, i], w[i, j], w[j, i], w[j, j]
            gap = g0 + q[i] + w[i] @ r - a * r[i] - b * r[j]
            slip = q[j] + w[j] @ r - c * r[i] - d * r[j]
            new = node(gap, slip, a, b, c, d, mu)
            change = max(change, abs(new[0] - r[i]), abs(new[1] - r[j]))
            r[i], r[j] = new
        if change <= 1e-14 * np.abs(r).max():
            return r
    raise ArithmeticError(f"Gauss-Seidel stopped at a change of {change}")


def run(p):
    """Rows of mean vx, kinetic and elastic energy, normal and friction force, by step."""
    stiffness, mass = assemble(p)
    bottom, n = np.arange(p["cells"][0] + 1), len(mass) // 2
    normal, tangential = 2 * bottom + 1, 2 * bottom
    load = mass @ np.tile(p["body_force"], n) / p["density"]
    x = np.zeros(2 * n)
    x[0::2] = 1
    total = x @ mass @ x
    mass[normal, :] = 0
    mass[:, normal] = 0
    kept = np.setdiff1d(np.arange(2 * n), normal)
    u, v, a = np.zeros(2 * n), np.tile(p["velocity"], n).astype(float), np.zeros(2 * n)
    v[normal] = 0
    force = np.zeros(2 * n)
    if p["g0"] == 0:  # resting: the load presses every node, u_c = q(u_*) = 0
        assert (load[normal] <= 0).all()
        force[normal] = -load[normal]
        force[tangential] = p["mu"] * load[normal] * np.sign(v[tangential])
    else:  # free
        u[normal] = np.linalg.solve(stiffness[np.ix_(normal, normal)], load[normal])
        assert (u[normal] >= -p["g0"]).all()
    a[kept] = np.linalg.solve(mass[np.ix_(kept, kept)], (load - stiffness @ u + force)[kept])
    dt = p["step"]
    compliance = np.linalg.inv(stiffness + 4 / dt**2 * mass)
    dofs = np.ravel(np.column_stack((normal, tangential)))
    w = compliance[np.ix_(dofs, dofs)]
    r, rows = np.zeros(len(dofs)), []
    for _ in range(p["steps"]):
        free = compliance @ (mass @ (4 / dt**2 * (u + dt * v) + a) + load)
        q = np.empty(len(dofs))
        q[0::2] = free[normal]
        q[1::2] = (free - u - dt / 2 * v)[tangential]  # Δt/2 times the velocity
        r = contact(w, q, p["mu"], p["g0"], r.copy())
        new = free + compliance[:, dofs] @ r
        u, v, a = new, 2 / dt * (new - u) - v, 4 / dt**2 * (new - u - dt * v) - a
        v[normal] = a[normal] = 0
        rows.append((x @ mass @ v / total, v @ mass @ v / 2, u @ stiffness @ u / 2, r[0::2].sum(), r[1::2].sum()))
    return np.array(rows)


S1 = {"cells": (16, 4), "size": (1, 0.25), "young": 1000, "poisson": 0.3, "density": 1, "kinematics": "plane strain",
      "mass": "consistent", "body_force": (0, 0), "step": 5e-4, "mu": 0.3, "g0": 0.0103, "velocity": (3, -1), "steps": 100}
S3 = dict(S1, body_force=(0, -40), mu=0.4, g0=0, velocity=(1, 0), steps=200)


def variation(rng):
    p = {"cells": (rng.randint(2, 20), rng.randint(1, 5)), "size": (rng.choice((1, 0.5, 2)), rng.choice((0.25, 0.4))),
         "young": rng.choice((1000, 200, 5000)), "poisson": rng.choice((0, 0.2, 0.3, 0.45, 0.49)), "density": rng.choice((1, 0.5, 3)),
         "kinematics": rng.choice(("plane strain", "plane stress")), "mass": rng.choice(("consistent", "lumped")),
         "body_force": (rng.choice((0, 5, -3)), 0), "step": rng.choice((1e-3, 5e-4, 2e-4)), "mu": rng.choice((0, 0.1, 0.3, 0.6, 1)),
         "g0": 0.0103 + 1e-5 * rng.random(), "velocity": (rng.choice((3, -2, 0.5, 0)), rng.choice((-1, -0.4, -2))), "steps": 120}
    if rng.random() < 0.5:
        p.update(g0=0, body_force=(p["body_force"][0], rng.choice((-40, -10, -100)) * p["density"]), velocity=(rng.choice((1, -1, 0.3)), 0))
    return p


QUANTITIES = ({"quantity": "mean_velocity", "axis": "x"}, {"quantity": "kinetic_energy"}, {"quantity": "elastic_energy"},
              {"quantity": "normal_force"}, {"quantity": "friction_force"})


def ours(program, p, at, folder):
    case = {k: p[k] for k in ("young", "poisson", "density", "kinematics", "mass", "body_force", "velocity", "step")}
    case.update(name="variation", model="elastodynamic", until=p["step"] * p["steps"],
                mesh={"block": {"size": p["size"], "cells": p["cells"]}}, friction={"rough": {"mu": p["mu"]}},
                obstacles={"floor": {"point": [0, -p["g0"]], "normal": [0, 1]}},
                contact=[{"group": "bottom", "obstacle": "floor", "friction": "rough"}],
                expect=[dict(q, time=p["step"] * k, value=0, tolerance=1e99) for k in at for q in QUANTITIES])
    file = os.path.join(folder, "variation.json")
    with open(file, "w") as f:
        json.dump(case, f)
    subprocess.run([program, "run", file, "--out", folder, "--quiet"], check=True)
    with open(os.path.join(folder, "summary.json")) as f:
        return np.array([e["value"] for e in json.load(f)["expectations"]]).reshape(len(at), -1)


def compare(program, count, seed):
    rng, worst, refused = random.Random(seed), 0.0, 0
    for k in range(count):
        p = variation(rng)
        at = (p["steps"] // 6, p["steps"] // 2, p["steps"])
        with tempfile.TemporaryDirectory() as folder:
            mine = ours(program, p, at, folder)
        try:
            rows = run(p)
        except ArithmeticError:
            refused += 1  # of this script
            continue
        largest = np.abs(rows).max(axis=0)
        scale = np.array([largest[0], largest[1], largest[1], largest[3], max(largest[3:])])
        off = (np.abs(mine - rows[[i - 1 for i in at]]) / np.where(scale > 1e-9 * max(scale), scale, 1)).max()
        worst = max(worst, off)
        if off > 1e-7:
            print(f"variation {k}: off by {off:.1e}: {p}")
    print(f"{count - refused} variations, {refused} not solved by this script; largest difference {worst:.1e}")
    return worst <= 1e-7


if __name__ == "__main__":
    if len(sys.argv) > 2:
        sys.exit(0 if compare(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 1) else 1)
    for name, case, steps in (("S1", S1, (25, 40, 100)), ("S3", S3, (10, 100))):
        for k, row in zip(steps, run(case)[[k - 1 for k in steps]]):
            print(name, f"t={k * case['step']:g}", *(f"{value:.10g}" for value in row))

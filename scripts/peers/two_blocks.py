#!/usr/bin/python3
"""Two elastic blocks with meshes that do not match, pressed and dragged, by GetFEM and by this program: two_blocks.py N QUASISTATIC PRESSDRAG.

Both 1 long and .25 high, E=1000, nu=.3, mu=.3, plane strain, P1 on Kuhn's division; N by N/4 cells above, 1.25 N by 5/16 N below, N a
multiple of 16. The lower face is held, the upper one prescribed: five press steps of u_v=-.001, then twenty drag steps of u_x=.0005.
GetFEM (Debian: python3-getfem, run with /usr/bin/python3): integral contact between meshes that do not match, a P1 multiplier on the upper
block's face, Alart and Curnier's augmented Lagrangian, Newton's method, MUMPS. Ours: dual multipliers on the same face.
QUASISTATIC and PRESSDRAG are programs (go build ./cmd/quasistatic ./benchmarks/pressdrag), run on the case that is written here. Prints N
and the friction force T of both, and times of the processor: of GetFEM the calls of solve; of ours the steps alone, as PRESSDRAG makes
them, and the whole run of QUASISTATIC, which makes the evolution again in parts of the steps to certify it.
"""
import csv
import json
import os
import resource
import subprocess
import sys
import tempfile
import time

import getfem as gf
import numpy as np

E, NU, MU, PRESS, DRAG = 1000.0, 0.3, 0.3, 5, 20


def top(step):
    """Displacement of the upper face after a step."""
    return 0.0005 * max(0, step - PRESS), -0.001 * min(step, PRESS)


def block(cells, low):
    """GetFEM's mesh of a block with its lowest corner at (0, low), P1 on Kuhn's division: regions 1 below, 2 above."""
    nx, ny = cells
    x, y = np.meshgrid(np.arange(nx), np.arange(ny))
    corner = np.stack([x.ravel(), y.ravel()])
    parts = [np.stack([corner, corner + np.array([[1], [1]]), corner + np.array([[a], [1 - a]])], axis=1) for a in (0, 1)]
    points = np.concatenate(parts, axis=2) * np.array([1 / nx, 0.25 / ny])[:, None, None] + np.array([0, low])[:, None, None]
    mesh = gf.Mesh("empty", 2)
    mesh.add_convex(gf.GeoTrans("GT_PK(2,1)"), points)
    mesh.set_region(1, mesh.outer_faces_with_direction([0, -1], 0.01))
    mesh.set_region(2, mesh.outer_faces_with_direction([0, 1], 0.01))
    return mesh


def getfem(n):
    """Resultants after each step, degrees of freedom, Newton steps, and seconds of the processor in solve."""
    gf.util_trace_level(0)
    md = gf.Model("real")
    md.add_initialized_data("lame", [E * NU / (1 + NU) / (1 - 2 * NU)])
    md.add_initialized_data("shear", [E / 2 / (1 + NU)])
    dofs, kept, held = 0, [], {"low": (1, "zero"), "high": (2, "top")}
    for name, mesh in (("low", block((5 * n // 4, 5 * n // 16), -0.25)), ("high", block((n, n // 4), 0))):
        mf = gf.MeshFem(mesh, 2)
        mf.set_fem(gf.Fem("FEM_PK(2,1)"))
        mim = gf.MeshIm(mesh, gf.Integ("IM_STRUCTURED_COMPOSITE(IM_TRIANGLE(4),1)"))
        md.add_fem_variable(name, mf)
        md.add_isotropic_linearized_elasticity_brick(mim, name, "lame", "shear")
        md.add_initialized_data(held[name][1], [0.0, 0.0])
        md.add_Dirichlet_condition_with_simplification(name, held[name][0], held[name][1])
        dofs += mf.nbdof()
        kept.append((mesh, mf, mim))  # the model does not keep them
        if name == "high":
            md.add_filtered_fem_variable("stress", mf, 1)
            upper = mim
    for name, value in (("r", [E]), ("mu", [MU]), ("alpha", [1.0])):
        md.add_initialized_data(name, value)
    md.add_initialized_data("lowBefore", md.variable("low"))
    md.add_initialized_data("highBefore", md.variable("high"))
    md.add_integral_contact_between_nonmatching_meshes_brick(
        upper, "high", "low", "stress", "r", "mu", 1, 2, 1, "alpha", "highBefore", "lowBefore")
    rows, newton, seconds = [], 0, 0.0
    for step in range(1, PRESS + DRAG + 1):
        md.set_variable("top", top(step))
        start = time.process_time()
        newton += md.solve("max_res", 1e-9, "max_iter", 100)[0]
        seconds += time.process_time() - start
        md.set_variable("lowBefore", md.variable("low"))
        md.set_variable("highBefore", md.variable("high"))
        rows.append([abs(gf.asm("generic", upper, 0, f"stress({c})", 1, md)) for c in (2, 1)])
    return np.array(rows), dofs, newton, seconds


def case(n):
    """The same as a case of this program."""
    mesh = lambda cells, low: {"block": {"corner": [0, low], "size": [1, 0.25], "cells": cells}, "accuracy": "given"}
    last = PRESS + DRAG
    fixed = [{"group": "bottom", "axis": a, "motion": 0} for a in "xy"]
    moved = [{"group": "top", "axis": a, "motion": {"table": [[t, top(t)[k]] for t in (0, PRESS, last)]}} for k, a in enumerate("xy")]
    return {"name": "two-blocks-pressed", "model": "energetic", "until": last, "steps": last, "accuracy": 1, "friction": {"dry": {"mu": MU}}, "energies": [
        {"type": "body", "id": "low", "young": E, "poisson": NU, "mesh": mesh([5 * n // 4, 5 * n // 16], -0.25), "prescribed": fixed},
        {"type": "body", "id": "high", "young": E, "poisson": NU, "mesh": mesh([n, n // 4], 0), "prescribed": moved,
         "contact": [{"group": "bottom", "body": "low", "side": "top", "friction": "dry"}]}]}


def ours(n, program, stepper):
    """Resultants after each step, the seconds of the processor of the whole run and of the steps, and what the run says."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "case.json")
        with open(path, "w") as f:
            json.dump(case(n), f)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        run = subprocess.run([program, "run", path, "--no-picture", "--out", os.path.join(folder, "out")], capture_output=True, text=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        steps = subprocess.run([stepper, "-case", path], capture_output=True, text=True, check=True).stdout
        alone = float(steps.split("steps: processors ")[1].split()[0])
        with open(os.path.join(folder, "out", "forces.csv")) as f:
            names, *lines = csv.reader(f)
        table = np.array(lines, float)[1:]
        rows = np.stack([abs(table[:, [k for k, name in enumerate(names) if name.endswith(end)]].sum(axis=1)) for end in (".n", ".tx")], axis=1)
        return rows, after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime, alone, run.stdout


def main():
    n = int(sys.argv[1])
    mine, seconds, alone, said = ours(n, *sys.argv[2:4])
    theirs, dofs, newton, solve = getfem(n)
    for step in (PRESS, PRESS + DRAG // 4, PRESS + DRAG):
        print(f"step {step:2d}  N={mine[step - 1, 0]:.7g} {theirs[step - 1, 0]:.7g}  T={mine[step - 1, 1]:.7g} {theirs[step - 1, 1]:.7g}")
    print("largest differences in all steps, over the largest of each: N %.2g, T %.2g"
          % tuple(abs(mine - theirs).max(axis=0) / theirs.max(axis=0)))
    print(f"{dofs} dofs; GetFEM {newton} Newton steps, {solve:.2f} s; ours {alone:.3f} s, {solve / alone:.1f} times faster;"
          f" certified {seconds:.2f} s, {solve / seconds:.1f} times")
    print(said)


main()

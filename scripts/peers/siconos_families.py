#!/usr/bin/python3
"""Times Siconos on problem files, ours in turns with it:

  siconos_families.py DIR [--limit 6] [--ours PROGRAM] > results.json

DIR holds what `benchmarks/families -write DIR` wrote, or other local frictional problems (*.dat); PROGRAM is the built
`benchmarks/families`. Needs Debian's siconos and python3-siconos (run with /usr/bin/python3). A solver has a process of
its own, killed after the limit; a solve counts if the solver says that it converged; no residual is computed
here. The least of nine solves counts, of fewer where they take more than .3 s together: as in PROGRAM.
"""
import argparse
import glob
import json
import multiprocessing
import os
import subprocess
import sys
import tempfile
import time

import numpy as np
import siconos.numerics as sn

SOLVERS = {
    3: {"NSGS": (sn.SICONOS_FRICTION_3D_NSGS, 100000), "NSN_AC": (sn.SICONOS_FRICTION_3D_NSN_AC, 1000),
        "ADMM": (sn.SICONOS_FRICTION_3D_ADMM, 100000)},
    2: {"NSGS": (sn.SICONOS_FRICTION_2D_NSGS, 100000), "LEMKE": (sn.SICONOS_FRICTION_2D_LEMKE, 100000)},
}


TRIALS, ENOUGH = 9, 0.3


def solve(path, solver, iterations, out):
    sn.numerics_set_verbose(0)
    problem = sn.frictionContact_new_from_filename(path)
    n = problem.numberOfContacts * problem.dimension
    options = sn.SolverOptions(solver)
    options.dparam[sn.SICONOS_DPARAM_TOL] = 1e-8
    options.iparam[sn.SICONOS_IPARAM_MAX_ITER] = iterations
    drive = sn.fc3d_driver if problem.dimension == 3 else sn.fc2d_driver
    best, begin = (float("inf"), 0.0), time.perf_counter()
    for trial in range(TRIALS):
        if trial and time.perf_counter() - begin > ENOUGH:
            break
        r, u = np.zeros(n), np.zeros(n)
        start, cpu = time.perf_counter(), time.process_time()
        info = drive(problem, r, u, options)
        best = min(best, (time.perf_counter() - start, time.process_time() - cpu))
        out.put((info, *best))  # each, so that a kill loses no solve that was made
    out.put(None)


def peer(path, name, solver, iterations, limit):
    """The least time of a solver of the peer: info, wall and processor time [s]."""
    out = multiprocessing.Queue()
    p = multiprocessing.Process(target=solve, args=(path, solver, iterations, out))
    p.start()
    answer = (1, limit, limit)
    try:
        while (last := out.get(timeout=limit)) is not None:
            answer = last
    except Exception:  # killed by the limit or crashed
        pass
    p.kill()
    p.join()
    return {"Problem": os.path.basename(path)[:-4], "Solver": name, "Solved": answer[0] == 0, "Seconds": answer[1], "CPU": answer[2]}


def ours(program, path, limit):
    """What PROGRAM says of a file."""
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        done = subprocess.run([program, "-files", path, "-limit", f"{limit}s", "-json", file.name], stdout=subprocess.PIPE, text=True, check=True)
        print(done.stdout, end="", file=sys.stderr)
        return json.load(file)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("folder")
    ap.add_argument("--limit", type=float, default=6)
    ap.add_argument("--ours")
    args = ap.parse_args()
    results = []
    for path in sorted(glob.glob(os.path.join(args.folder, "*.dat"))):
        if args.ours:
            results += ours(args.ours, path, args.limit)
        dimension = sn.frictionContact_new_from_filename(path).dimension
        results += [peer(path, name, *how, args.limit) for name, how in SOLVERS[dimension].items()]
    json.dump(results, sys.stdout, indent=1)


if __name__ == "__main__":
    main()

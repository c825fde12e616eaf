#!/usr/bin/python3
"""Times Siconos on the files of `benchmarks/families -write DIR`: siconos_families.py DIR [--limit 6] > peer.json

Needs Debian's siconos and python3-siconos (run with /usr/bin/python3). A solver has a process of its own,
killed after the limit; a solve counts if the solver says that it converged; no residual is computed here.
"""
import argparse
import glob
import json
import multiprocessing
import os
import sys
import time

import numpy as np
import siconos.numerics as sn

SOLVERS = {
    3: {"NSGS": (sn.SICONOS_FRICTION_3D_NSGS, 100000), "NSN_AC": (sn.SICONOS_FRICTION_3D_NSN_AC, 1000),
        "ADMM": (sn.SICONOS_FRICTION_3D_ADMM, 100000)},
    2: {"NSGS": (sn.SICONOS_FRICTION_2D_NSGS, 100000), "LEMKE": (sn.SICONOS_FRICTION_2D_LEMKE, 100000)},
}


def solve(path, solver, iterations, out):
    sn.numerics_set_verbose(0)
    problem = sn.frictionContact_new_from_filename(path)
    n = problem.numberOfContacts * problem.dimension
    options = sn.SolverOptions(solver)
    options.dparam[sn.SICONOS_DPARAM_TOL] = 1e-8
    options.iparam[sn.SICONOS_IPARAM_MAX_ITER] = iterations
    r, u = np.zeros(n), np.zeros(n)
    drive = sn.fc3d_driver if problem.dimension == 3 else sn.fc2d_driver
    start, cpu = time.perf_counter(), time.process_time()
    info = drive(problem, r, u, options)
    out.put((info, time.perf_counter() - start, time.process_time() - cpu))


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("folder")
    ap.add_argument("--limit", type=float, default=6)
    args = ap.parse_args()
    results = []
    for path in sorted(glob.glob(os.path.join(args.folder, "*.dat"))):
        with open(path) as file:
            dimension = int(file.readline())
        for name, (solver, iterations) in SOLVERS[dimension].items():
            out = multiprocessing.Queue()
            p = multiprocessing.Process(target=solve, args=(path, solver, iterations, out))
            p.start()
            try:
                info, seconds, cpu = out.get(timeout=args.limit)
            except Exception:  # killed by the limit or crashed
                info, seconds, cpu = 1, args.limit, args.limit
            p.kill()
            p.join()
            results.append({"Problem": os.path.basename(path)[:-4], "Solver": name, "Solved": info == 0, "Seconds": seconds, "CPU": cpu})
    json.dump(results, sys.stdout, indent=1)


if __name__ == "__main__":
    main()

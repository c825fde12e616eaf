#!/usr/bin/python3
"""Compares the objectives of our convex solver with those of cvxopt.

QUASISTATIC_CONVEX_OUT=/tmp/convex.json go test -run ConvexNeverStalls ./contact
scripts/peers/convex_cvxopt.py /tmp/convex.json        (apt-get install python3-cvxopt)

min 1/2 v'Mv - f'v + sum_j s_j |u_T^j|,  u_N >= 0,  u = H'v + w, as a second-order cone
programme in v and the bounds t of the norms. Objectives are evaluated with 50 digits at
both points; ours has to be feasible to rounding.
"""
import json
import sys

import numpy as np
from cvxopt import matrix, solvers
from fractions import Fraction


def exact(problem, v):
    """The objective and the worst gap at v, in rational arithmetic but for the norms."""
    n = len(v)
    x = [Fraction(float(a)) for a in v]
    value = Fraction(0)
    for i in range(n):
        row = sum((Fraction(a) * b for a, b in zip(problem["m"][i], x)), Fraction(0))
        value += x[i] * (row / 2 - Fraction(problem["f"][i]))
    worst = Fraction(0)
    for j, s in enumerate(problem["s"]):
        u = [sum((Fraction(a) * b for a, b in zip(problem["h"][3 * j + k], x)), Fraction(problem["w"][3 * j + k])) for k in range(3)]
        worst = min(worst, u[0])
        value += Fraction(s) * Fraction(float(u[1] ** 2 + u[2] ** 2) ** 0.5)
    return value, float(worst)


def peer(problem):
    m, f, h, w = (np.array(problem[k]) for k in "mfhw")
    n, nc = len(f), len(problem["s"])
    p = np.zeros((n + nc, n + nc))
    p[:n, :n] = m
    q = np.concatenate([-f, problem["s"]])
    rows, rhs = [], []
    for j in range(nc):
        rows.append(np.concatenate([-h[3 * j], np.zeros(nc)]))
        rhs.append(w[3 * j])
    for j in range(nc):
        bound = np.zeros(n + nc)
        bound[n + j] = -1
        rows.append(bound)
        rhs.append(0.0)
        for k in (1, 2):
            rows.append(np.concatenate([-h[3 * j + k], np.zeros(nc)]))
            rhs.append(w[3 * j + k])
    answer = solvers.coneqp(matrix(p), matrix(q), matrix(np.array(rows)), matrix(np.array(rhs)), {"l": nc, "q": [3] * nc, "s": []},
                            options={"show_progress": False, "abstol": 1e-14, "reltol": 1e-14, "feastol": 1e-14, "maxiters": 200})
    return np.array(answer["x"]).ravel()[:n], answer["status"]


def main():
    worst, above, unsolved = -1e300, 0, 0
    problems = json.load(open(sys.argv[1]))
    for number, problem in enumerate(problems):
        try:
            v, status = peer(problem)
        except (ArithmeticError, ValueError) as error:
            unsolved += 1
            continue
        unsolved += status != "optimal"
        ours, gap = exact(problem, problem["v"])
        theirs, other = exact(problem, v)
        if other < -1e-9 * (1 + np.abs(v).max()):
            continue  # the peer's point is outside: its objective says nothing
        size = abs(float(ours)) + abs(float(theirs)) + 1e-300
        excess = float(ours - theirs) / size
        worst = max(worst, excess)
        if excess > 1e-12:
            above += 1
            print(f"{number} {problem['name']}: ours {float(ours):.15g}, cvxopt {float(theirs):.15g} ({status}), excess {excess:.1e}; gaps {gap:.1e} {other:.1e}")
    print(f"{len(problems)} problems, cvxopt not optimal on {unsolved}; ours above by more than 1e-12 of the objective on {above}, largest excess {worst:.1e}")


if __name__ == "__main__":
    main()

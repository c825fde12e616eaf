#!/usr/bin/python3
"""Factorises the stiffness of the pressed block with CHOLMOD: cholmod.py NX NY [NZ].

Needs Debian's python3-cvxopt. The same mesh as benchmarks/pressdrag (Kuhn's
simplices, E=1000, nu=.3, top prescribed) is assembled here from the element
formula, and factorised by CHOLMOD with its default ordering (AMD; METIS if it is
built in). Compare with: go run ./benchmarks/cholesky NX NY [NZ].
"""
import itertools
import sys
import time

import numpy as np
from cvxopt import cholmod, matrix, spmatrix

E, NU = 1000.0, 0.3


def mesh(cells):
    dim = len(cells)
    axes = [np.linspace(0, 1 if c == 0 else 0.25, n + 1) for c, n in enumerate(cells)]
    stride = np.cumprod([1] + [n + 1 for n in cells[:-1]])
    x = np.array(list(itertools.product(*axes[::-1])))[:, ::-1]
    corners = np.array([np.dot(c[::-1], stride) for c in itertools.product(*[range(n) for n in cells[::-1]])])
    elems = []
    for order in itertools.permutations(range(dim)):
        node = corners.copy()
        walk = [node]
        for axis in order:
            node = node + stride[axis]
            walk.append(node)
        elems.append(np.stack(walk, 1))
    return x, np.concatenate(elems)


def stiffness(x, elems):
    dim = x.shape[1]
    edges = x[elems[:, 1:]] - x[elems[:, :1]]
    inverse = np.linalg.inv(edges)
    volume = np.abs(np.linalg.det(edges)) / (2 if dim == 2 else 6)
    grad = np.concatenate([-inverse.sum(2, keepdims=True), inverse], 2).transpose(0, 2, 1)
    mu = E / 2 / (1 + NU)
    lam = 2 * mu * NU / (1 - 2 * NU)
    dot = np.einsum("eac,ebc->eab", grad, grad)
    k = (lam * np.einsum("ear,ebc->earbc", grad, grad) + mu * np.einsum("eac,ebr->earbc", grad, grad)
         + mu * np.einsum("eab,rc->earbc", dot, np.eye(dim))) * volume[:, None, None, None, None]
    dof = (elems[:, :, None] * dim + np.arange(dim)).reshape(len(elems), -1)
    n = dof.shape[1]
    return np.repeat(dof, n, 1).ravel(), np.tile(dof, (1, n)).ravel(), k.reshape(-1)


def main():
    cells = [int(a) for a in sys.argv[1:]]
    x, elems = mesh(cells)
    rows, cols, values = stiffness(x, elems)
    dim = len(cells)
    free = np.repeat(x[:, -1] < 0.25 - 1e-12, dim)
    number = np.cumsum(free) - 1
    keep = free[rows] & free[cols] & (rows >= cols)
    n = int(free.sum())
    a = spmatrix(matrix(values[keep]), matrix(number[rows[keep]]), matrix(number[cols[keep]]), (n, n))
    cholmod.options["supernodal"] = 2
    start = time.perf_counter()
    symbolic = cholmod.symbolic(a)
    analysed = time.perf_counter()
    best = min(timed(a, symbolic) for _ in range(3))
    print(f"{n} dofs, CHOLMOD: analyse {analysed - start:.3f} s, factorise {best:.3f} s")
    # Entries of L of the simplicial factor with the same ordering.
    cholmod.options["supernodal"] = 0
    symbolic = cholmod.symbolic(a)
    cholmod.numeric(a, symbolic)
    print(f"entries of L: {len(cholmod.getfactor(symbolic))}")


def timed(a, symbolic):
    start = time.perf_counter()
    cholmod.numeric(a, symbolic)
    return time.perf_counter() - start


if __name__ == "__main__":
    main()

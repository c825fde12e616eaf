#!/usr/bin/python3
"""The block of press-and-drag by an independent program: press_drag.py NX NY [NZ].

[0,1]x[0,.25](x[0,.25]), E=1000, nu=.3, mu=.3, P1 on Kuhn's division of the cells, top fully prescribed: five press
steps of u_v=-.001, then twenty drag steps of u_x=.0005. Needs numpy alone.

Nothing is shared with the Go program but the mesh and the equations: B-matrix assembly; block tridiagonal Cholesky over
the slabs of equal x; the contact problem in the reactions r through the dense W = H'K^-1 H, by Newton's method on the
natural map r = P_K(r - rho (u - mu|u_T| n)) of de Saxce's cone problem (there: active sets in the displacements with
Alart and Curnier's split projection). Each step is judged by the four conditions of Signorini and Coulomb themselves.
Prints N, the friction force, and the numbers of sticking, sliding and open nodes of each step.
"""
import itertools
import math
import sys

import numpy as np

E, NU, MU = 1000.0, 0.3, 0.3


def simplices(cells):
    """Kuhn's division: for each cell and each order of the axes a path of corners."""
    strides = np.cumprod([1] + [n + 1 for n in cells[:-1]])
    corners = sum(s * i for s, i in zip(strides, np.meshgrid(*[np.arange(n) for n in cells], indexing="ij"))).ravel()
    for axes in itertools.permutations(range(len(cells))):
        path = np.concatenate([[0], np.cumsum(strides[list(axes)])])
        yield corners[:, None] + path[None, :]


def element_matrices(x, tri, dim):
    """Stiffness |T| B'DB of every element (all of them; orientation does not matter)."""
    edges = x[tri[:, 1:]] - x[tri[:, :1]]
    inverse = np.linalg.inv(edges)
    grads = np.concatenate([-inverse.sum(axis=2, keepdims=True), inverse], axis=2)  # [element, axis, node]
    volume = abs(np.linalg.det(edges)) / math.factorial(dim)
    lam, mu = E * NU / (1 + NU) / (1 - 2 * NU), E / 2 / (1 + NU)
    pairs = [(c, c) for c in range(dim)] + list(itertools.combinations(range(dim), 2))
    d = np.diag([2 * mu] * dim + [mu] * (len(pairs) - dim))
    d[:dim, :dim] += lam
    b = np.zeros((len(tri), len(pairs), dim * (dim + 1)))
    for row, (p, q) in enumerate(pairs):
        for a in range(dim + 1):
            b[:, row, dim * a + p] += grads[:, q, a]
            if p != q:
                b[:, row, dim * a + q] += grads[:, p, a]
    return volume[:, None, None] * (b.transpose(0, 2, 1) @ d @ b)


class Block:
    """Stiffness of the free nodes in slabs of equal x, and what contact needs of its inverse."""

    def __init__(self, cells):
        self.dim = dim = len(cells)
        shape = [n + 1 for n in cells]
        nodes = np.indices(shape).reshape(dim, -1).T  # x slowest
        order = {tuple(v): k for k, v in enumerate(nodes)}
        number = np.empty(len(nodes), int)  # node i+(nx+1)(j+...) -> place here
        number[nodes @ np.cumprod([1] + shape[:-1])] = [order[tuple(v)] for v in nodes]
        x = nodes * ([1 / cells[0]] + [0.25 / n for n in cells[1:]])
        slab = np.prod(shape[1:])  # nodes of a slab
        top = nodes[:slab, -1] == cells[-1]
        bottom = np.flatnonzero(nodes[:slab, -1] == 0)
        free = np.flatnonzero(~np.repeat(top, dim))
        m, n = len(free), shape[0]
        full = dim * slab
        diagonal, lower = np.zeros((n, full, full)), np.zeros((n, full, full))  # lower[i]: rows of slab i+1, columns of slab i
        for tri in simplices(cells):
            tri = number[tri]
            ke = element_matrices(x, tri, dim)
            at, inside = np.repeat(tri // slab, dim, axis=1), dim * np.repeat(tri % slab, dim, axis=1) + np.tile(np.arange(dim), dim + 1)
            i, j = np.broadcast_arrays(at[:, :, None], at[:, None, :])
            r, c = np.broadcast_arrays(inside[:, :, None], inside[:, None, :])
            np.add.at(diagonal, (i[i == j], r[i == j], c[i == j]), ke[i == j])
            np.add.at(lower, (j[i == j + 1], r[i == j + 1], c[i == j + 1]), ke[i == j + 1])
        # The top moves as one: its columns count by their sums over the nodes.
        held = np.repeat(top, dim)
        axis = np.tile(np.arange(dim), slab)
        load = np.zeros((n, m, dim))
        for d in range(dim):
            columns = held & (axis == d)
            load[:, :, d] = -diagonal[:, :, columns].sum(axis=2)[:, free]
            load[1:, :, d] -= lower[:-1][:, :, columns].sum(axis=2)[:, free]
            load[:-1, :, d] -= lower[:-1][:, columns, :].sum(axis=1)[:, free]
        self.diagonal = diagonal[:, free][:, :, free]
        self.lower = lower[:, free][:, :, free]
        self.factor(n, m)
        self.contacts = n * len(bottom)
        where = np.searchsorted(free, (dim * bottom[:, None] + np.arange(dim)).ravel())
        self.w, self.reach = self.condense(n, m, where, load)

    def factor(self, n, m):
        for i in range(n):
            if i:
                self.lower[i - 1] = np.linalg.solve(self.chol[i - 1], self.lower[i - 1].T).T
                self.diagonal[i] -= self.lower[i - 1] @ self.lower[i - 1].T
            self.chol = getattr(self, "chol", [])
            self.chol.append(np.linalg.cholesky(self.diagonal[i]))

    def condense(self, n, m, where, load):
        """W and the free displacements of the contacts per motion of the top, through y = L^-1 [H, load]."""
        k = len(where)
        rhs = np.zeros((n, m, n * k + self.dim))
        for i in range(n):
            rhs[i, where, i * k + np.arange(k)] = 1
            rhs[i, :, n * k:] = load[i]
        for i in range(n):
            if i:
                rhs[i] -= self.lower[i - 1] @ rhs[i - 1]
            rhs[i] = np.linalg.solve(self.chol[i], rhs[i])
        y = rhs.reshape(n * m, -1)
        return y[:, : n * k].T @ y[:, : n * k], y[:, : n * k].T @ y[:, n * k:]


def project(p, dim):
    """Projection of [contact, tangents..., normal] onto Coulomb's cone, with its Jacobian."""
    t, s = p[:, :-1], p[:, -1]
    length = np.linalg.norm(t, axis=1)
    inside, polar = length <= MU * s, MU * length <= -s
    safe = np.where(length > 0, length, 1)
    e = t / safe[:, None]
    a = (MU * length + s) / (1 + MU * MU)  # normal part on the surface
    q = np.concatenate([MU * a[:, None] * e, a[:, None]], axis=1)
    jac = np.zeros((len(p), dim, dim))
    g = np.concatenate([MU * e, np.ones((len(p), 1))], axis=1)
    jac[:] = g[:, :, None] * g[:, None, :] / (1 + MU * MU)
    jac[:, :-1, :-1] += (MU * a / safe)[:, None, None] * (np.eye(dim - 1) - e[:, :, None] * e[:, None, :])
    q[inside], jac[inside] = p[inside], np.eye(dim)
    q[polar], jac[polar] = 0, 0
    return q, jac


def solve(block, uf, r, rho):
    """Reactions with r in K and (u_N + mu|u_T|, u_T) in its dual, for u = W r + uf: Newton, between sweeps if it strays."""
    for _ in range(40):
        found = newton(block, uf, r, rho)
        if found is not None:
            return found
        r = sweeps(block, uf, r, rho, 50)
    raise SystemExit("no convergence")


def sweeps(block, uf, r, rho, count):
    """Projected Gauss-Seidel over the contacts."""
    dim, r = block.dim, r.copy()
    rows = block.w.reshape(block.contacts, dim, -1)
    for _ in range(count):
        for k in range(block.contacts):
            u = rows[k] @ r.ravel() + uf[k]
            u[-1] += MU * np.linalg.norm(u[:-1])
            r[k] = project((r[k] - rho[k] * u)[None], dim)[0][0]
    return r


def newton(block, uf, r, rho):
    dim, nc = block.dim, block.contacts
    best = math.inf
    for iteration in range(25):
        u = (block.w @ r.ravel()).reshape(nc, dim) + uf
        slip = np.linalg.norm(u[:, :-1], axis=1)
        e = u[:, :-1] / np.where(slip > 0, slip, 1)[:, None]
        hat = u.copy()
        hat[:, -1] += MU * slip
        q, jac = project(r - rho[:, None] * hat, dim)
        residual = r - q
        size = abs(residual).max()
        if size <= 1e-14 * abs(r).max() or (size <= 1e-12 * abs(r).max() and size >= best):
            return r
        best = min(best, size)
        # d hat = (I + mu n e') W dr at each contact
        pull = np.tile(np.eye(dim), (nc, 1, 1))
        pull[:, -1, :-1] += MU * e
        left = (jac @ pull) * rho[:, None, None]
        matrix = (left @ block.w.reshape(nc, dim, nc * dim)).reshape(nc * dim, nc * dim)
        rest = np.eye(dim) - jac
        for k in range(nc):
            matrix[dim * k: dim * k + dim, dim * k: dim * k + dim] += rest[k]
        r = r - np.linalg.solve(matrix, residual.ravel()).reshape(nc, dim)
    return None


def judge(block, uf, r):
    """The largest violation of each condition, relative to forces and motions."""
    u = (block.w @ r.ravel()).reshape(block.contacts, block.dim) + uf
    force, way = abs(r).max(), abs(uf).max()
    t, slip = np.linalg.norm(r[:, :-1], axis=1), np.linalg.norm(u[:, :-1], axis=1)
    against = r[:, :-1] * slip[:, None] + MU * r[:, -1:] * u[:, :-1]
    return max(-u[:, -1].min() / way, abs(u[:, -1] * r[:, -1]).max() / force / way, (t - MU * r[:, -1]).max() / force,
               abs(against).max() / force / way), u


def main():
    block = Block([int(a) for a in sys.argv[1:]])
    dim, nc = block.dim, block.contacts
    print(f"{dim}D, {nc} contact nodes")
    rho = 1 / np.linalg.norm(np.array([block.w[dim * k: dim * k + dim, dim * k: dim * k + dim] for k in range(nc)]), axis=(1, 2), ord=2)
    before, r, worst = np.zeros((nc, dim)), np.zeros((nc, dim)), 0.0
    for step in range(1, 26):
        top = np.zeros(dim)
        top[0], top[-1] = 0.0005 * max(step - 5, 0), -0.001 * min(step, 5)
        uf = (block.reach @ top).reshape(nc, dim)
        uf[:, :-1] -= before[:, :-1]
        r = solve(block, uf, r, rho)
        violation, u = judge(block, uf, r)
        worst = max(worst, violation)
        before = before + u
        before[:, -1] = 0  # the gap is zero at the start, and heights do not add up
        slides = np.linalg.norm(r[:, :-1], axis=1) >= (1 - 1e-9) * MU * r[:, -1]
        closed = r[:, -1] > 0
        print(f"step {step:2d}  N={r[:, -1].sum():.10g}  T={r[:, 0].sum():.10g}  stick {(closed & ~slides).sum()}"
              f" slip {(closed & slides).sum()} open {(~closed).sum()}")
    print(f"conditions of contact and friction violated by at most {worst:.2g}, relative")


main()

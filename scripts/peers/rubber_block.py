#!/usr/bin/python3
"""The case rubber-block by an independent program: rubber_block.py [NX NY [STEPS]], 16 4 60 without arguments.

A neo-Hookean block [0,1]x[0,.25] in plane strain, W = mu/2 (tr F'F - 2) - mu ln J + lam/2 (ln J)^2, E=1000, nu=.3; its
top goes down by .04 until t=5 and sideways by .12 until t=15; Coulomb friction .3 at the bottom. Needs numpy alone.

Nothing is shared with the Go program but the mesh and the equations: P = dW/dF and dP/dF are written down in F, and
displacements and reactions are unknowns together, of equilibrium and of the natural map r = P_K(r - rho (slip,
u_N + mu|slip|)) of Coulomb's cone, by Newton's method on both with the prescribed motion as homotopy where it strays
(there: E is minimised with Tresca friction by descent, and thresholds are a fixed point). Prints the resultants.
"""
import sys

import numpy as np

E, NU, MU = 1000.0, 0.3, 0.3
LAM, G = E * NU / (1 + NU) / (1 - 2 * NU), E / 2 / (1 + NU)


class Block:
    def __init__(self, nx, ny):
        i, j = np.meshgrid(np.arange(nx + 1), np.arange(ny + 1))
        self.x = np.stack([i.ravel() / nx, 0.25 * j.ravel() / ny], axis=1)  # node i+(nx+1)j
        n0 = (np.arange(nx)[None] + (nx + 1) * np.arange(ny)[:, None]).ravel()
        n1, n2, n3 = n0 + 1, n0 + nx + 2, n0 + nx + 1
        self.tri = np.concatenate([np.stack([n0, n1, n2], 1), np.stack([n0, n2, n3], 1)])
        edges = self.x[self.tri[:, 1:]] - self.x[self.tri[:, :1]]
        inverse = np.linalg.inv(edges)
        self.grads = np.concatenate([-inverse.sum(axis=2, keepdims=True), inverse], axis=2)
        self.area = 0.5 * np.linalg.det(edges)
        self.bottom, self.top = np.arange(nx + 1), np.arange(nx + 1) + (nx + 1) * ny
        self.free = np.setdiff1d(np.arange(2 * len(self.x)), np.concatenate([2 * self.top, 2 * self.top + 1]))

    def forces(self, u):
        """dE/du and its derivative; None if an element is inverted."""
        f = np.eye(2) + np.einsum("eap,ecp->eac", u[self.tri].transpose(0, 2, 1), self.grads)
        jac = np.linalg.det(f)
        if (jac <= 0).any():
            return None
        inv = np.linalg.inv(f)  # inv[e, c, a]: dF^-1
        log = np.log(jac)
        p = G * f + ((LAM * log - G)[:, None, None]) * inv.transpose(0, 2, 1)
        # dP_ac/dF_bd = G d_ab d_cd + (G - lam ln J) F^-1_cb F^-1_da + lam F^-1_ca F^-1_db
        tangent = (G * np.einsum("ab,cd->acbd", np.eye(2), np.eye(2))[None]
                   + (G - LAM * log)[:, None, None, None, None] * np.einsum("ecb,eda->eacbd", inv, inv)
                   + LAM * np.einsum("eca,edb->eacbd", inv, inv))
        fe = self.area[:, None, None] * np.einsum("eac,ecp->epa", p, self.grads)
        ke = self.area[:, None, None, None, None] * np.einsum("eacbd,ecp,edq->epaqb", tangent, self.grads, self.grads)
        n = 2 * len(self.x)
        dofs = (2 * self.tri[:, :, None] + np.arange(2)).reshape(-1, 6)
        force, stiff = np.zeros(n), np.zeros((n, n))
        np.add.at(force, dofs, fe.reshape(-1, 6))
        np.add.at(stiff, (dofs[:, :, None], dofs[:, None, :]), ke.reshape(-1, 6, 6))
        return force, stiff


def project(t, n):
    """Projection of (t, n) onto |t| <= mu n, and its Jacobian."""
    if abs(t) <= MU * n:
        return (t, n), np.eye(2)
    if MU * abs(t) <= -n:
        return (0.0, 0.0), np.zeros((2, 2))
    g = np.array([MU * np.sign(t), 1.0])
    a = (g[0] * t + n) / (1 + MU * MU)
    return (a * g[0], a), np.outer(g, g) / (1 + MU * MU)


def newton(block, u, r, before, top, rho=100.0):
    """Displacements and reactions for the motion (x, y) of the top; None if Newton's method strays."""
    u, r = u.copy(), r.copy()
    u[block.top] = top
    free, nc, n = block.free, len(block.bottom), len(block.free)
    at = np.searchsorted(free, 2 * block.bottom)  # of the x components; y follows
    for _ in range(40):
        found = block.forces(u)
        if found is None:
            return None
        force, stiff = found
        residual = np.zeros(n + 2 * nc)
        matrix = np.zeros((n + 2 * nc, n + 2 * nc))
        residual[:n] = force[free]
        matrix[:n, :n] = stiff[np.ix_(free, free)]
        for k, node in enumerate(block.bottom):
            rows = slice(n + 2 * k, n + 2 * k + 2)
            residual[at[k]: at[k] + 2] -= r[k]
            matrix[at[k], n + 2 * k] = matrix[at[k] + 1, n + 2 * k + 1] = -1
            slip = u[node, 0] - before[node, 0]
            q, jac = project(r[k, 0] - rho * slip, r[k, 1] - rho * (u[node, 1] + MU * abs(slip)))
            residual[rows] = r[k] - q
            matrix[rows, rows] = np.eye(2) - jac
            matrix[rows, at[k]: at[k] + 2] = rho * jac @ np.array([[1, 0], [MU * np.sign(slip), 1]])
        if abs(residual).max() < 1e-12 * (abs(force).max() + 1e-3):
            return u, r
        step = np.linalg.solve(matrix, -residual)
        flat = u.ravel()
        flat[free] += step[:n]
        u, r = flat.reshape(-1, 2), r + step[n:].reshape(nc, 2)
    return None


def advance(block, u, r, before, start, end, depth=0):
    """Newton's method to the motion end, or by half of the way first; slip counts from before."""
    found = newton(block, u, r, before, end)
    if found is None:
        if depth > 12:
            raise SystemExit(f"no convergence at {end}")
        middle = 0.5 * (start + end)
        u, r = advance(block, u, r, before, start, middle, depth + 1)
        return advance(block, u, r, before, middle, end, depth + 1)
    return found


def main():
    arguments = [int(a) for a in sys.argv[1:]]
    nx, ny = arguments[:2] or (16, 4)
    steps = (arguments[2:] or [60])[0]
    block = Block(nx, ny)
    u, r, last, worst = np.zeros_like(block.x), np.zeros((nx + 1, 2)), np.zeros(2), 0.0
    for k in range(1, steps + 1):
        t = 15 * k / steps
        top = np.array([0.012 * max(t - 5, 0), -0.008 * min(t, 5)])
        before = u
        u, r = advance(block, u, r, before, last, top)
        last = top
        slip, height = u[block.bottom, 0] - before[block.bottom, 0], u[block.bottom, 1]
        worst = max(worst, -height.min(), abs(height * r[:, 1]).max(), (abs(r[:, 0]) - MU * r[:, 1]).max(),
                    abs(r[:, 0] * abs(slip) + MU * r[:, 1] * slip).max())
        if 4 * k % steps == 0 or 3 * k == steps or k == steps:
            slides = abs(r[:, 0]) >= (1 - 1e-9) * MU * r[:, 1]
            print(f"t={t:6.3f}  N={r[:, 1].sum():.10g}  T={r[:, 0].sum():.10g}  u(0)={u[0, 0]:.10g}  u({nx})={u[nx, 0]:.10g}"
                  f"  stick {((r[:, 1] > 0) & ~slides).sum()} open {(r[:, 1] <= 0).sum()}")
    print(f"conditions of contact and friction violated by at most {worst:.2g}")


main()

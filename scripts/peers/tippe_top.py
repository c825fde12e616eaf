#!/usr/bin/env python3
"""The tippe top of cases/tippe-top.json by Newton's and Euler's equations, integrated by LSODA to 1e-10.

A sphere of radius R rolls and slides on a table, its centre of mass a from its centre along the axis e3.
About the centre of mass, l = a e3 - R z leads to the contact, u = v + w x l; friction and its moment are
-mu N (u, eps^2 w_z)/sqrt(|u|^2 + (eps w_z)^2), and N follows from the height of the centre, R for ever.
Shares nothing with the Go code. `/usr/bin/python3 scripts/peers/tippe_top.py` prints tilt and energies.
"""
import numpy as np
from scipy.integrate import solve_ivp

M, R, A, MU, EPS, G, SPIN, TILT, END = 0.02, 0.02, 0.004, 0.3, 0.001, 9.81, 100.0, 0.1, 1.2
J = 0.4 * M * R * R  # of all axes
UP, SMOOTH = np.array([0, 0, 1.0]), 1e-7


def axis(q):
    w, x, y, z = q / np.linalg.norm(q)
    return np.array([2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)])


def rate(_, s):
    v, q, w = s[3:6], s[6:10], s[10:13]
    e3 = axis(q)
    lever = A * e3 - R * UP
    u = v + np.cross(w, lever)
    rubbed = u[0]**2 + u[1]**2 + (EPS * w[2])**2
    root = np.sqrt(rubbed + SMOOTH**2)
    force = np.array([-MU * u[0] / root, -MU * u[1] / root, 1])  # over N
    turn = (np.cross(lever, force) + [0, 0, -MU * EPS**2 * w[2] / root]) / J

    def lift(a, b):  # of the centre
        return (a + np.cross(b, A * e3))[2]

    n = -(lift(-G * UP, 0 * UP) + np.cross(w, np.cross(w, A * e3))[2]) / lift(force / M, turn)
    spin = 0.5 * np.array([-w @ q[1:], *(q[0] * w + np.cross(w, q[1:]))])
    return [*v, *(n * force / M - G * UP), *spin, *(n * turn), MU * n * rubbed / root]


q0 = np.array([np.cos(TILT / 2), np.sin(TILT / 2), 0, 0])
start = [*(R * UP - A * axis(q0)), 0, 0, 0, *q0, *(SPIN * axis(q0)), 0]
run = solve_ivp(rate, [0, END], start, method="LSODA", rtol=1e-10, atol=1e-12, max_step=0.002, dense_output=True)
for t in np.linspace(0, END, 7):
    y = run.sol(t)
    kinetic = 0.5 * M * y[3:6] @ y[3:6] + 0.5 * J * y[10:13] @ y[10:13]
    print(f"t = {t:.2f} s: cos tilt {axis(y[6:10])[2]:.5f}, kinetic energy {1e3 * kinetic:.6f} mJ, friction has taken {1e3 * y[13]:.6f} mJ")

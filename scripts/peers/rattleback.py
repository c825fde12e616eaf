#!/usr/bin/env python3
"""A rattleback that rolls without slip: the case rattleback, by itself.

An ellipsoid of semi-axes A on a plane, its centre of mass in its middle, whose axes of inertia are
turned about its third axis. On the axes of the ellipsoid, with n the upward normal of the plane, r from
the centre to the contact and h its distance from the plane,

    h^2 = n.A^2 n,  r = -A^2 n / h,  v = r x w,  dn/dt = n x w,
    I w' - m r x (r x w') = -w x I w + m r x (r' x w + w x (r x w)) + m g r x n,

by the classical Runge-Kutta method. Prints t, the spin about the third axis, the tilt of it and the
drift of the energy, which is kept.

    python3 scripts/peers/rattleback.py [steps]
"""
import math
import sys

M, G, A2, UNTIL = 1.0, 9.81, (0.1 ** 2, 0.03 ** 2, 0.02 ** 2), 2.0
INERTIA = ((4.2e-4, 5e-4, 0.0), (5e-4, 1.92e-3, 0.0), (0.0, 0.0, 2.18e-3))
START = (0.0, 0.0, 1.0), (0.0, 0.3, 2.0)


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def mul(m, x):
    return tuple(dot(row, x) for row in m)


def solve(m, b):
    d = dot(m[0], cross(m[1], m[2]))
    column = lambda k: tuple(m[i][k] for i in range(3))
    c = [column(k) for k in range(3)]
    return (dot(b, cross(c[1], c[2])) / d, dot(c[0], cross(b, c[2])) / d, dot(c[0], cross(c[1], b)) / d)


def contact(n):
    s = tuple(a * x for a, x in zip(A2, n))
    h = math.sqrt(dot(n, s))
    return s, h, tuple(-x / h for x in s)


def rates(z):
    n, w = z[:3], z[3:]
    s, h, r = contact(n)
    dn = cross(n, w)
    ds = tuple(a * x for a, x in zip(A2, dn))
    dh = dot(n, ds) / h
    dr = tuple(-x / h + y * dh / h ** 2 for x, y in zip(ds, s))
    v = cross(r, w)
    inner = tuple(x + y for x, y in zip(cross(dr, w), cross(w, v)))
    right = tuple(-x + M * y + M * G * q for x, y, q in zip(cross(w, mul(INERTIA, w)), cross(r, inner), cross(r, n)))
    rr = dot(r, r)
    left = [[INERTIA[i][k] + M * ((rr if i == k else 0) - r[i] * r[k]) for k in range(3)] for i in range(3)]
    return dn + solve(left, right)


def energy(z):
    n, w = z[:3], z[3:]
    _, h, r = contact(n)
    v = cross(r, w)
    return 0.5 * dot(w, mul(INERTIA, w)) + 0.5 * M * dot(v, v) + M * G * h


def main():
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else 30000
    z, h = START[0] + START[1], UNTIL / steps
    first = energy(z)
    add = lambda a, f, b: tuple(x + f * y for x, y in zip(a, b))
    for k in range(steps):
        k1 = rates(z)
        k2 = rates(add(z, h / 2, k1))
        k3 = rates(add(z, h / 2, k2))
        k4 = rates(add(z, h, k3))
        z = tuple(x + h / 6 * (a + 2 * b + 2 * c + d) for x, a, b, c, d in zip(z, k1, k2, k3, k4))
        if (k + 1) % (steps // 20) == 0:
            n = z[:3]
            print(f"{(k + 1) * h:.2f}  spin {z[5]:.8f}  tilt {math.degrees(math.acos(min(1, n[2]))):.4f}  kinetic {energy(z) - M * G * contact(n)[1]:.9f}  drift {energy(z) - first:.1e}")


main()

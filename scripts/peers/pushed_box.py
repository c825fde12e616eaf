#!/usr/bin/env python3
"""A box pushed on a table at a point of its lower edge, by a bed of points: the case pushed-box, by itself.

Places x, y and the angle of the box are integrated by the classical Runge-Kutta method. The
pressure is affine over the base, p = a + bX + cY on the axes of the box, so that its force is mg
and its centre is where the moments about the horizontal axes through the centre of mass, at the
height h above the table on which push F and friction R act, vanish:

    mg X = -h (F + R)_X,  mg Y = -h (F + R)_Y    (what is accelerated leans back),

and friction is that of Coulomb at each of the points of a grid, -mu p dA v/|v|. Both are found
together, by iteration. "corners" puts the pressure into the four corners, affine too. Prints t,
x, y and angle in degrees.

    python3 scripts/peers/pushed_box.py [uniform|corners] [points] [steps]
"""
import math
import sys

A, B, H, M, MU, G, F, AT, UNTIL = 0.2, 0.1, 0.03, 2.0, 0.3, 9.81, 7.0, 0.1, 0.3
I = M * (A * A + B * B) / 12


def base(kind, n):
    if kind == "corners":
        return [(sx * A / 2, sy * B / 2, 0.25) for sx in (-1, 1) for sy in (-1, 1)]
    k = n // 2
    return [((i + 0.5) / n * A - A / 2, (j + 0.5) / k * B - B / 2, 1 / (n * k)) for i in range(n) for j in range(k)]


def rates(state, points, second):
    x, y, q, u, v, w = state
    c, s = math.cos(q), math.sin(q)
    fx, fy = F * s, F * c  # the push along y of space, on the axes of the box
    ux, uy = c * u + s * v, -s * u + c * v
    slips = []
    for X, Y, d in points:
        vx, vy = ux - w * Y, uy + w * X
        speed = math.hypot(vx, vy)
        if speed == 0:  # at the start: along the acceleration without friction
            ax, ay, al = fx / M, fy / M, AT * fy / I
            vx, vy = ax - al * Y, ay + al * X
            speed = math.hypot(vx, vy)
        slips.append((vx / speed, vy / speed))
    px = py = 0.0
    for _ in range(60):
        rx = ry = t = 0.0
        for (X, Y, d), (vx, vy) in zip(points, slips):
            p = M * G * d * (1 + px * X / second[0] + py * Y / second[1])
            rx -= MU * p * vx
            ry -= MU * p * vy
            t -= MU * p * (X * vy - Y * vx)
        nx, ny = -H * (fx + rx) / (M * G), -H * (fy + ry) / (M * G)
        done = abs(nx - px) + abs(ny - py) < 1e-15
        px, py = nx, ny
        if done:
            break
    ax, ay = (fx + rx) / M, (fy + ry) / M
    return (u, v, w, c * ax - s * ay, s * ax + c * ay, (AT * fy + t) / I)


def main():
    kind = sys.argv[1] if len(sys.argv) > 1 else "uniform"
    n = int(sys.argv[2]) if len(sys.argv) > 2 else 40
    steps = int(sys.argv[3]) if len(sys.argv) > 3 else 300
    points = base(kind, n)
    second = (sum(d * X * X for X, Y, d in points), sum(d * Y * Y for X, Y, d in points))
    h = UNTIL / steps
    z = (0.0,) * 6
    add = lambda a, f, b: tuple(x + f * y for x, y in zip(a, b))
    for k in range(steps):
        k1 = rates(z, points, second)
        k2 = rates(add(z, h / 2, k1), points, second)
        k3 = rates(add(z, h / 2, k2), points, second)
        k4 = rates(add(z, h, k3), points, second)
        z = tuple(x + h / 6 * (a + 2 * b + 2 * c + d) for x, a, b, c, d in zip(z, k1, k2, k3, k4))
        if (k + 1) % max(1, steps // 6) == 0:
            print(f"{(k + 1) * h:.4f} {z[0]:.8f} {z[1]:.8f} {math.degrees(z[2]):.6f}  spin {z[5]:.6f}")


main()

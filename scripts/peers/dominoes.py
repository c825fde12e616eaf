#!/usr/bin/env python3
"""Fifteen dominoes in the plane by an independent program: dominoes.py [STEP [SWEEPS]].

Rectangles of 20 by 200 mm, .3 kg, 100 mm apart, mu = .3, perfectly inelastic: the case
dominoes, whose motion keeps to the plane. Steps of velocities and impulses (Moreau 1988),
v' = v + h g + M^-1 J r with r_n >= 0, v'_n + gap/h >= 0 and |r_t| <= mu r_n against the slip,
swept contact by contact until nothing changes; a corner meets faces, edges and corners of the
two dominoes ahead and behind. Printed are the times at which dominoes have turned by .1 rad,
and the speed of the front from the sixth to the fourteenth, .8 m over the time between.
Nothing but Python.
"""
import math
import sys

COUNT, SPACING, THICK, TALL, MASS, MU, G = 15, 0.1, 0.01, 0.1, 0.3, 0.3, 9.81  # half sizes
INERTIA = MASS * (4 * THICK**2 + 4 * TALL**2) / 12
NEAR = 0.02  # m: what is farther apart is not reached in a step
TURNED = 0.1  # rad


def turn(x, z, angle):
    """A positive angle tips an upright domino towards +x."""
    c, s = math.cos(angle), math.sin(angle)
    return c * x + s * z, -s * x + c * z


def corners(q):
    for x in (-THICK, THICK):
        for z in (-TALL, TALL):
            yield turn(x, z, q[2])


def nearest(dx, dz):
    """Distance of a point from the rectangle, and the normal there, in its axes."""
    ox, oz = abs(dx) - THICK, abs(dz) - TALL
    sx, sz = math.copysign(1, dx), math.copysign(1, dz)
    if ox > 0 and oz > 0:
        d = math.hypot(ox, oz)
        return d, (sx * ox / d, sz * oz / d)
    return (ox, (sx, 0.0)) if ox > oz else (oz, (0.0, sz))


def row(i, j, ri, rj, n, gap):
    """Normal and tangent of a contact of body i with j (-1: floor), n points to i."""
    made = []
    for d in (n, (n[1], -n[0])):
        # velocity of a point at r: (vx + w rz, vz - w rx)
        ji = (d[0], d[1], d[0] * ri[1] - d[1] * ri[0])
        jj = (d[0], d[1], d[0] * rj[1] - d[1] * rj[0]) if j >= 0 else (0, 0, 0)
        w = (ji[0] ** 2 + ji[1] ** 2) / MASS + ji[2] ** 2 / INERTIA
        w += (jj[0] ** 2 + jj[1] ** 2) / MASS + jj[2] ** 2 / INERTIA
        made.append((ji, jj, w))
    return [i, j, made, gap, 0.0, 0.0]


def contacts(q):
    list_ = []
    for i in range(COUNT):
        for k, r in enumerate(corners(q[i])):
            if q[i][1] + r[1] < NEAR:
                c = row(i, -1, r, None, (0.0, 1.0), q[i][1] + r[1])
                list_.append(((i, -1, k), c))
            for j in (i - 2, i - 1, i + 1, i + 2):
                if not 0 <= j < COUNT:
                    continue
                dx, dz = q[i][0] + r[0] - q[j][0], q[i][1] + r[1] - q[j][1]
                if dx * dx + dz * dz > (TALL + 2 * NEAR) ** 2:
                    continue
                lx, lz = turn(dx, dz, -q[j][2])
                gap, n = nearest(lx, lz)
                if gap < NEAR:
                    n = turn(n[0], n[1], q[j][2])
                    at = (dx - gap * n[0], dz - gap * n[1])
                    list_.append(((i, j, k), row(i, j, r, at, n, gap)))
    return list_


def push(v, i, j, made, r):
    ji, jj, _ = made
    for b, d, s in ((i, ji, 1.0), (j, jj, -1.0)):
        if b >= 0:
            v[b][0] += s * d[0] * r / MASS
            v[b][1] += s * d[1] * r / MASS
            v[b][2] += s * d[2] * r / INERTIA


def speed(v, i, j, made):
    ji, jj, _ = made
    u = ji[0] * v[i][0] + ji[1] * v[i][1] + ji[2] * v[i][2]
    return u - (jj[0] * v[j][0] + jj[1] * v[j][1] + jj[2] * v[j][2] if j >= 0 else 0.0)


def step(q, v, h, sweeps, known):
    for b in v:
        b[1] -= h * G
    now = contacts(q)
    for key, c in now:
        c[4], c[5] = known.get(key, (0.0, 0.0))
        push(v, c[0], c[1], c[2][0], c[4])
        push(v, c[0], c[1], c[2][1], c[5])
    for _ in range(sweeps):
        change = 0.0
        for _, c in now:
            i, j, (n, t), gap, rn, rt = c
            c[4] = max(0.0, rn - (speed(v, i, j, n) + gap / h) / n[2])
            push(v, i, j, n, c[4] - rn)
            most = MU * c[4]
            c[5] = min(most, max(-most, rt - speed(v, i, j, t) / t[2]))
            push(v, i, j, t, c[5] - rt)
            change = max(change, abs(c[4] - rn), abs(c[5] - rt))
        if change < 1e-9 * MASS:
            break
    for b, w in zip(q, v):
        for k in range(3):
            b[k] += h * w[k]
    return {key: (c[4], c[5]) for key, c in now if c[4] > 0}


def run(h, sweeps):
    q = [[i * SPACING, TALL, 0.0] for i in range(COUNT)]
    v = [[0.0, 0.0, 0.0] for _ in range(COUNT)]
    v[0] = [0.4, 0.04, 4.0]
    times, known, t = {}, {}, 0.0
    while len(times) < COUNT and t < 1.5:
        before = [b[2] for b in q]
        known = step(q, v, h, sweeps, known)
        for i, b in enumerate(q):
            if i not in times and b[2] >= TURNED:
                times[i] = t + h * (TURNED - before[i]) / (b[2] - before[i])
        t += h
    return times


def main():
    h = float(sys.argv[1]) if len(sys.argv) > 1 else 1e-3
    sweeps = int(sys.argv[2]) if len(sys.argv) > 2 else 100
    times = run(h, sweeps)
    for i in range(COUNT):
        print(f"d{i + 1} has turned by {TURNED} rad at {times.get(i, math.nan):.4f} s")
    print(f"front from d6 to d14: {8 * SPACING / (times[13] - times[5]):.4f} m/s")


if __name__ == "__main__":
    main()

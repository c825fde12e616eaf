"""The rocking ellipse of Song, Pang and Kumar (2004), section 6, from event to event.

An ellipse of half axes .1 and .05 m, .05 kg and .00015 kg m^2 is let go on a floor at 75 degrees, mu = .2. Its centre is
at the height Y(theta) = sqrt(a^2 sin^2 + b^2 cos^2), the contact at (-Y', -Y) from it. Slip and stick are integrated
apart, by scipy's DOP853 at 1e-13, each to the zero of the slip or of mu N - |F|. Shares nothing with the Go code.

    /usr/bin/python3 scripts/peers/rocking_ellipse.py

prints the events and the angle at 2 s, .08975661 rad.
"""
import numpy as np
from scipy.integrate import solve_ivp

A, B, M, J, G, MU, END = 0.1, 0.05, 0.05, 0.00015, 9.81, 0.2, 2.0


def height(theta):
    """Y and its first two derivatives."""
    s, c, d = np.sin(theta), np.cos(theta), A * A - B * B
    y = np.hypot(A * s, B * c)
    y1 = d * s * c / y
    return y, y1, (d * (c * c - s * s) - y1 * y1) / y


def motion(theta, omega, way):
    """Angular acceleration, normal and tangential force; way is the sign of the slip, 0 for stick."""
    y, y1, y2 = height(theta)
    push = M * (G + y2 * omega**2)  # N = push + M Y' alpha
    if way:
        lever = -y1 - MU * way * y
        alpha = lever * push / (J - lever * M * y1)
        n = push + M * y1 * alpha
        return alpha, n, -MU * way * n
    alpha = (-y1 * push - y * M * omega**2 * y1) / (J + M * (y1**2 + y**2))
    return alpha, push + M * y1 * alpha, -M * (alpha * y + omega**2 * y1)


def main():
    t, state = 0.0, np.array([0.0, np.radians(75), 0.0, 0.0])  # x, theta and their rates
    way = 0
    while t < END:
        def rates(_, z, way=way):
            alpha, _, f = motion(z[1], z[3], way)
            return [z[2], z[3], f / M, alpha]

        def slip(_, z, way=way):
            return way * (z[2] + z[3] * height(z[1])[0])

        def reserve(_, z):
            _, n, f = motion(z[1], z[3], 0)
            return MU * n - abs(f)

        event = slip if way else reserve
        event.terminal, event.direction = True, -1
        if way and abs(slip(t, state)) < 1e-12:  # leave the zero
            state = solve_ivp(rates, [t, t + 1e-6], state, method="DOP853", rtol=1e-13, atol=1e-13).y[:, -1]
            t += 1e-6
        part = solve_ivp(rates, [t, END], state, method="DOP853", rtol=1e-13, atol=1e-13, events=event, max_step=2e-3)
        t, state = part.t[-1], part.y[:, -1]
        if t < END:
            _, n, f = motion(state[1], state[3], 0)
            way = 0 if way and abs(f) <= MU * n else -np.sign(f)
            print(f"t = {t:.9f} s: {'slip' if way else 'stick'}")
    print(f"angle at {END} s: {state[1]:.8f} rad")


main()

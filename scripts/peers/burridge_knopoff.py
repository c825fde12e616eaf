#!/usr/bin/env python3
"""The row of blocks of Burridge and Knopoff, from event to event, and against a run of the case of that name.

Block i of a row, m x_i'' = -kp (x_i - a_i) - kc (2 x_i - x_{i-1} - x_{i+1}) + f_i on a belt that moves with V: what sticks goes
with the belt as long as |f_i| <= mus N, what slides has f_i = muk N sign(V - x_i'). Between two events all is
linear: the blocks that slide are solved in their modes, those that stick drive them; an event is the first
root of a slip or of mus N - |f|, bracketed in thousandths of a second and bisected to rounding. An
avalanche is a time in which some block slides; its size is the number of blocks that do, its moment the
sum of their ways against the belt. Nothing of the program is used.

`burridge_knopoff.py` prints the avalanches; `burridge_knopoff.py DIR` compares those of a run in DIR
(quasistatic run burridge-knopoff --out DIR), from its events.csv and trajectory.csv. Needs numpy.
"""
import csv
import os
import sys

import numpy as np

M, N, KP, KC, V, MUS, MUK, BLOCKS, UNTIL = 1.0, 10.0, 40.0, 100.0, 0.02, 0.5, 0.3, 20, 2.9


def start():
    i = np.arange(BLOCKS)
    return 0.07 + 0.01 * np.sin(2.0 * (i + 1) ** 2)


class Row:
    def __init__(self):
        n = BLOCKS
        self.K = np.diag(np.full(n, KP))
        for i in range(n - 1):
            self.K[i : i + 2, i : i + 2] += KC * np.array([[1, -1], [-1, 1]])
        self.x, self.t = start(), 0.0
        self.v = np.full(n, V)
        self.state = np.zeros(n, int)  # 0 sticks, ±1 friction on it
        self.avalanches, self.open, self.log = [], None, []

    def force(self, x):
        """what friction has to balance on blocks that move steadily"""
        return self.K @ x

    def run(self):
        settle = self.settle
        while self.t < UNTIL:
            settle()
            slide = np.flatnonzero(self.state)
            if len(slide) == 0:
                if not self.stuck():
                    break
            else:
                self.slide(slide)
        return self

    def settle(self):
        """what is at its bound begins to slide"""
        f = self.force(self.x)
        for i in range(BLOCKS):
            if self.state[i] == 0 and abs(f[i]) >= MUS * N * (1 - 1e-13):
                self.state[i] = int(np.sign(f[i]))  # friction balances the springs
                self.begin(i)
        if self.open and not self.state.any():
            self.open["end"], self.open["x"] = self.t, self.x.copy()
            moved = V * (self.t - self.open["t"]) - (self.x - self.open["x0"])
            self.open["moment"] = float(np.sum(np.abs(moved)[sorted(self.open["who"])]))
            self.avalanches.append(self.open)
            self.open = None

    def begin(self, i):
        if not self.open:
            self.open = {"t": self.t, "who": set(), "x0": self.x.copy()}
        self.open["who"].add(i)
        self.log.append((self.t, i, "slip"))

    def stuck(self):
        f, rate = self.force(self.x), self.K @ np.full(BLOCKS, V)
        dt = min([((np.sign(r) * MUS * N) - a) / r for a, r in zip(f, rate) if r] + [UNTIL - self.t])
        self.x, self.t = self.x + V * dt, self.t + dt
        return self.t < UNTIL

    def slide(self, slide):
        stick = np.flatnonzero(self.state == 0)
        t0, x0, v0 = self.t, self.x.copy(), self.v.copy()
        w2, Q = np.linalg.eigh(self.K[np.ix_(slide, slide)] / M)
        w = np.sqrt(w2)
        # x'' = -K x/M + g - c t, of what sticks and moves with V
        g = Q.T @ ((MUK * N * self.state[slide] - self.K[np.ix_(slide, stick)] @ x0[stick]) / M)
        c = Q.T @ (self.K[np.ix_(slide, stick)] @ np.full(len(stick), V) / M)
        y0, u0 = Q.T @ x0[slide], Q.T @ v0[slide]
        A, B = y0 - g / w2, (u0 + c / w2) / w

        def at(s):
            y = g / w2 - c * s / w2 + A * np.cos(w * s) + B * np.sin(w * s)
            u = -c / w2 - A * w * np.sin(w * s) + B * w * np.cos(w * s)
            x, v = x0 + V * s, np.full(BLOCKS, V)
            x[slide], v[slide] = Q @ y, Q @ u
            return x, v

        def signs(s):
            x, v = at(s)
            f = self.force(x)
            return np.concatenate([self.state[slide] * (V - v[slide]), MUS * N - np.abs(f[stick])])

        step, s = 1e-3, 0.0
        first = signs(0)
        while True:
            if t0 + s >= UNTIL:
                self.x, self.v = at(UNTIL - t0)
                self.t = UNTIL
                return
            now = signs(s + step)
            hit = [k for k in range(len(now)) if now[k] < 0 and not (s == 0 and k < len(slide) and first[k] <= 1e-14 and signs(1e-7)[k] > 0 and signs(step)[k] > 0)]
            if hit:
                break
            s += step
        # a block that begins to slide has no slip yet
        best = (np.inf, -1)
        for k in hit:
            lo, hi = s, s + step
            if s == 0 and k < len(slide) and first[k] <= 1e-14:
                lo = 1e-9
            for _ in range(80):
                mid = (lo + hi) / 2
                if signs(mid)[k] < 0:
                    hi = mid
                else:
                    lo = mid
            best = min(best, (hi, k))
        s, k = best
        self.x, self.v = at(s)
        self.t = t0 + s
        if k < len(slide):
            i = slide[k]
            self.v[i] = V
            f = self.force(self.x)[i]
            # friction of rest may not hold it
            self.state[i] = 0
            self.log.append((self.t, int(i), "stick"))
            if abs(f) > MUS * N:
                self.state[i] = int(np.sign(f))


def read(directory):
    rows = list(csv.reader(open(os.path.join(directory, "trajectory.csv"))))
    names = rows[0]
    table = np.array([[float(x) for x in r] for r in rows[1:]])
    column = [names.index(f"b{i+1}.x") for i in range(BLOCKS)]
    t, x = table[:, 0], table[:, column]
    slides, avalanches, now = set(), [], None
    for r in csv.DictReader(open(os.path.join(directory, "events.csv"))):
        i, at = int(r["element"].split("/")[0][1:]) - 1, float(r["t"])
        if r["to"] == "slip":
            if not now:
                now = {"t": at, "who": set()}
            slides.add(i)
            now["who"].add(i)
        else:
            slides.discard(i)
            if now and not slides:
                now["end"] = at
                avalanches.append(now)
                now = None
    for a in avalanches:
        k0, k1 = max(np.searchsorted(t, a["t"]) - 1, 0), np.searchsorted(t, a["end"])
        moved = V * (t[k1] - t[k0]) - (x[k1] - x[k0])
        a["moment"] = float(np.sum(np.abs(moved)[sorted(a["who"])]))
    return avalanches, t, x


def main():
    row = Row().run()
    mine = row.avalanches
    other = None
    if len(sys.argv) > 1:
        other, t, x = read(sys.argv[1])
    print("| avalanche | begins [s] | blocks | moment [m] |" + (" run: begins | blocks | moment | off |" if other else ""))
    for k, a in enumerate(mine):
        line = f"| {k+1} | {a['t']:.4f} | {len(a['who'])} | {a['moment']:.5f} |"
        if other:
            if k < len(other):
                b = other[k]
                line += f" {b['t']:.4f} | {len(b['who'])} | {b['moment']:.5f} | {100*abs(b['moment']-a['moment'])/a['moment']:.2g} % |"
            else:
                line += " none |"
        print(line)
    print("x at the end:", " ".join(f"{v:.9g}" for v in row.x), "at", row.t)


main()

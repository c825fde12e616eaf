"""The tube of check_proof.py: how far the polygon is from the exact solution, where no normal force depends on how particles
slide. On each piece the polygon solves the evolution with the loads l + r exactly, and |e|_A <= Var |r|_(A^-1) up to the piece,
and |r| at its end: docs/theory.md, "The tube", has the derivation. Ratios of integers, as there.
"""
from check_proof import F, TINY, dot, norm, root, scalar, sine, up

def guess(rows, b):
    """rows y = b by conjugate gradients in float64, as fractions: whoever asks checks."""
    rows, x, r = [[(j, float(v)) for j, v in q.items()] for q in rows], [0.0] * len(b), list(b)
    p, rr = list(r), sum(v * v for v in r)
    for _ in range(3 * len(b)):
        ap = [sum(v * p[j] for j, v in q) for q in rows]
        pap = sum(u * v for u, v in zip(p, ap))
        if rr < 1e-28 or not pap > 0:
            break
        x, r = [u + rr / pap * v for u, v in zip(x, p)], [u - rr / pap * v for u, v in zip(r, ap)]
        rr, old = sum(v * v for v in r), rr
        p = [u + rr / old * v for u, v in zip(r, p)]
    return [F(v) for v in x]

class Tube:
    def __init__(self, scene):
        self.scene, self.why, self.n = scene, None, len(scene.ids)
        self.total = F(0)  # the variation, in the norm of A^-1 [sqrt J]
        self.last, self.most, self.across = [[F(0)] * 3 for _ in scene.ids], F(0), [F(0)] * self.n
        sines = {a[1:] for a in scene.loads if a[0] == "sine"}
        steady = all(len(set(a[2])) < 2 for a in scene.loads if a[0] == "table")
        self.drive = sines.pop() if len(sines) == 1 and steady and not any(isinstance(c[2], dict) for x in scene.contacts for c in x) else None
        if any(len(c) > 1 for c in scene.contacts):
            self.why = "a particle has several obstacles"
            return
        self.normal = [c[0][0] if c else None for c in scene.contacts]
        self.decouple()
        self.reach()

    def block(self, i, n):
        """What a motion of particle j along n does to particle i."""
        return lambda j: [sum((self.scene.a[3 * i + r].get(3 * j + c, F(0)) * n[c] for c in range(3)), F(0)) for r in range(3)]

    def decouple(self):
        """No motion along normals moves anything else; alone, none moves another normal either."""
        self.alone, self.own = True, [n and self.block(j, n)(j) for j, n in enumerate(self.normal)]
        for j, n in enumerate(self.normal):
            for i in {c // 3 for r in range(3) for c in self.scene.a[3 * j + r]} if n else ():
                push, m = self.block(i, n)(j), self.normal[i]
                if any(push) and not (m and [p * dot(m, m) for p in push] == [dot(push, m) * x for x in m]):
                    self.why = "a normal force depends on how particles slide"
                self.alone = self.alone and (i == j or not any(push))

    def reach(self):
        """c_j: |e_j| <= c_j |e|_A and |P_j r|_(A^-1) <= c_j |r|. Its square bounds the block j of A^-1, whose entries are
        not larger than those of the inverse of the comparison matrix C, C w > 0, w > 0."""
        rows, self.c = [{j: x if i == j else -abs(x) for j, x in r.items()} for i, r in enumerate(self.scene.a)], []
        apply = lambda y: [sum((x * y[j] for j, x in r.items()), F(0)) for r in rows]
        w = guess(rows, [1.0] * len(rows))
        low = min(apply(w))
        if low <= 0 or min(w) <= 0:
            self.why = self.why or "the stiffness is not shown to be positive definite"
            return
        for j in range(self.n if self.n <= 200 else 0):
            sums = [F(0)] * 3
            for k in range(3 * j, 3 * j + 3):
                y = guess(rows, [float(i == k) for i in range(len(rows))])
                miss = max(abs((i == k) - x) for i, x in enumerate(apply(y)))
                sums = [s + y[3 * j + r] + miss * w[3 * j + r] / low for r, s in enumerate(sums)]
            self.c.append(root(max(sums)))
        for j in range(len(self.c), self.n):  # C^-1 e <= C^-1 (C w)/low
            self.c.append(root(max(w[3 * j:3 * j + 3]) / low))

    def piece(self, first, second, bend):
        if self.why:
            return
        (t0, z0, _, g0, h0, _), (t1, z1, _, g1, h1, _) = first, second
        if self.drive:  # loads go along one way, to and fro: exact for the chord is exact at other times of the piece
            f, p = self.drive
            if sine(f, p, t0, 1) * sine(f, p, t1, 1) >= 0 and abs(f) * (t1 - t0) < F(1, 4):
                bend = [F(0)] * len(bend)
        end = F(0)
        for j, contacts in enumerate(self.scene.contacts):
            s = slice(3 * j, 3 * j + 3)
            g, v, hold, leaves, turns = [g0[s], g1[s]], [b - a for a, b in zip(z0[s], z1[s])], [F(0)] * 2, norm(bend[s]), F(0)
            for n, _, mu in contacts:
                nn, size, m, gaps = dot(n, n), norm(n), [scalar(mu, t) for t in (t0, t1)], (h0[j][0], h1[j][0])
                push = [(dot(n, x) - dot(n, self.own[j]) * h / nn) / size for x, h in zip(g, gaps)]  # as if it touched
                leaves = norm([x for x, q in zip(bend[s], n) if q * q != nn])  # along it
                across = sum(abs(a) * b for a, b in zip(n, bend[s])) / size + self.scene.slack
                if not self.alone and (any(gaps) or min(push) < across):
                    self.why = "particles that are tied across leave their obstacles"
                    return
                hold = [a * max(b, F(0)) for a, b in zip(m, push)]
                turns = max(m) * across * (2 if min(push) < across else 1) + abs((m[1] - m[0]) * (push[1] - push[0])) / 4
                turns += max(m) * min(abs(x) for x in push) if push[0] * push[1] < 0 else 0  # a threshold leaves its chord by this
                off = abs(dot(n, g1[s])) if gaps[1] else max(-push[1], F(0)) * size
                if off:
                    self.across[j] = max(self.across[j], (off / size + self.scene.slack) / dot(n, self.own[j]) * nn)
                g, v = [[a - dot(n, x) / nn * b for a, b in zip(x, n)] for x in g], [a - dot(n, v) / nn * b for a, b in zip(v, n)]
            way = norm(v)
            if way:
                r, loose = [[a + q * b / way for a, b in zip(x, v)] for x, q in zip(g, hold)], leaves * 8 / 3 + turns * 2
            elif all(norm(x) + leaves + turns + self.scene.slack < q for x, q in zip(g, hold)):
                r, loose = [[F(0)] * 3] * 2, F(0)  # it sticks all the while
            else:
                r = [[a * max(1 - q / norm(x), F(0)) for a in x] if any(x) else x for x, q in zip(g, hold)]
                loose = leaves * 8 / 3 + turns * 4
            change = norm([a - b for a, b in zip(r[0], self.last[j])]) + norm([a - b for a, b in zip(*r)])
            self.total += self.c[j] * (change + loose + 8 * self.scene.slack + TINY * (1 + max(hold)))
            self.last[j] = r[1]
            end += self.c[j] * norm(r[1])
        self.total = up(self.total)
        self.most = max(self.most, up(self.total + end))

    def largest(self):
        """The largest distance of a particle at a node [m]."""
        return None if self.why else max(root((c * self.most) ** 2 + a * a) for c, a in zip(self.c, self.across))

"""Checks the proof that `quasistatic diagnose DIR --proof FILE` wrote, from the equations alone.

    /usr/bin/python3 scripts/peers/check_proof.py DIR FILE

reads DIR/case.json, DIR/trajectory.csv and FILE in ratios of integers; sines, pi and roots are enclosed. z(t) is the polygon
through the nodes of FILE, E = z.Az/2 - l(t).z, g = Az - l. It bounds for all times the force that neither obstacles nor friction
hold, (S) [N]; the residual of the energy balance, (E) [J]; how far the rows and the start of the case are from the polygon; and,
by check_tube.py, how far any particle is from the exact solution [m]. Exit 0: proven, within what FILE claims; 1: not. Nothing of
FILE is believed: its nodes are what is judged, its reactions are checked to add up. From docs/theory.md, "A proof", alone."""
import csv, hashlib, itertools, json, sys
from bisect import bisect
from fractions import Fraction as F
from math import ceil, isqrt

BITS, TINY, ZERO = 160, F(1, 2**140), [F(0)] * 3  # of sines; more than what is left of them, of pi and of roots
PI = F(314159265358979323846264338327950288419716939937510582097494459230781640628620899, 10**80)

def fail(text):
    print("NOT PROVEN:", text)
    sys.exit(1)

def root(x):  # an upper bound of the square root of x >= 0, less than TINY above it
    return F(isqrt((x.numerator << 400) // x.denominator) + 1, 1 << 200) if x else x

def up(x):  # by less than TINY: sums whose denominators would grow piece by piece
    return F(ceil(x * 2**BITS), 2**BITS)

def dot(a, b):
    return sum((x * y for x, y in zip(a, b) if x and y), F(0))

def norm(v):
    return root(dot(v, v))

def sine(f, phase, t, quarter=0):  # sin(2 pi f t + phase + quarter pi/2), to TINY
    x = 2 * PI * ((f * t + F(quarter, 4)) % 1) + phase
    x = round((x - 2 * PI * round(x / (2 * PI))) * 2**BITS)
    total, term, k = 0, x, 1
    while term:
        total, k = total + term, k + 2
        term = -(term * x >> BITS) * x // ((k - 1) * k << BITS)
    return F(total, 2**BITS)

def atoms(doc, n):
    """A signal with n components as (coefficients, atom) pairs, whose sum it is."""
    unit = lambda k, x: [x if i == k else F(0) for i in range(n)]
    listed = lambda v: v if isinstance(v, list) else [v] * n
    if isinstance(doc, list):
        return [(unit(k, c[0]), a) for k, d in enumerate(doc) for c, a in atoms(d, 1)]
    if not isinstance(doc, dict):
        return [([F(doc)], ("one",))]
    if "sum" in doc:
        return [x for d in doc["sum"] for x in atoms(d, n)]
    if "table" in doc:
        columns = list(zip(*[listed(r[1]) for r in doc["table"]]))
        return [(unit(k, F(1)), ("table", tuple(r[0] for r in doc["table"]), c)) for k, c in enumerate(columns) if any(c)]
    s = {k: listed(v) for k, v in (doc.get("sine") or fail("a signal is no number, table, sine or sum")).items()}
    f, p = s["frequency"], s.get("phase", [F(0)] * n)
    return [(s.get("offset", [F(0)] * n), ("one",))] + [(unit(k, s["amplitude"][k]), ("sine", f[k], p[k])) for k in range(n)]

def value(atom, t):
    if atom[0] == "one":
        return F(1)
    if atom[0] == "sine":
        return sine(atom[1], atom[2], t)
    times, rows, k = atom[1], atom[2], bisect(atom[1], t)
    if k in (0, len(times)):
        return rows[max(k - 1, 0)]
    return rows[k - 1] + (rows[k] - rows[k - 1]) * (t - times[k - 1]) / (times[k] - times[k - 1])

def scalar(doc, t):
    return sum((c[0] * value(a, t) for c, a in atoms(doc, 1)), F(0))

def matrix(k):
    k = k if isinstance(k, list) else [k] * 3
    return k if isinstance(k[0], list) else [[k[i] if i == j else F(0) for j in range(3)] for i in range(3)]

class Scene:  # E = z.Az/2 - sum_a a(t) b_a.z, the planes n.(x - p) >= 0 and their friction, from the case
    def __init__(self, case):
        self.case, self.loads = case, {}
        self.ids = [p["id"] for p in case["particles"]]
        self.start = [x for p in case["particles"] for x in p["at"]]
        self.dofs = {p: range(3 * j, 3 * j + 3) for j, p in enumerate(self.ids)}
        self.anchor = {a["id"]: atoms(a["at"], 3) for a in case.get("anchors", [])}
        self.a = [{} for _ in self.start]
        for e in case.get("energies", []):
            getattr(self, "add_" + e["type"], lambda e: fail("an energy of type " + e["type"]))(e)
        self.contacts = [self.planes(p) for p in case["particles"]]
        self.slack = TINY * sum(abs(x) for b in self.loads.values() for x in b.values())  # of a force

    def planes(self, p):
        """(normal, point, mu) of each contact of a particle."""
        names, law, out = p.get("obstacles", [p.get("obstacle")]), p.get("friction", "none"), []
        for name, f in zip(names, law if isinstance(law, list) else [law] * len(names)):
            o = self.case["obstacles"][name] if name not in (None, "none") else {"normal": [F(0), F(0), F(1)], "point": ZERO}
            f = {"mu": F(0)} if f == "none" else self.case["friction"][f]
            if o.get("type", "plane") != "plane" or "motion" in o:
                fail("an obstacle is curved or moves")
            if set(f) != {"mu"} or isinstance(f["mu"], list) or any(a[0] == "sine" for _, a in atoms(f["mu"], 1)):
                fail("friction is not isotropic, varies in space or is a sine of time")
            out += [(o["normal"], o["point"], f["mu"])] if name != "none" else []
        return out

    def quadratic(self, dofs, m, terms):
        """Adds x.mx/2 - x.f(t) of the coordinates dofs; terms are those of f."""
        for i, r in zip(dofs, m):
            for j, x in zip(dofs, r):
                self.a[i][j] = self.a[i].get(j, F(0)) + x
        for c, atom in terms:
            b = self.loads.setdefault(atom, {})
            for i, x in zip(dofs, c):
                b[i] = b.get(i, F(0)) + x

    def add_load(self, e):
        for p in e["particle"] if isinstance(e["particle"], list) else [e["particle"]]:
            self.quadratic(self.dofs[p], [], atoms(e["force"], 3))

    def add_gravity(self, e):
        g = e.get("acceleration", [F(0), F(0), F("-9.81")])
        for p in self.case["particles"]:
            self.quadratic(self.dofs[p["id"]], [], [([p.get("mass", F(0)) * x for x in g], ("one",))])

    def add_tether(self, e):
        k = matrix(e["stiffness"]) if not e.get("stiffening") else fail("an energy that is not quadratic")
        for p in e["particle"] if isinstance(e["particle"], list) else [e["particle"]]:
            self.quadratic(self.dofs[p], k, [([dot(r, c) for r in k], a) for c, a in self.anchor[e["anchor"]]])

    def add_bond(self, e):
        k = matrix(e["stiffness"])
        for p, q in e["between"] if isinstance(e["between"][0], list) else [e["between"]]:
            ends = [(p, 1)] + ([(q, -1)] if q in self.dofs else [])
            rest = [([s * self.start[i] for i in self.dofs[x]], ("one",)) for x, s in ends]
            for c, a in self.anchor.get(q, []):  # its way, a(t) - a(0)
                _ = a[0] == "sine" and a[2] and fail("a bond to an anchor that moves as a sine with a phase")
                rest += [(c, a), ([-value(a, F(0)) * x for x in c], ("one",))]
            big = [[s * u * x for _, u in ends for x in r] for _, s in ends for r in k]
            self.quadratic([i for x, _ in ends for i in self.dofs[x]], big,
                           [([s * dot(r, c) for _, s in ends for r in k], a) for c, a in rest])

    def add_quadratic(self, e):
        dofs = [i for p in e["particles"] for i in self.dofs[p]]
        rest = [dot(r, [self.start[i] for i in dofs]) for r in e["matrix"]]
        self.quadratic(dofs, e["matrix"], atoms(e.get("force", F(0)), len(dofs)) + [(rest, ("one",))])

    def knots(self):
        mu = [a for c in self.contacts for x in c for _, a in atoms(x[2], 1)]
        return {t for a in list(self.loads) + mu if a[0] == "table" for t in a[1]}

    def at(self, t, z, reactions):
        """The node: t, z, Az, g, heights times |n|, and the shares of the contacts in g."""
        az = [sum((x * z[j] for j, x in r.items() if z[j]), F(0)) for r in self.a]
        g = list(az)
        for atom, b in self.loads.items():
            a = value(atom, t)
            for i, x in b.items():
                g[i] -= a * x
        h = [[dot(n, [a - b for a, b in zip(z[3 * j:], p)]) for n, p, _ in c] for j, c in enumerate(self.contacts)]
        if any(x < 0 for c in h for x in c):
            fail("a particle is in an obstacle at t = %g" % t)
        return t, z, az, g, h, reactions

def solve(m, b):
    """m x = b for a small matrix, None if it is singular."""
    m = [list(r) + [x] for r, x in zip(m, b)]
    for i in range(len(m)):
        p = next((k for k in range(i, len(m)) if m[k][i]), None)
        if p is None:
            return None
        m[i], m[p] = m[p], m[i]
        m[i] = [x / m[i][i] for x in m[i]]
        m = [r if k == i else [x - r[i] * y for x, y in zip(r, m[i])] for k, r in enumerate(m)]
    return [r[-1] for r in m]

def pressing(g, normals):
    """Moreau: s >= 0 and d of g = sum s_c n_c + d, d.n_c <= 0, s_c d.n_c = 0; of perpendicular normals s = n.g/n.n, of any sign."""
    if all(not dot(a, b) for a, b in itertools.combinations(normals, 2)):
        return [dot(n, g) / dot(n, n) for n in normals], None
    for m in range(4):
        for sub in itertools.combinations(range(len(normals)), m):
            s = solve([[dot(normals[a], normals[b]) for b in sub] for a in sub], [dot(normals[a], g) for a in sub])
            if s is not None and all(x >= 0 for x in s):
                s = [s[sub.index(c)] if c in sub else F(0) for c in range(len(normals))]
                d = [g[r] - sum(x * n[r] for x, n in zip(s, normals)) for r in range(3)]
                if all(dot(n, d) <= 0 for n in normals):
                    return s, d
    return fail("a force that cannot be split among obstacles")

def spread(normals):  # by how much a pressing force can change where g changes by 1
    worst = F(1)
    for sub in [s for m in (2, 3) for s in itertools.combinations(normals, m)]:
        for i, n in enumerate(sub):
            x = solve([[dot(a, b) for b in sub] for a in sub], [F(n is b) for b in sub])
            worst = max(worst, root(x[i] * dot(n, n))) if x else worst
    return worst

class Judge:  # (S) and (E) of the polygon, piece by piece, in which tables are affine
    def __init__(self, scene):
        self.scene, self.stability, self.sum, self.balance, self.width = scene, F(0), F(0), F(0), F(0)

    def piece(self, first, second):
        (t0, z0, az0, g0, h0, react0), (t1, z1, az1, g1, h1, react1) = first, second
        h, mean, bend, way = t1 - t0, [(a + b) / 2 for a, b in zip(az0, az1)], [F(0)] * len(z0), [b - a for a, b in zip(z0, z1)]
        for atom, b in self.scene.loads.items():
            m = (value(atom, t0) + value(atom, t1)) / 2
            if atom[0] == "sine" and atom[1]:
                w = 2 * PI * atom[1]
                m = (sine(*atom[1:], t0, 1) - sine(*atom[1:], t1, 1)) / (w * h)
                self.width += 4 * self.scene.slack / (abs(w) * h) * norm(way)
                for i, x in b.items():
                    bend[i] += abs(x) * (w * h) ** 2 / 8  # the most by which it leaves its chord
            for i, x in b.items():
                mean[i] -= x * m
        self.sum += dot(way, mean)  # of g.dz
        for j, contacts in enumerate(self.scene.contacts):
            s, closed = slice(3 * j, 3 * j + 3), [c for c in range(len(contacts)) if h0[j][c] == 0 == h1[j][c]]
            self.sum += self.particle([contacts[c] for c in closed], (t0, t1), (g0[s], g1[s]), mean[s], norm(way[s]), bend[s],
                                      [[r.get((j, c), ZERO) for c in closed] for r in (react0, react1)])
        self.sum, self.width = up(self.sum), up(self.width + self.scene.slack * norm(way) + TINY)
        self.balance = max(self.balance, abs(self.sum))
        return bend

    def particle(self, contacts, times, g, mean, way, bend, reactions):
        """Takes a particle over a piece into (S); returns what its friction takes."""
        normals, slack, taken = [c[0] for c in contacts], self.scene.slack, F(0)
        near = spread(normals) * (norm([x for r, x in enumerate(bend) if any(n[r] for n in normals)]) + slack)
        (s0, d0), (s1, d1) = (pressing(x, normals) for x in g)
        turns = [d0 and (a * dot(n, d1) or b * dot(n, d0)) for n, a, b in zip(normals, s0, s1)]  # another face of the cone
        mu, loose = [[scalar(c[2], t) for t in times] for c in contacts], [F(0), F(0)]
        for k, s in enumerate((s0, s1)):
            left = list(g[k])
            for c, n in enumerate(normals):
                r = g[k] if len(normals) == 1 else reactions[k][c]
                push = dot(r, n) / dot(n, n)
                drag = [a - push * b for a, b in zip(r, n)]
                hold = F(0) if turns[c] else mu[c][k] * max(s[c], F(0)) * norm(n)
                loose[k] += max(norm(drag) - hold, F(0)) + abs(s[c]) * TINY
                left = [a - max(push, F(0)) * b - d for a, b, d in zip(left, n, drag)]
            loose[k] += norm(left)
        most = max(loose) + norm(bend) + slack
        for n, m, a, b, turn in zip(normals, mu, s0, s1, turns):
            size, dmu, kink = norm(n), m[1] - m[0], min(abs(a), abs(b)) if a * b < 0 else F(0)  # of the positive part
            plain, a, b = not d0 and min(a, b) * size >= near, max(a, F(0)), max(b, F(0))
            most += max(m) * (near + kink * size) + max(dmu * (b - a), F(0)) * size / 4
            middle = dot(n, mean) / dot(n, n) if plain else (a + b) / 2
            taken += way * size * ((m[0] + m[1]) / 2 * middle + dmu * (b - a) / 12)
            doubt = slack if plain else near + (max(a, b) if turn else kink) * size
            self.width += way * (max(m) * doubt + abs(dmu) * near / 2) + TINY * (way + abs(middle)) * size
        self.stability = max(self.stability, most)
        return taken

def polygon(scene, proof):
    nodes = [(F(n["t"]), [F(x) for x in n["z"]], {(int(c["particle"]), int(c["obstacle"])): [F(x) for x in c["reaction"]]
                                                  for c in n.get("contacts", [])}) for n in proof["nodes"]]
    times = [n[0] for n in nodes]
    if len(nodes) < 2 or times[0] or any(b <= a for a, b in zip(times, times[1:])) or any(len(n[1]) != len(scene.start) for n in nodes):
        fail("the nodes are no polygon from t = 0")
    return fail("a knot of a table is no node") if {s for s in scene.knots() if 0 < s < times[-1]} - set(times) else nodes

def apart(scene, nodes, file):
    """How far the rows of the trajectory and the start of the case are from the polygon."""
    far = lambda x, y: max(norm([a - b for a, b in zip(x[j:j + 3], y[j:j + 3])]) for j in range(0, len(x), 3))
    worst, k, t = F(0), 0, F(0)
    rows = csv.reader(open(file, newline=""))
    if next(rows) != ["t"] + [p + "." + x for p in scene.ids for x in "xyz"]:
        fail("trajectory.csv has other columns than the case")
    for row in rows:
        t, k = F(row[0]), k if F(row[0]) >= t else fail("the rows go back in time")
        while k + 2 < len(nodes) and nodes[k + 1][0] <= t:
            k += 1
        (a, x, _), (b, y, _) = nodes[k], nodes[k + 1]
        worst = max(worst, far([p + (t - a) / (b - a) * (q - p) for p, q in zip(x, y)], [F(v) for v in row[1:]]))
    _ = abs(t - nodes[-1][0]) > t / 2**40 and fail("the nodes end elsewhere than the trajectory")
    return worst, far(nodes[0][1], scene.start)

def main(folder, file):
    from check_tube import Tube
    proof, case = (json.load(open(name), parse_float=F, parse_int=F, parse_constant=fail) for name in (file, folder + "/case.json"))
    for name, said in ("case.json", "case_sha256"), ("trajectory.csv", "trajectory_sha256"):
        if hashlib.sha256(open(folder + "/" + name, "rb").read()).hexdigest() != proof[said]:
            fail(name + " is not the file that the proof is of")
    scene = Scene(case) if case["model"] == "energetic" else fail("the model is not energetic")
    nodes, judge, tube, last = polygon(scene, proof), Judge(scene), Tube(scene), None
    for n in nodes:
        node = scene.at(*n)
        _ = last and tube.piece(last, node, judge.piece(last, node))
        last = node
    off, start = apart(scene, nodes, folder + "/trajectory.csv")
    numbers = {"stability": judge.stability, "balance": judge.balance + judge.width, "apart": off, "start": start,
               "tube": None if tube.why else tube.largest() + off}
    print(json.dumps({k: v if v is None else float(v) for k, v in numbers.items()}), tube.why or "")
    for name, x in numbers.items():
        claim = proof["claims"].get(name)
        if (x is None) != (claim is None) or x is not None and x > F(claim):
            fail("%s is at most %s, and %s is claimed" % (name, x and float(x), claim and float(claim)))
    print("PROVEN until t = %g, within the numbers that %s claims" % (nodes[-1][0], file))

if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except (ArithmeticError, AttributeError, LookupError, OSError, RecursionError, TypeError, ValueError) as e:
        fail("case or proof are not as they should be: %s: %s" % (type(e).__name__, e))

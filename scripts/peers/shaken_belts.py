"""Blocks on shaken belts with static and kinetic friction, in steps that the program chooses.

A block of m kg lies on a belt that goes at V + A w cos(w t). While it sticks its acceleration is that of the
belt, up to mu_s g; it slides with mu_k g until it is as fast as the belt. The motion is made here from event
to event, in closed form between two of them, each date by bisection to rounding.

    python3 scripts/peers/shaken_belts.py PROGRAM [COUNT [FIRST SEED]]

prints how many of the runs are certified, how many of these are wrong (place or friction off by more than the
accuracy of the run, 1 %), and how many are refused although both are right.
"""
import json, math, os, random, subprocess, sys, tempfile

G = 9.81


def scene(seed):
    r = random.Random(seed)
    f = r.uniform(.5, 4)
    w = 2 * math.pi * f
    static = r.uniform(.2, .6)
    kinetic = static * r.uniform(.4, .95)
    return dict(seed=seed, w=w, f=f, A=static * G * r.uniform(1.05, 2.5) / w**2, V=r.uniform(0, .5), static=static,
                kinetic=kinetic, until=r.uniform(1, 4) / f, mass=r.uniform(.2, 5))


def exact(s):
    """The way and the energy that friction takes, event by event."""
    A, w, V, end = s["A"], s["w"], s["V"], s["until"]
    belt = lambda t: V * t + A * math.sin(w * t)
    speed = lambda t: V + A * w * math.cos(w * t)
    pull = lambda t: -A * w * w * math.sin(w * t)

    def first(f, t, T):
        """The first zero of f after t that it passes to be positive, T if there is none."""
        n = max(16, math.ceil((T - t) * w * 400))
        a = t
        for k in range(1, n + 1):
            b = t + (T - t) * k / n
            if f(b) > 0 and b > t + 1e-12:
                lo, hi = a, b
                for _ in range(80):
                    m = .5 * (lo + hi)
                    lo, hi = (lo, m) if f(m) > 0 else (m, hi)
                return hi
            a = b
        return T

    t, x, v, taken, sticks = 0., 0., speed(0), 0., True
    while t < end:
        if sticks:
            u = first(lambda y: abs(pull(y)) - s["static"] * G, t, end)
            x, t, v, sticks = x + belt(u) - belt(t), u, speed(u), False
            side = 1 if pull(u) > 0 else -1  # friction drives the block that way
            continue
        a, t0, v0, x0 = side * s["kinetic"] * G, t, v, x
        u = first(lambda y: side * (v0 + a * (y - t0) - speed(y)), t0, end)
        way = v0 * (u - t0) + .5 * a * (u - t0)**2
        taken += abs(s["kinetic"] * G * s["mass"] * (way - belt(u) + belt(t0)))
        x, v, t = x0 + way, speed(u), u
        sticks = abs(pull(u)) <= s["static"] * G
        side = 1 if pull(u) > 0 else -1
    return x, taken


def case(s):
    return {"name": "belt-%d" % s["seed"], "description": "a block on a shaken belt", "model": "rigid",
            "until": s["until"], "dimension": 2, "gravity": [0, -G], "alpha": .5,
            "obstacles": {"belt": {"point": [0, 0], "normal": [0, 1], "motion": {"translation": [
                {"sum": [{"sine": {"amplitude": s["A"], "frequency": s["f"]}}, {"table": [[0, 0], [10, 10 * s["V"]]]}]}
                if s["V"] else {"sine": {"amplitude": s["A"], "frequency": s["f"]}}, 0]}}},
            "friction": {"dry": {"static": s["static"], "kinetic": s["kinetic"]}}, "material": "dry",
            "bodies": [{"id": "block", "mass": s["mass"], "position": [0, .05],
                        "velocity": [s["V"] + s["A"] * s["w"], 0],
                        "shape": {"type": "polygon", "vertices": [[-.2, -.05], [.2, -.05], [.2, .05], [-.2, .05]]}}],
            "expect": [{"quantity": "displacement", "body": "block", "axis": "x", "value": 0, "tolerance": 1e9},
                       {"quantity": "dissipation", "value": 0, "tolerance": 1e9}]}


def main():
    program, count = os.path.abspath(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 150
    begin = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    certified = wrong = right = 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(begin, begin + count):
            s = scene(seed)
            path = os.path.join(folder, "belt.json")
            with open(path, "w") as f:
                json.dump(case(s), f)
            out = subprocess.run([program, "run", path, "--json", "--out", os.path.join(folder, "out")], capture_output=True, text=True)
            try:
                run = json.loads(out.stdout)[0]
                place, taken = [o["value"] for o in run["expectations"]]
            except (ValueError, KeyError, TypeError):
                print(seed, out.returncode, out.stderr.strip() or out.stdout[:300])
                continue
            x, d = exact(s)
            off = max(abs(place - x) / max(abs(x), s["A"]), abs(taken - d) / d if d else 0)
            if run["certified"]:
                certified += 1
                wrong += off > .01
            else:
                right += off <= .01
            if not run["certified"] or off > .01:
                print("%4d  certified %-5s  off %.2g  %s" % (seed, run["certified"], off, run.get("message", "")[:150]))
    print("%d of %d certified, %d of them wrong; %d refused that are right" % (certified, count, wrong, right))


if __name__ == "__main__":
    main()

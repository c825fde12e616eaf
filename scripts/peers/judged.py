"""Random scenes whose answer is known, run by the program: which certified ones are further off than they say."""
import json
import os
import subprocess
import sys
import tempfile


def expected(binary, case):
    """The summary of a run of a case; None, with what was said, if there is none."""
    with tempfile.TemporaryDirectory() as d:
        file, summary = os.path.join(d, "scene.json"), os.path.join(d, "out", "summary.json")
        with open(file, "w") as f:
            json.dump(case, f)
        r = subprocess.run([binary, "run", file, "--out", os.path.join(d, "out")], capture_output=True, text=True)
        if not os.path.exists(summary):
            print("no summary:", r.stderr.strip()[:300])
            return None
        with open(summary) as f:
            return json.load(f)


def judge(binary, seeds, scene):
    """Runs scene(seed) = (case, off) for all seeds, off(values) what the values that the case expects are off by,
    of their sizes; exits with 1 if a certified one is off by more than the accuracy of .01."""
    certified, wrong, worst = 0, 0, 0
    for seed in seeds:
        case, off_by = scene(seed)
        out = expected(binary, case)
        if out is None:
            wrong += 1
            continue
        values = [e["value"] for e in out["expectations"]]
        if not values or any(v is None for v in values):
            print(f"scene {seed}: {out['status']}: {out.get('message', '')[:200]}")
            continue
        off = off_by(values)
        if not out["certified"]:
            print(f"scene {seed}: not certified, off by {100*off:.3g} %: {[f.get('name') for f in out['facts'] if not f['passed']][:1]}")
            continue
        certified, worst = certified + 1, max(worst, off)
        if off > 0.01:
            wrong += 1
            print(f"scene {seed}: certified, and off by {100*off:.3g} %")
    print(f"{len(seeds)} scenes, {certified} certified, off by {100*worst:.3g} % at most, {wrong} wrong")
    sys.exit(wrong > 0)

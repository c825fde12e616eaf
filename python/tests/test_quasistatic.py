"""Tests at the door: closed forms, errors with their place, and processes that die. Run by
`python3 -m unittest discover python/tests` with QUASISTATIC_PROGRAM set or the program on the path."""
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))
import quasistatic as qs  # noqa: E402


def play(**keys):
    """A particle that follows a spring with play: μN/k = .3 m, closed form in the reference."""
    return {
        "name": "play", "model": "energetic", "until": 2, "steps": 800, "friction": {"dry": {"mu": 0.4}},
        "particles": [{"id": "p", "at": np.zeros(3), "friction": "dry"}],
        "anchors": [{"id": "u", "at": {"sine": {"amplitude": [1, 0, 0], "frequency": 1, "offset": [0, 0, -0.3]}}}],
        "energies": [{"type": "tether", "particle": "p", "anchor": "u", "stiffness": [2, 2, 5]}], **keys}


class Runs(unittest.TestCase):
    def test_closed_form(self):
        run = qs.run(play())
        self.assertTrue(run.certified and run.met, run.verdict)
        x = run["trajectory"]["x:p"]
        np.testing.assert_array_equal(x, run["trajectory"]["p.x"])
        u, want = np.sin(2 * np.pi * run["trajectory"].t), 0.0
        for k in range(len(x)):
            want = np.clip(want, u[k] - 0.3, u[k] + 0.3)
            self.assertAlmostEqual(x[k], want, delta=1e-10)
        self.assertAlmostEqual(run["certificates"]["dissipation"][-1], 3.18, delta=2e-3)
        self.assertEqual((run["trajectory"].units["p.x"], run["forces"].units["p.n"], run["certificates"].units["energy"]), ("m", "N", "J"))
        self.assertEqual([e.after for e in run.events][:2], ["slip", "stick"])
        self.assertEqual(run["trajectory"].of("p").dtype.names, ("t", "x", "y", "z"))
        self.assertTrue(any(f.word == "accurate" and f.passed for f in run.facts))

    def test_not_accurate_is_a_value(self):
        run = qs.run(play(steps=8))
        self.assertFalse(run.certified)
        self.assertIn("NOT CERTIFIED", run.verdict)

    def test_folder_has_the_same_numbers(self):
        with tempfile.TemporaryDirectory() as d:
            written = qs.run(play(), out=Path(d) / "a b")
            memory = qs.run(play())
            again = qs.read(Path(d) / "a b")
            for t in memory:
                np.testing.assert_array_equal(memory[t].values, written[t].values)
                np.testing.assert_array_equal(memory[t].values, again[t].values)
            with open(Path(d) / "a b" / "trajectory.csv", "r+") as f:
                f.seek(60)
                f.write("7")
            with self.assertRaises(qs.QuasistaticError):
                qs.read(Path(d) / "a b")

    def test_folders_that_change(self):
        """A file is looked for where Python is now, and not where the engine was started."""
        qs.engine()
        here = os.getcwd()
        with tempfile.TemporaryDirectory() as d:
            os.chdir(d)
            try:
                Path("mine.json").write_text(json.dumps(play(particles=[{"id": "p", "at": [0, 0, 0], "friction": "dry"}])))
                self.assertTrue(qs.run("mine.json").certified)
            finally:
                os.chdir(here)

    def test_report(self):
        self.assertIn("<html", qs.run(play())._repr_html_().replace("&lt;", "<"))

    def test_wrong_cases(self):
        with self.assertRaises(qs.CaseError) as e:
            qs.run(play(frction=1))
        self.assertEqual(e.exception.path, "$.frction")
        self.assertIn('"friction"', str(e.exception))
        with self.assertRaisesRegex(qs.InputError, "play"):
            qs.run("plya")
        with self.assertRaises((TypeError, ValueError)):
            qs.run(play(until=object()))
        with self.assertRaises(ValueError):
            qs.run(play(until=float("nan")))
        with self.assertRaises(KeyError):
            qs.run(play())["trajectory"]["q.x"]

    def test_case(self):
        c = qs.Case("energetic", until=2, steps=800)
        c.friction.dry.mu = 0.4
        c.particles = [{"id": "p", "at": np.zeros(3), "friction": "dry"}]
        c.anchors, c.energies = play()["anchors"], play()["energies"]
        np.testing.assert_array_equal(c.run()["trajectory"].values, qs.run(play())["trajectory"].values)
        self.assertIn("until", dir(c))
        with self.assertRaisesRegex(qs.InputError, "'until'"):
            c.untill = 3
        with self.assertRaisesRegex(qs.InputError, "no model"):
            qs.Case("energtic")
        self.assertEqual(c.check()["objections"] or [], [])

    def test_cases_of_the_documents(self):
        """Every key that a document writes is one for Case too."""
        page = (Path(__file__).parents[2] / "docs" / "how-do-i-say.md").read_text(encoding="utf-8")
        blocks = [json.loads(b) for b in re.findall(r"```json\n(.*?)```", page, re.S)]
        self.assertGreater(len(blocks), 30)
        for block in blocks:
            with self.subTest(block):
                self.assertEqual(qs.Case(**block), block)

    def test_sweep_is_runs(self):
        mu = [0.2, 0.4]
        s = qs.sweep(play(), {"friction.dry.mu": mu, "steps": [100, 200]}, ["dissipation time=2"])
        self.assertEqual(len(s), 4)
        for row, observed, verdict in zip(s.values, s.observed, s.verdicts):
            run = qs.run(play(), set={"friction.dry.mu": row[0], "steps": int(row[1])})
            self.assertAlmostEqual(run["certificates"]["dissipation"][-1], observed[0], delta=1e-15)
            self.assertEqual(verdict == "certified", run.certified)


class Gradients(unittest.TestCase):
    def test_against_differences(self):
        of, by = "dissipation time=2", "friction.dry.mu"
        f = qs.value_and_grad(qs.Case.read("chain-exact"), of, [by])
        mu, h = 0.4, 1e-4
        value, gradient = f([mu])
        self.assertAlmostEqual(gradient[0], (f([mu + h])[0] - f([mu - h])[0]) / (2 * h), delta=1e-6 * abs(gradient[0]))
        g = qs.grad("chain-exact", of, by)
        self.assertLess(g.ranges[0][0], mu)
        self.assertGreater(g.ranges[0][1], mu)

    def test_fit(self):
        """μ and the stiffness that made two numbers are found again by Newton's method."""
        case, by = qs.Case.read("chain-exact"), ["friction.dry.mu", "energies[0].stiffness"]
        of = ["dissipation time=2", "position particle=%s axis=x time=2" % case["particles"][0]["id"]]
        f = qs.value_and_grad(case, of, by)
        true = np.array([0.42, 1.02 * case["energies"][0]["stiffness"]])
        data, x = f(true)[0], np.array([0.4, case["energies"][0]["stiffness"]])
        for _ in range(8):
            value, jacobian = f(x)
            x = x - np.linalg.lstsq(jacobian, value - data, rcond=None)[0]
        np.testing.assert_allclose(f(x)[0], data, rtol=1e-9)

    def test_fit_with_noise(self):
        """μ and k of least squares are those of the closed form, and true within the noise.

        A load F pushes forwards. The particle is at x = û + s a + b with a = μN/k and b = F/k; s = -1 and û = u where it
        slides forwards, s = 1 and û = u backwards, and it stays where u turns at ±1. So x - û on s is a straight line,
        and μ and k are a one-to-one map of a and b: the same residuals are the least.
        """
        push, press, noise, true = 0.4, 1.5, 0.002, np.array([0.43, 2.2])
        case = play(until=1)
        case["energies"].append({"type": "load", "particle": "p", "force": [push, 0, 0]})
        t = np.linspace(0.15, 1, 18)  # from 0.05 s on it slides
        u, a, b = np.sin(2 * np.pi * t), true[0] * press / true[1], push / true[1]
        late, later = t > 0.25, t > 0.75
        back = late & (u < 1 - 2 * a)  # from then on, until the end has come back by 2a once more
        s = np.where((late & ~back & ~later) | ~late | (later & (u > 2 * a - 1)), -1.0, 1.0)
        top = np.where(late & ~later & (s < 0), 1.0, np.where(later & (s > 0), -1.0, u))
        exact = top + s * a + b
        of = [f"position particle=p axis=x time={x:.17g}" for x in t]
        f = qs.value_and_grad(case, of, ["friction.dry.mu", "energies[0].stiffness[0]"])
        np.testing.assert_allclose(f(true)[0], exact, atol=1e-12)
        data = exact + np.random.default_rng(7).normal(0, noise, len(t))
        x = np.array([0.35, 2.0])
        for _ in range(6):
            value, jacobian = f(x)
            x = x + np.linalg.lstsq(jacobian, data - value, rcond=None)[0]
        (a, b), *_ = np.linalg.lstsq(np.column_stack([s, np.ones(len(t))]), data - top, rcond=None)
        np.testing.assert_allclose(x, [a * push / b / press, push / b], rtol=1e-9)
        error = noise * np.sqrt(np.diag(np.linalg.inv(jacobian.T @ jacobian)))
        self.assertTrue(np.all(np.abs(x - true) < 3 * error), f"{x} ± {error}, true {true}")
        self.assertGreater(np.abs(x - true).max(), 1e-4)  # the noise is in the data


class Problems(unittest.TestCase):
    def test_lcp(self):
        rng = np.random.default_rng(1)
        a = rng.normal(size=(50, 6, 6))
        m, q = a @ a.transpose(0, 2, 1) + np.eye(6), rng.normal(size=(50, 6))
        s = qs.lcp(m, q)
        self.assertTrue(np.all(s.solved))
        np.testing.assert_allclose(s.w, np.einsum("bij,bj->bi", m, s.z) + q, atol=1e-12)
        self.assertLess(np.abs(s.z * s.w).max(), 1e-10)
        one = qs.lcp(m[3], q[3])
        np.testing.assert_array_equal(one.z, s.z[3])

    def test_contact(self):
        s = qs.contact(np.eye(3), [-1, 0.5, 0], 0.3, derivatives=True)
        self.assertTrue(s.solved)
        np.testing.assert_allclose(s.r, [1, -0.3, 0], atol=1e-12)
        np.testing.assert_allclose(s.u, [0, 0.2, 0], atol=1e-12)
        np.testing.assert_allclose(s.dr_dbound[:, 0], [0, -1, 0], atol=1e-9)
        h = 1e-6
        difference = (qs.contact(np.eye(3), [-1, 0.5 + h, 0], 0.3).u - s.u) / h
        np.testing.assert_allclose(s.du_dq[:, 1], difference, atol=1e-5)
        cohesive = qs.contact(np.eye(3), [-1, 2, 0], laws=[{"law": "cohesive", "mu": 0.3, "cohesion": 0.5, "tension": 0}])
        np.testing.assert_allclose(cohesive.r, [1, -0.8, 0], atol=1e-12)

    def test_sparse(self):
        try:
            import scipy.sparse as sparse
        except ImportError:
            self.skipTest("no scipy")
        rng = np.random.default_rng(2)
        h = sparse.random(60, 90, 0.1, random_state=3)
        w, q = (h @ h.T).tocsr(), rng.normal(size=60)
        np.testing.assert_allclose(qs.contact(w, q, 0.5).u, qs.contact(w.toarray(), q, 0.5).u, atol=1e-7)

    def test_solve(self):
        """One door for all forms: what it says is what the doors of one form say, and of a global problem its reduction."""
        w, q = 2 * np.eye(6) + 0.1, np.array([-1, 0.5, 0.2, -2, 0.1, -3])
        m, h, f = np.diag([1.0, 2, 4, 1, 2, 4]), np.eye(6)[:, :3], np.array([1.0, 2, -4, 0, 0, 0])
        a, b = np.array([[2.0, 1], [1, 2]]), np.array([-5.0, -6])
        local, glob, lcp, mixed = qs.solve(
            [{"W": w, "q": q, "mu": 0.3}, {"M": m, "H": h, "f": f, "w": [-3, 0, 0], "mu": [0.3]},
             {"M": a, "q": b}, {"M": a, "q": b, "equality": [True, False]}], derivatives=False)
        np.testing.assert_array_equal(local.r, qs.contact(w, q, 0.3).r)
        np.testing.assert_allclose(m @ glob.v, f + h @ glob.r, atol=1e-12)
        np.testing.assert_allclose(glob.u, h.T @ glob.v + [-3, 0, 0], atol=1e-12)
        np.testing.assert_allclose(glob.u, qs.contact(h.T @ np.linalg.inv(m) @ h, h.T @ (f / np.diag(m)) + [-3, 0, 0], 0.3).u, atol=1e-9)
        np.testing.assert_array_equal(lcp.z, qs.lcp(a, b).z)
        np.testing.assert_allclose(mixed.z, [4 / 3, 7 / 3], atol=1e-12)
        self.assertLess(max(local.merit, glob.merit, lcp.residual, mixed.residual), 1e-8)
        one = qs.solve({"W": np.eye(3), "q": [-1, 0.5, 0], "laws": [{"law": "coulomb", "mu": 0.3}]}, derivatives=True)
        np.testing.assert_allclose(one.dr_dbound[:, 0], [0, -1, 0], atol=1e-9)
        self.assertEqual(one.edges, [])
        edge = qs.contact(np.eye(3), [[-1, 0.3, 0], [-1, 0.5, 0]], 0.3, derivatives=True)  # on the edge of the cone
        self.assertEqual(edge.edges, [[0], []])
        with self.assertRaisesRegex(qs.InputError, "problem 1: q has 3 numbers, want 2, as M has rows"):
            qs.solve([{"M": a, "q": b}, {"M": a, "q": [1, 2, 3]}])
        with self.assertRaisesRegex(qs.InputError, "nu"):
            qs.solve({"W": np.eye(3), "q": [-1, 0, 0], "nu": 1})

    def test_wrong_problems(self):
        """What is wrong with the arrays of a problem is said of these: another one was blamed, or Python or numpy spoke."""
        w, q = np.eye(6), np.array([-1, 0.1, 0, -1, 0.2, 0])
        glob = {"M": w, "H": w, "f": q, "w": np.zeros(6), "mu": 0.3}
        for problem, want in (({"W": w, "q": q, "mu": [0.3] * 3}, "mu has 3 numbers, want one, or one for each of 2 contacts"),
                              ({**glob, "w": None}, "w missing: problems of the kind global have M, H, f, w"),
                              ({**glob, "f": q * np.nan}, "f has 6 numbers that are not finite"),
                              ({**glob, "f": q[:5]}, "f has 5 numbers, want 6, as M has rows"),
                              ({**glob, "mu": None}, "friction is missing"),
                              (w, "a problem is of ndarray, want a file, or a mapping"),
                              ({**glob, "M": 0 * w}, "want masses or springs of it in M")):
            with self.assertRaisesRegex(qs.InputError, want):
                qs.solve(problem)

    def test_solve_files(self):
        with tempfile.TemporaryDirectory() as d:
            file = Path(d) / "lcp.dat"
            file.write_text("2\n0\n2\n2\n2 2\n2 1 1 2\n-5 -6\n")  # as Siconos prints them
            x, same = qs.solve([file, file])
        np.testing.assert_allclose(x.z, [4 / 3, 7 / 3], atol=1e-12)
        np.testing.assert_array_equal(x.z, same.z)
        with self.assertRaisesRegex(qs.InputError, "no such file"):
            qs.solve("nowhere.dat")

    def test_sparse_solve(self):
        try:
            import scipy.sparse as sparse
        except ImportError:
            self.skipTest("no scipy")
        rng = np.random.default_rng(2)
        h = sparse.random(90, 60, 0.1, random_state=3)
        m, f, w = sparse.diags(np.arange(1.0, 91)), rng.normal(size=90), rng.normal(size=60)
        x = qs.solve({"M": m, "H": h, "f": f, "w": w, "mu": 0.5})
        dense = qs.solve({"M": m.toarray(), "H": h.toarray(), "f": f, "w": w, "mu": 0.5})
        self.assertTrue(x.solved, x.message)
        np.testing.assert_allclose(x.u, dense.u, atol=1e-7)
        np.testing.assert_allclose(m @ x.v, f + h @ x.r, atol=1e-10)

    def test_not_solved_has_no_derivatives(self):
        x = qs.contact(np.zeros((3, 3)), [-1.0, 0, 0], 0.3, derivatives=True)  # W = 0: u_N < 0 whatever r is
        self.assertFalse(x.solved)
        self.assertTrue(np.all(np.isnan(x.dr_dq)))

    def test_wrong(self):
        for call in (lambda: qs.contact(np.eye(3), [1, 2], 0.3), lambda: qs.contact(np.eye(2), [-1, 0, 0], 0.3), lambda: qs.contact(np.eye(3), [-1, 0, 0], -1),
                     lambda: qs.contact(np.eye(3), [-1, 0, 0], laws=[{"law": "colomb"}]), lambda: qs.lcp(np.eye(3), [1.0, 2]), lambda: qs.lcp(np.full((1, 1), np.nan), [1.0])):
            with self.assertRaises(qs.InputError):
                call()

    def test_what_is_wrong_is_named(self):
        m, h = np.eye(4), np.ones((4, 3))
        for named, call in (("W has complex numbers", lambda: qs.contact(1j * np.eye(3), [-1, 0, 0], 0.3)), ("q has complex numbers", lambda: qs.lcp([[1.0]], [1j])),
                            ("H has 3 rows, want 4", lambda: qs.solve({"M": m, "H": h.T, "f": np.zeros(4), "w": np.zeros(3), "mu": 0.5})),
                            ("w has 3 numbers and dimension is 4", lambda: qs.solve({"M": m, "H": h, "f": np.zeros(4), "w": np.zeros(3), "mu": 0.5, "dimension": 4})),
                            ("dimension is 0", lambda: qs.solve({"W": np.eye(3), "q": np.zeros(3), "mu": 0.5, "dimension": 0}))):
            with self.assertRaisesRegex(qs.InputError, named):
                call()


class Processes(unittest.TestCase):
    def test_killed_server(self):
        e = qs.Engine()
        failed = []

        def long():
            try:
                e.call("run", {"case": "play", "set": ["until=20000", "steps=8000000"]})
            except qs.EngineError as x:
                failed.append(x)

        t = threading.Thread(target=long)
        t.start()
        time.sleep(0.2)
        e._process.kill()
        t.join(20)
        self.assertTrue(failed)
        with self.assertRaises(qs.EngineError):
            e.call("hello")
        shared = qs.engine()._process  # once: the next engine() may be a new one
        shared.kill()
        shared.wait()
        self.assertTrue(qs.lcp([[1.0]], [-1.0]).solved)  # the shared one is started again

    @unittest.skipIf(sys.platform == "win32", "signals")
    def test_parent_killed_and_interrupted(self):
        code = ("import quasistatic as qs, sys\nprint(qs.engine()._process.pid, flush=True)\n"
                "try:\n qs.run('play', set={'until': 20000, 'steps': 8000000})\nexcept KeyboardInterrupt:\n print(qs.lcp([[1.]], [-1.]).solved, flush=True)\n sys.stdin.read()")
        for sent in (signal.SIGINT, signal.SIGKILL):
            p = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])},
                                 preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))  # a shell's background ignores it
            server = int(p.stdout.readline())
            time.sleep(0.3)
            p.send_signal(sent)
            if sent == signal.SIGINT:
                self.assertEqual(p.stdout.readline().strip(), "True")  # cancelled, and the engine goes on
            p.kill()
            p.wait()
            p.stdin.close()
            p.stdout.close()
            for _ in range(200):
                if not Path(f"/proc/{server}").exists():
                    break
                time.sleep(0.05)
            else:
                self.fail("the engine outlives its parent")

    @unittest.skipIf(sys.platform == "win32", "fork")
    def test_fork(self):
        qs.lcp([[1.0]], [-1.0])
        child = os.fork()
        if child == 0:
            try:
                os._exit(0 if qs.lcp([[2.0]], [-1.0]).z[0] == 0.5 else 1)
            finally:
                os._exit(2)
        self.assertEqual(os.waitpid(child, 0)[1], 0)
        self.assertEqual(qs.lcp([[2.0]], [-1.0]).z[0], 0.5)

    def test_threads(self):
        wrong = []

        def work(k):
            for i in range(50):
                x = 1.0 + k + i
                if qs.lcp([[2.0]], [-x]).z[0] != x / 2:
                    wrong.append(k)

        threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.assertEqual(wrong, [])

    def test_memory(self):
        e = qs.Engine(memory="200MB")
        with self.assertRaisesRegex(qs.QuasistaticError, "of memory, more than 200 MB"):
            e.call("run", {"case": "press-and-drag-3d"})
        self.assertTrue(e.call("lcp", {}, {"M": [[1.0]], "q": [-1.0]})[0]["status"], ["converged"])
        e.close()


if __name__ == "__main__":
    unittest.main()

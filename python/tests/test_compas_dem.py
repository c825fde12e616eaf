"""The backend of compas_dem against a stub of what it uses of it: graph, contacts, Data.to_json, Problem.solve."""
import json
import sys
import types
import unittest
from pathlib import Path
from types import SimpleNamespace

sys.path.insert(0, str(Path(__file__).parents[1]))
from quasistatic import InputError, compas_dem  # noqa: E402


class Graph:
    def __init__(self, edges):
        self.data = {e: dict(a) for e, a in edges.items()}

    def edges(self):
        return iter(self.data)

    def edge_attribute(self, edge, name, value=None):
        if value is not None:
            self.data[edge][name] = value
        return self.data[edge].get(name)


class Problem:
    """Two cubes, the lower a support: a model of compas_dem as JSON, and as objects."""

    def __init__(self, gap=0.0):
        self.gap = gap
        corners = [[0, 0, 1], [0, 1, 1], [1, 1, 1], [1, 0, 1]]
        frame = SimpleNamespace(xaxis=[0, 1, 0], yaxis=[1, 0, 0], zaxis=[0, 0, -1])  # z downwards
        self.contact = SimpleNamespace(points=corners, frame=frame, forces=[])
        self.model = SimpleNamespace(graph=Graph({(0, 1): {"contacts": [self.contact]}}))

    def to_json(self, path):
        def block(z):
            vertex = {str(k): {"x": k & 1, "y": k >> 1 & 1, "z": z + (k >> 2 & 1)} for k in range(8)}
            face = dict(enumerate([[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]]))
            mesh = {"dtype": "compas.datastructures/Mesh", "data": {"vertex": vertex, "face": face, "attributes": {}}}
            return {"dtype": "compas_dem.elements/Block", "data": {"geometry": mesh, "is_support": z == 0, "material": "m"}}

        model = {"elements": {"a": block(0), "b": block(1 + self.gap)}, "materials": {"m": {"dtype": "x", "data": {"density": 2}}},
                 "graph": {"node": {"0": {"element": "a"}, "1": {"element": "b"}}, "edge": {}}}
        contact = {"contact_model": {"dtype": "x", "data": {"mu": 0.5}}}
        data = {"model": {"dtype": "compas_dem.models/BlockModel", "data": model}, "contact_properties": {"dtype": "x", "data": contact},
                "boundary_conditions": {"dtype": "x", "data": {"gravity": True, "g": 10.0}}}
        Path(path).write_text(json.dumps({"dtype": "compas_dem.problem/Problem", "data": data}))

    def solve(self, solver):
        return "of compas_dem: " + solver.name


class Backend(unittest.TestCase):
    def check(self, problem, answer):
        self.assertEqual(answer.verdict, "stands")
        self.assertTrue(answer.stands)
        self.assertAlmostEqual(problem.model.graph.edge_attribute((0, 1), "force")[2], 20, delta=1e-6)
        self.assertAlmostEqual(problem.model.graph.edge_attribute((0, 1), "force_magnitude"), 20, delta=1e-6)
        self.assertEqual(len(problem.contact.forces), 4)
        self.assertAlmostEqual(sum(f["c_np"] for f in problem.contact.forces), 20, delta=1e-6)
        self.assertAlmostEqual(sum(f["c_nn"] + abs(f["c_u"]) + abs(f["c_v"]) for f in problem.contact.forces), 0, delta=1e-6)

    def test_solve(self):
        problem = Problem()
        answer = compas_dem.solve(problem, compas_dem.Solver(margins=True, limit=5))
        self.check(problem, answer)
        self.assertAlmostEqual(answer.margins["least tilt"]["upper"], 26.565051, delta=1e-5)  # atan 1/2

    def test_install(self):
        sys.modules["compas_dem"], sys.modules["compas_dem.problem"] = types.ModuleType("compas_dem"), types.ModuleType("compas_dem.problem")
        sys.modules["compas_dem.problem"].Problem = Problem
        try:
            compas_dem.install()
            compas_dem.install()  # twice is once
            problem = Problem()
            self.check(problem, problem.solve(compas_dem.Solver()))
            self.assertEqual(problem.solve(SimpleNamespace(name="CRA")), "of compas_dem: CRA")
        finally:
            del sys.modules["compas_dem"], sys.modules["compas_dem.problem"]

    def test_fault(self):
        with self.assertRaisesRegex(InputError, r"touch nothing that reaches a support: 1 \(\$\.data\.model\.data\.graph\.node\.1\)"):
            compas_dem.solve(Problem(gap=0.5))


if __name__ == "__main__":
    unittest.main()

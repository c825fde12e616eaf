"""Compares the NPZ and VTU files of a run of a dynamic model with its CSV files, bit
for bit, by NumPy's and VTK's own readers (Debian: python3-numpy, python3-vtk9).

usage: tables.py RUN NPZ_FOLDER VTU_FOLDER [ARRAY]
"""
import csv
import os
import sys
import xml.etree.ElementTree as tree

import numpy
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkIOXML import vtkXMLUnstructuredGridReader

run, npz_folder, vtu_folder = sys.argv[1:4]
WORDS = {"contacts": 3, "events": 3, "collisions": 1, "impulses": 2}


def table(name):
    """times, words and numbers of a table"""
    with open(f"{run}/{name}.csv") as f:
        rows = list(csv.reader(f))
    words = WORDS.get(name, 0)
    header, rows = rows[0], rows[1:]
    t = numpy.array([float(r[0]) for r in rows])
    x = numpy.array([[float(v) for v in r[1 + words:]] for r in rows]).reshape(len(rows), len(header) - 1 - words)
    return header, t, [r[1:1 + words] for r in rows], x


def wanted(mesh):
    if toy:
        return [sys.argv[4]]
    return ["displacement", "velocity", "contact_force", "friction_force", "status"] + (["pressure"] if mesh else ["body"])


def same(what, a, b):
    if a.shape != b.shape or not (a == b).all():
        sys.exit(f"{what} differs: shapes {a.shape}, {b.shape}")


names = [f[:-4] for f in os.listdir(run) if f.endswith(".csv")]
with numpy.load(f"{npz_folder}/trajectory.npz") as z:
    for name in names:
        header, t, words, x = table(name)
        own = f"{name}_t" in z
        same(f"times of {name}", z[f"{name}_t" if own else "t"], t)
        same(name, z[name], x)
        first = 1 + WORDS.get(name, 0)
        assert list(z[f"{name}_columns"]) == header[first:], name
        for k, column in enumerate(header[1:first]):
            assert list(z[f"{name}_{column}"]) == [w[k] for w in words], column

mesh = "displacements" in names
toy = len(sys.argv) > 4  # a picture of the tests of package table: of its points only this array
_, times, _, x = table("displacements" if mesh else "trajectory")
files = tree.parse(f"{vtu_folder}/trajectory.pvd").getroot().findall("Collection/DataSet")
same("timestep", numpy.array([float(d.get("timestep")) for d in files]), times)
reader = vtkXMLUnstructuredGridReader()
rows = {name: [] for name in names}
for k, d in enumerate(files):
    reader.SetFileName(f"{vtu_folder}/{d.get('file')}")
    reader.Update()
    grid = reader.GetOutput()
    assert reader.GetErrorCode() == 0, d.get("file")
    points, cells, field = grid.GetPointData(), grid.GetCellData(), grid.GetFieldData()
    for name in wanted(mesh):
        assert points.GetArray(name).GetNumberOfTuples() == grid.GetNumberOfPoints() > 0, name
    for name in [] if toy else ["stress"] if mesh else ["kind", "body"]:
        assert cells.GetArray(name).GetNumberOfTuples() == grid.GetNumberOfCells() > 0, name
    at = vtk_to_numpy(grid.GetPoints().GetData())
    assert numpy.isfinite(at).all()
    for c in range(grid.GetNumberOfCells()):  # all points of a cell are there
        assert grid.GetCell(c).GetNumberOfPoints() > 0
    for name in names:
        if field.GetArray(f"{name}_t"):
            rows[name].append(vtk_to_numpy(field.GetArray(name)).reshape(-1, table(name)[3].shape[1]))
    if mesh and not toy:
        dim = 2
        same("mesh", vtk_to_numpy(points.GetArray("displacement"))[:, :dim].reshape(-1), x[k])
for name in ["trajectory", "velocities", "forces", "contacts", "displacements"]:
    if name in names:
        same(f"{name} in VTU", numpy.concatenate(rows[name]), table(name)[3])
print(f"{len(names)} tables, {len(files)} pictures: the same bits")

"""Compares the NPZ and VTU files of a run with its CSV files, bit for bit, by
NumPy's and VTK's own readers (Debian: python3-numpy, python3-vtk9).

usage: formats.py RUN NPZ_FOLDER VTU_FOLDER
"""
import sys
import xml.etree.ElementTree as tree

import numpy
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkIOXML import vtkXMLUnstructuredGridReader

run, npz_folder, vtu_folder = sys.argv[1:]


def table(name):
    with open(f"{run}/{name}.csv") as f:
        header = f.readline().strip().split(",")
    return header, numpy.loadtxt(f"{run}/{name}.csv", delimiter=",", skiprows=1, ndmin=2)


def same(what, a, b):
    if a.shape != b.shape or not (a == b).all():
        sys.exit(f"{what} differs: shapes {a.shape}, {b.shape}")


header, trajectory = table("trajectory")
_, forces = table("forces")
columns, certificates = table("certificates")
n = (len(header) - 1) // 3
x, r = trajectory[:, 1:].reshape(-1, n, 3), forces[:, 1:].reshape(-1, n, 3)

with numpy.load(f"{npz_folder}/trajectory.npz") as z:
    same("t", z["t"], trajectory[:, 0])
    same("trajectory", z["trajectory"], trajectory[:, 1:])
    same("forces", z["forces"], forces[:, 1:])
    same("certificates", z["certificates"], certificates[:, 1:])
    assert list(z["trajectory_columns"]) == header[1:] and list(z["certificates_columns"]) == columns[1:]
    assert set(z["trajectory_units"]) == {"m"} and set(z["forces_units"]) == {"N"}
    assert [f"{i}.x" for i in z["status_columns"]] == header[1::3], z["status_columns"]
    status = z["status"]

nodes = tree.parse(f"{vtu_folder}/trajectory.pvd").getroot().findall("Collection/DataSet")
same("timestep", numpy.array([float(d.get("timestep")) for d in nodes]), trajectory[:, 0])
reader = vtkXMLUnstructuredGridReader()
for k, d in enumerate(nodes):
    reader.SetFileName(f"{vtu_folder}/{d.get('file')}")
    reader.Update()
    grid = reader.GetOutput()
    assert reader.GetErrorCode() == 0 and grid.GetNumberOfPoints() >= n
    data = grid.GetPointData()
    same("points", vtk_to_numpy(grid.GetPoints().GetData())[:n], x[k])
    same("displacement", vtk_to_numpy(data.GetArray("displacement"))[:n], x[k] - x[0])
    same("reaction", vtk_to_numpy(data.GetArray("reaction"))[:n], r[k])
    same("status", vtk_to_numpy(data.GetArray("status"))[:n], status[k])
    total = vtk_to_numpy(data.GetArray("contact_force")) + vtk_to_numpy(data.GetArray("friction_force"))
    assert abs(numpy.linalg.norm(total[:n], axis=1) - numpy.linalg.norm(r[k], axis=1)).max() < 1e-12
    assert grid.GetCellData().GetArray("kind").GetNumberOfTuples() == grid.GetNumberOfCells() >= n
print(f"{len(nodes)} nodes of {n} particles, {grid.GetNumberOfCells()} cells: the same bits")

"""Checks the VTU files of elastic bodies on a floor, by VTK's own reader (Debian: python3-vtk9): Hooke's law between strain and
stress, von Mises' stress, contact as the force over the surface that VTK makes of the cells, and that final.vtu and the last file
of the series say the same.

usage: bodies.py YOUNG POISSON RUN VTU_FOLDER [RUN VTU_FOLDER ...]     (plane strain, or space; one body a run)
"""
import glob
import sys

import numpy
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkIOXML import vtkXMLUnstructuredGridReader


def near(what, a, b, size):
    if not numpy.abs(a - b).max() <= 1e-9 * size:
        sys.exit(f"{what}: {a}, want {b}")


def read(name):
    """a grid, with its arrays of points and of cells"""
    reader = vtkXMLUnstructuredGridReader()
    reader.SetFileName(name)
    reader.Update()
    assert reader.GetErrorCode() == 0, name
    grid, arrays = reader.GetOutput(), []
    for data in (grid.GetPointData(), grid.GetCellData()):
        arrays.append({data.GetArrayName(k): vtk_to_numpy(data.GetArray(k)) for k in range(data.GetNumberOfArrays())})
    for a in [*arrays[0].values(), *arrays[1].values()]:
        assert numpy.isfinite(a).all()
    return grid, *arrays


def check(run, vtu, young, poisson):
    grid, nodes, cells = read(f"{run}/final.vtu")
    kind = {grid.GetCellType(k) for k in range(grid.GetNumberOfCells())}
    s, e = cells["stress"], cells["strain"]
    size = numpy.abs(s).max()
    trace = e[:, :3].sum(axis=1)
    mu = young / 2 / (1 + poisson)
    hooke = 2 * mu * e
    hooke[:, :3] += (2 * mu * poisson / (1 - 2 * poisson) * trace)[:, None]
    near("stress", s, hooke, size)
    d = s[:, :3] - s[:, :3].mean(axis=1)[:, None]
    near("von Mises", cells["von_mises"], numpy.sqrt(1.5 * (d ** 2).sum(axis=1) + 3 * (s[:, 3:] ** 2).sum(axis=1)), size)

    # what a traction that is linear over each facet adds up to
    at, dim = vtk_to_numpy(grid.GetPoints().GetData()), 3 if kind <= {10, 12, 24} else 2
    low, normal, across = at[:, dim - 1].min(), 0.0, numpy.zeros(3)
    for k in range(grid.GetNumberOfCells()):
        c = grid.GetCell(k)
        for i in range(c.GetNumberOfFaces() if dim == 3 else c.GetNumberOfEdges()):
            f = c.GetFace(i) if dim == 3 else c.GetEdge(i)
            ids = [f.GetPointId(j) for j in range(f.GetNumberOfPoints())]
            if (at[ids][:, dim - 1] > low).any():
                continue
            p = at[ids[:dim]]
            area = numpy.linalg.norm(p[1] - p[0]) if dim == 2 else numpy.linalg.norm(numpy.cross(p[1] - p[0], p[2] - p[0])) / 2
            normal += area * nodes["pressure"][ids[:dim]].mean()
            across += area * nodes["friction_traction"][ids[:dim]].mean(axis=0)
            if len(ids) > dim:  # amid two others
                near("traction amid an edge", nodes["pressure"][ids[dim]], nodes["pressure"][ids[:2]].mean(), size)
    force, friction = nodes["contact_force"].sum(axis=0), nodes["friction_force"].sum(axis=0)
    assert force[dim - 1] > 0 and numpy.abs(friction).max() > 0
    near("pressure", normal, force[dim - 1], force[dim - 1])
    near("friction", across, friction, force[dim - 1])

    last, points, all_cells = read(sorted(glob.glob(f"{vtu}/*.vtu.d/*.vtu"))[-1])
    energetic = "kind" in all_cells
    turned = energetic and dim == 2  # y of a plane mesh is z of the series
    order = [0, 2, 1] if turned else [0, 1, 2]
    for name in ["displacement", "contact_force", "friction_force", "friction_traction"]:
        near(name, points[name][:, order], nodes[name], numpy.abs(nodes[name]).max())
    near("pressures", points["pressure"], nodes["pressure"], size)
    n = last.GetNumberOfCells() - grid.GetNumberOfCells()
    order = [0, 2, 1, 5, 4, 3] if turned else [0, 1, 2, 3, 4, 5]
    assert ("error_indicator" in cells) == energetic
    for name in cells:
        a = all_cells[name]
        near(name, a[n:][:, order] if a.ndim == 2 else a[n:], cells[name], numpy.abs(cells[name]).max())
        assert not a[:n].any()
    print(f"cells {kind}: pressed by {force[dim - 1]:.6g} N")


numpy.seterr(all="raise", under="ignore")
for k in range(3, len(sys.argv), 2):
    check(sys.argv[k], sys.argv[k + 1], float(sys.argv[1]), float(sys.argv[2]))

package fem

import (
	"errors"
	"fmt"
	"math"
)

// Orthotropic is a linearly elastic material with three planes of symmetry, by its engineering constants in its own
// axes 1, 2, 3, where ε_22 = −ν_12 σ_1/E_1 under a tension σ_1 and ν_ij/E_i = ν_ji/E_j [Jones99] (2.15). Axis 3 is z
// (out of the plane, and the hoop of a ring), and axis 1 is turned from x towards y by Angle.
type Orthotropic struct {
	Young   []float64 // E_1, E_2, E_3 [Pa]; without E_3 in plane stress
	Poisson []float64 // ν_12, ν_13, ν_23 [-]; ν_12 alone in plane stress
	Shear   []float64 // G_12, G_13, G_23 [Pa]; G_12 alone in the plane
	Angle   float64   // [rad]
}

// errOrthotropic is of what is there for isotropic materials only.
var errOrthotropic = errors.New("fem: the material is orthotropic, where an isotropic one is wanted")

// validate names what is missing, not finite, or leaves some strain without energy.
func (o *Orthotropic) validate(dim int, k Kinematics) error {
	invalid := func(format string, args ...any) error {
		return &ParameterError{"orthotropic", fmt.Sprintf("an orthotropic material: "+format, args...)}
	}
	normal, shear := [2]int{3, 3}, 3
	switch {
	case dim == 1:
		return invalid("a bar is stretched along its axis alone, and has Young's modulus of that")
	case dim == 2 && k == PlaneStress:
		normal, shear = [2]int{2, 1}, 1
	case dim == 2:
		shear = 1
	}
	if len(o.Young) != normal[0] || len(o.Poisson) != normal[1] || len(o.Shear) != shear {
		return invalid("found %d moduli of Young, %d ratios of Poisson and %d shear moduli, want %d, %d and %d",
			len(o.Young), len(o.Poisson), len(o.Shear), normal[0], normal[1], shear)
	}
	for _, list := range [][]float64{o.Young, o.Shear} {
		for _, x := range list {
			if !(x > 0) || math.IsInf(x, 1) {
				return invalid("a modulus is %g, want finite numbers > 0", x)
			}
		}
	}
	if math.IsNaN(o.Angle) || math.IsInf(o.Angle, 0) {
		return invalid("the angle is %g", o.Angle)
	}
	for i, nu := range o.Poisson {
		pair := axisPairs[i]
		most := math.Sqrt(o.Young[pair[0]] / o.Young[pair[1]])
		if !(math.Abs(nu) < most) {
			return invalid("ν_%d%d is %g, want less than √(E_%[1]d/E_%[2]d) = %.4[4]g in size, as strains would have no energy",
				pair[0]+1, pair[1]+1, nu, most)
		}
	}
	// Rounding in the determinant, 1e-16, is that part of the moduli over it: six digits stay.
	if _, det := o.normal(); !(det > 1e-10) {
		return invalid("1 − ν_12 ν_21 − ν_23 ν_32 − ν_13 ν_31 − 2 ν_12 ν_23 ν_31 is %.4g, want more than 0 (1e-10 for rounding): "+
			"some strain has no energy, or the material is incompressible", det)
	}
	return nil
}

// axisPairs are the axes of each ratio of Poisson.
var axisPairs = [3][2]int{{0, 1}, {0, 2}, {1, 2}}

// normal returns the moduli between the normal strains in the axes of the material, and the determinant of the
// compliance times E_1 E_2 E_3: with r_ij = ν_ij √(E_j/E_i), that of 1 on the diagonal and −r_ij beside it.
func (o *Orthotropic) normal() (c [3][3]float64, det float64) {
	var r [3]float64 // r_12, r_13, r_23
	root := [3]float64{}
	for i, e := range o.Young {
		root[i] = math.Sqrt(e)
	}
	for i, nu := range o.Poisson {
		pair := axisPairs[i]
		r[i] = nu * root[pair[1]] / root[pair[0]]
	}
	det = 1 - r[0]*r[0] - r[1]*r[1] - r[2]*r[2] - 2*r[0]*r[1]*r[2]
	adjugate := [3][3]float64{
		{1 - r[2]*r[2], r[0] + r[1]*r[2], r[1] + r[0]*r[2]},
		{r[0] + r[1]*r[2], 1 - r[1]*r[1], r[2] + r[0]*r[1]},
		{r[1] + r[0]*r[2], r[2] + r[0]*r[1], 1 - r[0]*r[0]},
	}
	for i := range c {
		for j := range c {
			c[i][j] = root[i] * root[j] * adjugate[i][j] / det
		}
	}
	return c, det
}

// axes returns C' for the strains xx, yy, zz, 2xy, 2yz, 2zx in the material's axes, and T, which makes these of the strains.
func (o *Orthotropic) axes() (own, turn [6][6]float64) {
	normal, _ := o.normal()
	for i := range normal {
		copy(own[i][:], normal[i][:])
	}
	for i, g := range o.Shear {
		at := [3]int{3, 5, 4}[i] // 12, 13, 23
		own[at][at] = g
	}
	sin, cos := math.Sincos(o.Angle)
	return own, [6][6]float64{
		{cos * cos, sin * sin, 0, sin * cos},
		{sin * sin, cos * cos, 0, -sin * cos},
		{0, 0, 1},
		{-2 * sin * cos, 2 * sin * cos, 0, cos*cos - sin*sin},
		{0, 0, 0, 0, cos, -sin},
		{0, 0, 0, 0, sin, cos},
	}
}

// moduli returns C = TᵀC'T.
func (o *Orthotropic) moduli() (c [6][6]float64) {
	own, turn := o.axes()
	for i := range c {
		for j := range c {
			for k := range c {
				for l := range c {
					c[i][j] += turn[k][i] * own[k][l] * turn[l][j]
				}
			}
		}
	}
	return c
}

// stress is C ε.
func (o *Orthotropic) stress(e *Tensor) (s Tensor) {
	own, turn := o.axes()
	strain := *e
	for j := 3; j < 6; j++ {
		strain[j] *= 2
	}
	var turned Tensor
	for k := range turned {
		for l, x := range strain {
			turned[k] += turn[k][l] * x
		}
	}
	for k := range own {
		for l, x := range turned {
			for i := range s {
				s[i] += turn[k][i] * own[k][l] * x
			}
		}
	}
	return s
}

// strainsAt are xx, yy, zz, 2xy, 2yz, 2zx of unit displacements of node a along each axis.
func (x *element) strainsAt(d int, at *Point, a int) (b [3][6]float64) {
	g := &at.Grad[a]
	b = [3][6]float64{{g[0], 0, at.Hoop[a], g[1], 0, g[2]}, {0, g[1], 0, g[0], g[2]}, {0, 0, g[2], 0, g[1], g[0]}}
	if x.averaged {
		own := at.dilatation(a)
		for r := range d {
			for c := range 3 {
				b[r][c] += (x.mean[a][r] - own[r]) / 3
			}
		}
	}
	return b
}

// moduliStiffness is [element.stiffness] with moduli C: the block of the nodes p, q is the sum of w B_pᵀ C B_q.
func (x *element) moduliStiffness(dst *[mostNodes][mostNodes][3][3]float64, d int, moduli *[6][6]float64) {
	for p := range x.nodes {
		clear(dst[p][:])
	}
	for i := range x.points {
		at := &x.points[i]
		for p := range x.nodes {
			var stress [3][6]float64
			for r, e := range x.strainsAt(d, at, p) {
				for j := range stress[r] {
					for k, v := range e {
						stress[r][j] += moduli[j][k] * v
					}
				}
			}
			for q := range p + 1 {
				for c, e := range x.strainsAt(d, at, q) {
					for r := range stress {
						for k, v := range e {
							dst[p][q][r][c] += at.Weight * stress[r][k] * v
						}
					}
				}
			}
		}
	}
}

// Incompressibility is Poisson's ratio of an isotropic material, and for any the one at ½ of which a pressure makes no
// dilatation: (ν_12/E_1 + ν_13/E_1 + ν_23/E_2)/(1/E_1 + 1/E_2 + 1/E_3), in plane stress 0, as the thickness gives way.
func (e *Elastic) Incompressibility() float64 {
	o := e.Orthotropic
	switch {
	case e.Kinematics == PlaneStress:
		return 0
	case o == nil:
		return e.Poisson
	}
	return (o.Poisson[0]/o.Young[0] + o.Poisson[1]/o.Young[0] + o.Poisson[2]/o.Young[1]) /
		(1/o.Young[0] + 1/o.Young[1] + 1/o.Young[2])
}

package particleview

import (
	"math"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/report"
)

// touch is what a contact does at a time: its normal and first tangent, the force of the
// obstacle along the normal and the tangents t and n × t [N], and the most friction that
// there can be in the direction of the friction [N].
type touch struct {
	n, t     [3]float64
	normal   float64
	friction [2]float64
	bound    float64
	shape    [4]float64 // friction matrix S of the tangents
	root     [4]float64 // R of the metric of the coordinates
	status   byte
	smooth   bool // the contact has no friction
}

// size is the friction [N].
func (x *touch) size() float64 { return math.Hypot(x.friction[0], x.friction[1]) }

// touchOf reads the force (n, t, o) of a contact as the files have it, along tangents of length
// one. The friction matrix M is of the coordinates along the obstacle, whose metric has the root
// R: with ‖M ż‖ the friction along them, S = M R⁻¹ is that along the tangents. Friction that
// changes in time has a factor.
func touchOf(psi *dissipation.Coulomb, t float64, c int, z []float64, force [3]float64) (x touch) {
	x = touch{normal: max(force[0], 0), friction: [2]float64(force[1:]), smooth: psi.Matrices[c] == nil}
	x.n, x.t, _, x.root = psi.System.ContactAxesAt(t, c, z)
	if x.smooth {
		return x
	}
	m := psi.Matrix(t, c, z)
	for row := range 2 { // R = [r0 r1; 0 r3]
		p := m[2*row] / x.root[0]
		x.shape[2*row], x.shape[2*row+1] = p, (m[2*row+1]-p*x.root[1])/x.root[3]
	}
	x.bound = x.normal * psi.Factor(c, t) * reach(x.shape, x.friction[0], x.friction[1])
	return x
}

// contacts lists those of the particles that are shown.
func (r *Reader) contacts() (list []int) {
	sys := r.scene.System
	for _, j := range r.shown[:r.marked] {
		if sys.Constrained(j) {
			list = append(list, j)
		}
		list = append(list, sys.Beside(j)...)
	}
	return list
}

// touch reads that of a contact at a frame, whose local coordinates are z.
func (r *Reader) touch(f *frame, z []float64, c int) touch {
	j := r.scene.System.ContactParticle(c)
	force := [3]float64(f.Force[3*j:])
	if k, several := r.column[c]; several {
		force = [3]float64(f.Contacts[3*k:])
	}
	psi := f.psi
	if psi.Remembers() {
		psi = psi.Own()
		psi.Remember(f.T, z, f.Slipped)
	}
	x := touchOf(psi, f.T, c, z, force)
	x.status = byte(f.state(c))
	if x.smooth && x.status >= report.StatusStick {
		x.status = report.StatusSmooth
	}
	return x
}

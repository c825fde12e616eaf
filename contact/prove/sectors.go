package prove

import (
	"context"
	"math"

	"github.com/quasistatic/quasistatic/contact/block"
	"github.com/quasistatic/quasistatic/contact/form"
	"github.com/quasistatic/quasistatic/internal/num"
)

const (
	// sectorsContacts bounds the problems that are searched.
	sectorsContacts = 3
	// sectorsNodes is the number of small linear programs that a search may cost: about
	// a fifth of a second.
	sectorsNodes = 20000
	// sectorsLeast is the width of a sector that is not halved any more [rad].
	sectorsLeast = 1e-3
	// sectorsTry is the width below which Newton's method starts from a node, at most
	// sectorsTries times between two nodes that are as narrow as they get.
	sectorsTry   = 0.3
	sectorsTries = 12
)

// sectorMode is what is decided about a contact at a node.
type sectorMode int8

const (
	sectorAny   sectorMode = iota
	sectorOpen             // r = 0, u_N ≥ 0
	sectorStick            // u = 0, r_T in the sector
	sectorSlip             // u_N = 0, u_T in the sector, r_T against it
)

// sector is a contact at a node, with the angles from a to b.
type sector struct {
	mode sectorMode
	a, b float64
}

// halves cuts a sector in two.
func (x sector) halves() (l, r sector) {
	m := 0.5 * (x.a + x.b)
	return sector{x.mode, x.a, m}, sector{x.mode, m, x.b}
}

// Sectored reports whether a problem is small and of the laws that the search knows.
func Sectored(c *block.Scaled) bool {
	if c.Nc > sectorsContacts || c.Plane {
		return false
	}
	for _, kind := range c.Kind {
		if kind != form.KindCoulomb && kind != form.KindFrictionless && kind != form.KindBilateral {
			return false
		}
	}
	return true
}

// Sectors decides few contacts in space by branching over their modes, and over the
// directions of friction. In a sector of angles (a, b) of width δ the arc lies in the
// triangle of e(a), e(b) and e((a+b)/2)/cos(δ/2), so that what a mode asks for is relaxed to
//
//	open    r = 0,                                       u_N ≥ 0
//	stick   r ∈ cone{(1, 0), (1, μe) of the triangle},   u = 0
//	slip    r ∈ cone{(1, −μe) of the triangle},          u_N = 0, u_T ∈ cone{e(a), e(b)}
//
// equations W r + q = u in coefficients that are not negative. A node without a solution
// falls by a vector of Farkas, [nonnegative]; narrow ones are where Newton's method starts.
// If all fall there is no solution. Where reactions that grow without bound come as near
// to a solution as one likes, which round cones allow, no width is narrow enough, and the
// problem stays undecided. try is what solves from reactions near a solution.
func Sectors(ctx context.Context, c *block.Scaled, try func(r []vec3) bool) form.Status {
	root := make([]sector, c.Nc)
	stack := [][]sector{root}
	var lp nonnegative
	tries, complete := 0, true
	for nodes := 0; len(stack) > 0; nodes++ {
		if nodes == sectorsNodes {
			return form.NoProgress
		}
		if ctx.Err() != nil {
			return form.Canceled
		}
		node := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		residual := relaxSectors(c, &lp, node)
		if residual < num.Inf && lp.refuted() {
			continue
		}
		j, width := widest(node)
		if width < sectorsTry && tries < sectorsTries {
			if tries++; try(reactionsOf(c, &lp, node)) {
				return form.Converged
			}
		}
		if j < 0 { // nothing refutes it, and nothing is left to halve
			complete, tries = false, 0
			continue
		}
		stack = splitSector(c, stack, node, j)
	}
	if !complete {
		return form.NoProgress
	}
	return form.Infeasible
}

// widest returns the contact to branch on: an undecided one, else the one of the widest
// sector, -1 if all are as narrow as they get.
func widest(node []sector) (contact int, width float64) {
	contact = -1
	for j, x := range node {
		switch {
		case x.mode == sectorAny:
			return j, num.Inf
		case x.mode != sectorOpen && x.b-x.a > max(width, sectorsLeast):
			contact, width = j, x.b-x.a
		}
	}
	return contact, width
}

// splitSector pushes the children of a node.
func splitSector(c *block.Scaled, stack [][]sector, node []sector, j int) [][]sector {
	push := func(x sector) {
		child := append([]sector(nil), node...)
		child[j] = x
		stack = append(stack, child)
	}
	if x := node[j]; x.mode != sectorAny {
		l, r := x.halves()
		push(l)
		push(r)
		return stack
	}
	switch {
	case c.Kind[j] == form.KindBilateral:
		push(sector{mode: sectorStick})
	case c.Kind[j] == form.KindFrictionless || c.Mu[j] == 0:
		push(sector{mode: sectorOpen})
		push(sector{mode: sectorSlip})
	default:
		for k := range 4 {
			a := 0.5 * math.Pi * float64(k)
			push(sector{sectorSlip, a, a + 0.5*math.Pi})
			push(sector{sectorStick, a, a + 0.5*math.Pi})
		}
		push(sector{mode: sectorOpen})
	}
	return stack
}

// relaxSectors states and solves the equations of a node, in scaled units.
func relaxSectors(c *block.Scaled, lp *nonnegative, node []sector) float64 {
	lp.reset(3 * c.Nc)
	for j := range node {
		for k := range 3 {
			lp.b[3*j+k] = -c.Q[j][k]
		}
	}
	free := make([]bool, 3*c.Nc) // rows of motions that nothing is asked of
	for j, x := range node {
		for _, g := range sectorReactions(c, j, x) {
			col := lp.column()
			for i := range c.Nc {
				for k := c.Ptr[i]; k < c.Ptr[i+1]; k++ {
					if int(c.Col[k]) == j {
						u := num.MulVec3(&c.Blk[k], &g)
						col[3*i], col[3*i+1], col[3*i+2] = u[0], u[1], u[2]
					}
				}
			}
		}
	}
	for j, x := range node {
		slides := c.Kind[j] == form.KindFrictionless || c.Mu[j] == 0
		switch {
		case c.Kind[j] == form.KindBilateral:
		case x.mode == sectorAny, x.mode == sectorOpen:
			lp.column()[3*j] = -1
			free[3*j+1], free[3*j+2] = true, true
		case x.mode == sectorSlip && slides:
			free[3*j+1], free[3*j+2] = true, true
		case x.mode == sectorSlip:
			for _, angle := range [...]float64{x.a, x.b} {
				col := lp.column()
				col[3*j+1], col[3*j+2] = -math.Cos(angle), -math.Sin(angle)
			}
		}
	}
	for i, f := range free {
		if f {
			lp.b[i] = 0
			for _, a := range lp.a {
				a[i] = 0
			}
		}
	}
	return lp.solve()
}

// sectorReactions are the generators of what contact j may carry at a node, always the
// same number in the same order, those of the reactions first among the columns.
func sectorReactions(c *block.Scaled, j int, x sector) (g []vec3) {
	mu := c.Mu[j]
	switch {
	case c.Kind[j] == form.KindBilateral:
		for k := range 3 {
			var e vec3
			e[k] = 1
			g = append(g, e, vec3{-e[0], -e[1], -e[2]})
		}
	case x.mode == sectorOpen:
	case c.Kind[j] == form.KindFrictionless || mu == 0:
		g = append(g, vec3{1, 0, 0})
	case x.mode == sectorAny: // a square around the disc
		for k := range 4 {
			a := math.Pi * (0.5*float64(k) + 0.25)
			g = append(g, vec3{1, mu * math.Sqrt2 * math.Cos(a), mu * math.Sqrt2 * math.Sin(a)})
		}
	default:
		sign := mu
		if x.mode == sectorSlip {
			sign = -mu
		} else {
			g = append(g, vec3{1, 0, 0})
		}
		m, far := 0.5*(x.a+x.b), 1/math.Cos(0.5*(x.b-x.a))
		g = append(g, vec3{1, sign * math.Cos(x.a), sign * math.Sin(x.a)}, vec3{1, sign * math.Cos(x.b), sign * math.Sin(x.b)},
			vec3{1, sign * far * math.Cos(m), sign * far * math.Sin(m)})
	}
	return g
}

// reactionsOf are the reactions of a node.
func reactionsOf(c *block.Scaled, lp *nonnegative, node []sector) []vec3 {
	all, at := make([]vec3, c.Nc), 0
	for j, x := range node {
		for _, g := range sectorReactions(c, j, x) {
			for k := range 3 {
				all[j][k] += lp.x[at] * g[k]
			}
			at++
		}
	}
	return all
}

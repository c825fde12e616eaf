package assume

import (
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/particles"
)

// Weakening is what friction over slip, μ(s), may do to a contact that is pressed at the start. Let
// it slide by δ in a direction d while the others stick and what does not touch is in equilibrium.
// What holds it back grows by dᵀK d δ, with K the stiffness along the surface; its friction changes
// by (N dμ/ds + μ ∂N/∂d) δ. So it slides on as it is driven only while
//
//	N (−dμ/ds) < k,  k = min_d dᵀK d − μ ‖∂N/∂z_T‖,
//
// and jumps where it begins to slide at a slope that is not below that: the incremental problem has
// then a second derivative k − N (−dμ/ds) <= 0 along d. For one contact whose normal force does not
// depend on where it slides both directions of that are sharp; of several that slide together (N4)
// says more.
type Weakening struct {
	Particle  int     `json:"particle"`
	Force     float64 `json:"normal_force"` // N [N]
	Fall      float64 `json:"fall"`         // largest −dμ/ds [1/m]
	Stiffness float64 `json:"stiffness"`    // k [N/m]
}

// Jumps reports whether the contact loses its stability where it slides at its steepest.
func (w *Weakening) Jumps() bool { return w.Force*w.Fall >= w.Stiffness }

// weaken finds the contacts whose friction falls with what they slip, and how stiff they are held.
func (c *checker) weaken() {
	var list []Weakening
	drop := make([]bool, c.sys.N())
	for j := range drop {
		if drop[j] = c.Sets[j] == particles.Free; drop[j] {
			continue
		}
		if m, is := c.psi.Matrices[j].(dissipation.Slipping); is {
			if fall, _ := m.Steepest(); fall > 0 {
				factor := c.psi.Factor(j, c.opt.At)
				list = append(list, Weakening{Particle: j, Force: max(c.Sigma[j], 0), Fall: factor * fall})
			}
		}
	}
	if len(list) == 0 {
		return
	}
	held, err := condense(c.ctx, c.sys.Hessian(c.opt.At, c.z0), drop)
	if err != nil {
		return // (N4) says why
	}
	place := make([]int, len(drop))
	for i, j := range held.kept {
		place[j] = i
	}
	for i := range list {
		w := &list[i]
		var block [3][3]float64
		first := 3 * place[w.Particle]
		for a := range 3 {
			for b := range 3 {
				if k := held.h.Index(first+max(a, b), first+min(a, b)); k >= 0 {
					block[a][b] = held.h.Val[k]
				}
			}
		}
		// the least eigenvalue of the tangential part
		x, y, off := block[0][0], block[1][1], block[0][1]
		mu := c.psi.Matrices[w.Particle].(dissipation.Slipping).Most() * c.psi.Factor(w.Particle, c.opt.At)
		coupled := mu * math.Hypot(block[2][0], block[2][1])
		w.Stiffness = (x+y)/2 - math.Hypot((x-y)/2, off) - coupled
		if w.Jumps() && c.N4.Verdict != Fails {
			c.N4.Detail = fmt.Sprintf("friction of particle %s falls by %.6g N/m with its slip, where %.6g N/m hold it: it jumps, unless it is pressed by less than %.6g N",
				c.Names[w.Particle], w.Force*w.Fall, w.Stiffness, max(w.Stiffness/w.Fall, 0))
			if coupled == 0 {
				c.N4.Verdict = Fails
			}
		}
	}
	c.Weakenings = list
}

// weakening shows the contacts whose friction falls with slip.
func (t *textReport) weakening() {
	for i := range t.a.Weakenings {
		w := &t.a.Weakenings[i]
		if i == 0 {
			t.line("")
			t.line("friction over slip, each contact by itself in its softest direction: stable below N |dμ/ds| = k")
		}
		if i == shownSubsets {
			t.line("  … and %d more", len(t.a.Weakenings)-i)
			return
		}
		word := "stable"
		if w.Jumps() {
			word = "jumps"
		}
		t.line("  %s  %s: N |dμ/ds| = %.6g N/m, k = %.6g N/m at N = %.6g N; jumps are there from N = %.6g N on",
			t.a.Names[w.Particle], word, w.Force*w.Fall, w.Stiffness, w.Force, max(w.Stiffness/w.Fall, 0))
	}
}

package dynamics

import (
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/contact"
)

// hoppers are points over a floor of springs, which they meet only where they are near: the
// contacts of those that are away are not listed, and their springs relax behind them.
type hoppers struct {
	patch []*Patch
	v     []float64
}

func (s *hoppers) Size() (nq, nv, dim int)   { return 2 * len(s.patch), 2 * len(s.patch), 2 }
func (s *hoppers) Mass(m *Mass, _ []float64) { m.Diagonal(s.v...) }
func (s *hoppers) Force(f []float64, _ float64, _, _ []float64) {
	for i := range s.patch {
		f[2*i], f[2*i+1] = .5*s.v[2*i], -10*s.v[2*i]
	}
}
func (s *hoppers) Parts() (of []int) {
	for i := range s.patch {
		of = append(of, i, i)
	}
	return of
}
func (s *hoppers) Contacts(c *Contacts, q []float64) {
	for i, p := range s.patch {
		if q[2*i+1] < 1e-3 {
			c.Begin(10+i, p)
			c.Element(q[2*i+1])
			c.Row(2*i, 0, 1, 0)
			c.Row(2*i+1, 1, 0, 0)
		}
	}
}

// TestLostSpringsAtHome: what springs lose that relax behind a body is its own, however many
// contacts others have; each island's ledger is that of its body alone, and in the same time its
// springs are gone.
func TestLostSpringsAtHome(t *testing.T) {
	begin := func(list ...int) *Stepper {
		sys, q, v := &hoppers{}, []float64(nil), []float64(nil)
		for _, k := range list {
			p, err := NewLumped(contact.Coulomb{Mu: .3}, []float64{2e4, 1e4}, []float64{100, 50 + 10*float64(k)})
			if err != nil {
				t.Fatal(err)
			}
			m := 1 + .5*float64(k)
			sys.patch, sys.v = append(sys.patch, p), append(sys.v, m, m)
			q, v = append(q, 0, .002*float64(k)), append(v, 1, -.6*float64(k))
		}
		s, err := NewStepper(sys, q, v, Options{})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	all := begin(0, 1, 2, 3)
	var alone [4]*Stepper
	for k := range alone {
		alone[k] = begin(k)
	}
	lost, beside := 0, 0
	for step := range 400 {
		run(t, all, 1e-3, 1)
		if all.ghosts > 0 {
			if lost++; all.ghosts < len(all.patches) {
				beside++
			}
		}
		for k, s := range alone {
			run(t, s, 1e-3, 1)
			a, b := all.made.Island[k], s.made.Whole
			for i, x := range [][2]float64{{a.Sum, b.Sum}, {a.Most, b.Most}, {a.Taken, b.Taken}, {a.Moved, b.Moved},
				{all.partition.stored[k], s.partition.stored[0]}} {
				if !(math.Abs(x[0]-x[1]) <= 1e-13) { // sums of 10 J
					t.Fatalf("step %d, body %d: number %d is %g, alone %g", step, k, i, x[0], x[1])
				}
			}
			if x, y := all.State(), s.State(); x.Q[2*k] != y.Q[0] || x.Q[2*k+1] != y.Q[1] {
				t.Fatalf("step %d: body %d is elsewhere", step, k)
			}
		}
	}
	if beside < 50 {
		t.Errorf("%d steps with springs that relax, %d beside contacts", lost, beside)
	}
}

package energetic

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/particles"
)

// sixSets are one of each kind twice: the last of six particles is in contact, the one before has no obstacle.
var sixSets = []particles.IndexSet{particles.Contact, particles.Free, particles.Switching, particles.Contact, particles.Free, particles.Contact}

// six is a checker of six particles with the index sets sixSets and an energy without friction.
func six(e ...particles.Energy) *checker {
	frames := particles.Floors(6)
	frames[4] = particles.NoObstacle()
	sys := must(particles.NewSystem(frames, e...))
	z0 := []float64{0, 0, 0, 1, 2, 0.25, 3, 4, 0, 5, 6, 0, 7, 8, 9, 10, 11, 0}
	return &checker{Assumptions: &Assumptions{Sets: sixSets, Until: 1}, psi: must(dissipation.New(sys, make([]dissipation.Matrix, 6))), sys: sys, z0: z0, rates: map[float64]*rateBounds{}}
}

// TestRowsOfSix: rows of D²E are those of who has friction, of whatever particle; their norms are over all columns, and over those that heights
// in contact leave.
func TestRowsOfSix(t *testing.T) {
	h, dense := randomSym(rand.New(rand.NewPCG(21, 1)), 6, 1, 5)
	c := six()
	cyl := &cylinder{row: make([]float64, 6), dsigma: make([]float64, 6)}
	cyl.measure(c, &form{h: h})
	slopes := []slope{{size: 1}, {}, {size: 0.5}, {}, {}, {size: 2}}
	rows := fullRows(h, slopes)
	for j := range 6 {
		all, free, got := 0.0, 0.0, make([]float64, 18)
		for k, col := range rows[j].col {
			got[col] += rows[j].val[k]
		}
		for d := range 18 {
			v := dense.At(3*j+2, d)
			if all += v * v; d%3 != 2 || sixSets[d/3] != particles.Contact {
				free += v * v
			}
			if want := v; slopes[j].size > 0 && got[d] != want || slopes[j].size == 0 && got[d] != 0 {
				t.Errorf("row %d, column %d: %g, want %g", j, d, got[d], want)
			}
		}
		if j == 4 {
			all, free = 0, 0
		}
		nearly(t, "row", cyl.row[j], math.Sqrt(all), 1e-14)
		nearly(t, "free row", cyl.dsigma[j], math.Sqrt(free), 1e-14)
	}
	if f := newForm(h, []float64{1, 1, 1, 1, 1, 1}, []slope{{size: 1, grad: [][2]float64{{2, 0}}, bound: true}, {}, {}, {}, {}, {}}); !f.boundOnly || len(f.rows[0].b) != 1 {
		t.Errorf("one row that bounds: %+v", f)
	}
	if f := newForm(h, make([]float64, 6), []slope{{size: 1, grad: [][2]float64{{2, 0}}, bound: true}, {}, {}, {}, {}, {}}); f.boundOnly {
		t.Error("a row without force bounds nothing")
	}
}

// TestGainsOfSix: what a coordinate may do to a force depends on whose it is.
func TestGainsOfSix(t *testing.T) {
	c := six()
	for d := range 18 {
		up, down := 0.5*0.125, 0.5*0.125
		if d%3 == 2 && d != 14 {
			down = 0.5 * min(0.125, c.z0[d])
		}
		if d%3 == 2 && sixSets[d/3] == particles.Contact {
			up, down = 0, 0
		}
		nearly(t, "up", c.gain(d, 0.5, 0.125), up, 0)
		nearly(t, "down", c.gain(d, -0.5, 0.125), down, 0)
	}
	z := slices.Clone(c.z0)
	c.scatter(z, 0.125, true, rand.New(rand.NewPCG(1, 1)))
	for d, x := range z {
		if still := d%3 == 2 && sixSets[d/3] == particles.Contact; still && x != c.z0[d] || x != c.z0[d] && math.Abs(x-c.z0[d]) > 0.125 || !still && d%3 != 2 && math.Abs(x-c.z0[d]) < 0.125 {
			t.Errorf("coordinate %d: %g from %g", d, x, c.z0[d])
		}
	}
}

// TestBudget: of energies that are sampled, cubes of the order times samples come to sampledWork, and four cylinders are tried at least; more than
// 20 particles have fewer samples.
func TestBudget(t *testing.T) {
	for _, c := range []struct{ n, samples, tries, nodes int }{{1, 24, 84, 77160}, {9, 24, 84, 105}, {10, 24, 77, 77}, {20, 24, 9, 9}, {21, 6, 33, 33}, {60, 6, 4, 4}} {
		k := &checker{Assumptions: &Assumptions{}, sys: must(particles.NewSystem(particles.Floors(c.n)))}
		if tries, nodes := k.budget(); k.samples() != c.samples || tries != c.tries || nodes != c.nodes {
			t.Errorf("%d particles: %d samples, %d cylinders, %d branches, want %+v", c.n, k.samples(), tries, nodes, c)
		}
		k.quadratic = true
		if tries, nodes := k.budget(); tries != 84 || nodes != 0 {
			t.Errorf("%d particles, a quadratic form: %d cylinders, %d branches", c.n, tries, nodes)
		}
	}
}

// drifting is a user's energy ½ t |z|²: ∂_tDE is z.
type drifting struct{ particle int }

func (e drifting) Pattern(p *particles.Pattern) { p.AddIsotropic(e.particle, e.particle) }

func (e drifting) Value(t float64, z []float64) (float64, float64) {
	x := z[3*e.particle : 3*e.particle+3]
	s := (x[0]*x[0] + x[1]*x[1] + x[2]*x[2]) / 2
	return t * s, s
}

func (e drifting) Gradient(grad, rate []float64, t float64, z []float64) {
	for d := 3 * e.particle; d < 3*e.particle+3; d++ {
		if grad[d] += t * z[d]; rate != nil {
			rate[d] += z[d]
		}
	}
}

func (e drifting) Hessian(h *particles.Hessian, t float64, _ []float64) {
	h.AddIsotropic(e.particle, e.particle, t)
}

// TestSampledCylinder: forms of samples have the friction of the particles where they are; rates are those of the states of the cylinder too,
// and of the start alone if it has no length.
func TestSampledCylinder(t *testing.T) {
	c := six(drifting{3}, drifting{5})
	for j := range 6 {
		if j != 4 {
			c.psi.Matrices[j] = sloped{dx: 1, dy: 0.01}
		}
	}
	c.grad = make([]float64, 18)
	start := math.Sqrt(5*5 + 6*6 + 10*10 + 11*11)
	for le, most := range map[float64]float64{0: start, 0.5: start + 0.5*2} {
		cyl := &cylinder{te: 1, le: le, row: make([]float64, 6), dsigma: make([]float64, 6), p: &separationProblem{}, rates: c.ratesUntil(1)}
		c.sampleCylinder(cyl)
		if len(cyl.p.forms) != cylinderSamples {
			t.Fatalf("%d samples", len(cyl.p.forms))
		}
		if le == 0 {
			nearly(t, "rate at the start", cyl.rates.c1, start, 1e-13)
		} else if cyl.rates.c1 <= start+0.5 || cyl.rates.c1 > most {
			t.Errorf("rate %g within %g of the start, where it is %g", cyl.rates.c1, le, start)
		}
		if c.rates[1].c1 > start*(1+1e-15) {
			t.Errorf("rates of the start became %g", c.rates[1].c1)
		}
	}
	// At le = 0 a force of the last particle has the row D²E of its height, times its friction.
	c.sys = must(particles.NewSystem(particles.Floors(6), must(particles.NewTethers(particles.Tether{Particle: 5, Anchor: particles.At(10, 11, -1), Stiffness: particles.Isotropic(2)}))))
	cyl := &cylinder{te: 1, row: make([]float64, 6), dsigma: make([]float64, 6), p: &separationProblem{}, rates: c.ratesUntil(1)}
	c.sampleCylinder(cyl)
	for _, f := range cyl.p.forms {
		if a := f.rows[5].a; len(a.val) != 1 || math.Abs(a.val[0]-2*(1+10+0.11)) > 1e-13 {
			t.Errorf("row %+v, want 2 times the friction 11.11", a)
		}
		if b := f.rows[5].b; len(b) != 1 || math.Abs(b[0].val[0]-2) > 1e-13 || math.Abs(b[0].val[1]-0.02) > 1e-13 {
			t.Errorf("rows %+v, want 2 times the slopes 1 and .01", b)
		}
	}
}

// TestSlopesOverSquares: bounds are those over the square about the place; of a matrix of unknown form the largest of samples.
func TestSlopesOverSquares(t *testing.T) {
	m := must(dissipation.NewRippled(dissipation.Isotropic{Mu: 0.4}, 0.3, 20, [2]float64{0.6, 0.8}, 0.1))
	at, l := [2]float64{2, -5}, 0.7
	size, grad := m.Bounds([2]float64{at[0] - l, at[1] - l}, [2]float64{at[0] + l, at[1] + l})
	if s := slopeOf(m, at, l); s.size != size || len(s.grad) != 1 || s.grad[0] != grad || s.bound || s.sampled {
		t.Errorf("%+v, want %g, %v", s, size, grad)
	}
	s := slopeOf(sloped{dx: 0.01, dy: 0.02}, [2]float64{3, 4}, 0.5)
	nearly(t, "size", s.size, 1+0.01*3.5+0.02*4.5, 1e-15)
	nearly(t, "slope", s.grad[0][0], math.Hypot(0.01, 0.02), 1e-16)
	if len(s.grad) != 2 || s.grad[1] != [2]float64{0, s.grad[0][0]} || s.grad[0][1] != 0 || !s.bound || !s.sampled {
		t.Errorf("of samples: %+v", s)
	}
}

// TestGrowingLoad: where friction varies and a load grows, (3.3) holds for short times alone: of T, T/4, … the first at which the force 1 + 1000 T_e
// times the slope of friction, some .5/m, stays below the stiffness of 2 N/m. On a crest of friction, where slopes are steep before any
// cylinder ends, there is none.
func TestGrowingLoad(t *testing.T) {
	m := must(dissipation.NewRippled(dissipation.Isotropic{Mu: 0.4}, 0.3, 0.24*math.Pi/0.5, [2]float64{1, 0}, 0)) // slope ½ at the start
	load := must(particles.PiecewiseLinear([]float64{0, 1}, [][3]float64{{0, 0, -1}, {0, 0, -1001}}))
	tether := must(particles.NewTethers(particles.Tether{Particle: 0, Anchor: particles.At(0, 0, 0), Stiffness: particles.Isotropic(2)}))
	psi := must(dissipation.New(must(particles.NewSystem(particles.Floors(1), tether, must(particles.NewLoads(particles.Load{Particle: 0, Force: load})))), []dissipation.Matrix{m}))
	e := must(Assume(t.Context(), psi, make([]float64, 3), AssumptionOptions{Until: 1})).Extension
	if e == nil || e.Te != 0x1p-10 || !(e.TStar > 0) {
		t.Errorf("%+v", e)
	}
	crest := must(dissipation.NewRippled(dissipation.Isotropic{Mu: 0.4}, 0.3, 0.24*math.Pi/0.5, [2]float64{1, 0}, 0.06*math.Pi/0.5)) // slope 0 at the start
	pressed := must(particles.PiecewiseLinear([]float64{0, 1}, [][3]float64{{0, 0, -6}, {0.1, 0, -6}}))
	psi = must(dissipation.New(must(particles.NewSystem(particles.Floors(1), tether, must(particles.NewLoads(particles.Load{Particle: 0, Force: pressed})))), []dissipation.Matrix{crest}))
	e = must(Assume(t.Context(), psi, make([]float64, 3), AssumptionOptions{Until: 1e9})).Extension
	if e == nil || e.TStar != 0 || e.Limit != "no cylinder with (3.3) was found around the start" {
		t.Errorf("%+v", e)
	}
}

// TestCertifiedConstants: constants are certified if rates are exact, nothing is sampled and E is quadratic; of merged rates all must be.
func TestCertifiedConstants(t *testing.T) {
	for code := range 8 {
		exact, sampled, quadratic := code&1 == 1, code&2 == 2, code&4 == 4
		c := six()
		c.quadratic, c.Sigma, c.Names = quadratic, make([]float64, 6), names(nil, 6)
		zero := make([]float64, 6)
		cyl := &cylinder{te: 1, le: 1, rates: &rateBounds{certified: exact, rate: zero, sigma: zero, c1: 1}, size: zero, dsigma: zero, row: zero}
		e := c.constants(cyl, &Separation{Sampled: sampled, Margin: exactly(2)})
		if e.Certified != (exact && !sampled && quadratic) || e.RatesExact != exact || e.CLip != 0.5 {
			t.Errorf("exact %t, sampled %t, quadratic %t: %+v", exact, sampled, quadratic, e)
		}
		a, b := &rateBounds{certified: exact}, &rateBounds{certified: sampled}
		if a.merge(b); a.certified != (exact && sampled) {
			t.Errorf("%t and %t: %t", exact, sampled, a.certified)
		}
	}
}

// TestCulprits: the particle with the largest share is named, the first of all too.
func TestCulprits(t *testing.T) {
	for _, c := range []struct {
		share []float64
		want  string
	}{{[]float64{5, 1, 2}, "first"}, {[]float64{1, 5, 2}, "second"}} {
		r := &textReport{a: &Assumptions{Names: []string{"first", "second", "third"}}}
		r.culprits(&Separation{Share: c.share, Soft: make([]float64, 9)})
		if text := r.b.String(); !strings.Contains(text, "from particle "+c.want) {
			t.Errorf("%v: %s", c.share, text)
		}
	}
}

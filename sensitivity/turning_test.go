package sensitivity_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/events"

	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/sensitivity"
	"github.com/quasistatic/quasistatic/signal"
)

// TestTractrix: a particle on a floor is pulled along y, and from t = 1 on by an anchor that goes
// along x, on a spring that is as long as L = μσ/k while it slips. It follows a tractrix: with the
// way s of the anchor
//
//	x = s − L tanh(s/L),   y = A − L sech(s/L),   D = μσ (A − L + L ln cosh(s/L))
func TestTractrix(t *testing.T) {
	const a, sigma = 2., 1.5
	const mu, k = .4, 1.2
	byMu := func(p float64) (*events.Plane, error) { return tractrix(p, k) }
	byK := func(p float64) (*events.Plane, error) { return tractrix(mu, p) }
	for _, at := range [3]float64{1.125, 1.5, 2} {
		s, l := 2*(at-1), mu*sigma/k
		th, sech := math.Tanh(s/l), 1/math.Cosh(s/l)
		x, y, way := s-l*th, a-l*sech, a-l+l*math.Log(math.Cosh(s/l))
		// by L
		dx, dy, dway := -th+s/l*sech*sech, -sech-s/l*sech*th, -1+math.Log(math.Cosh(s/l))-s/l*th
		for _, c := range []struct {
			name            string
			w               *sensitivity.Walk
			length, bearing float64 // derivatives of L and of μσ
		}{
			{"μ", walk(t, byMu, mu, at), sigma / k, sigma},
			{"k", walk(t, byK, k, at), -l / k, 0},
		} {
			is(t, fmt.Sprintf("x(%g) by %s", at, c.name), c.w.Position(0)[0], x, dx*c.length, 1e-12)
			is(t, fmt.Sprintf("y(%g) by %s", at, c.name), c.w.Position(0)[1], y, dy*c.length, 1e-12)
			is(t, fmt.Sprintf("D(%g) by %s", at, c.name), c.w.Dissipation(), mu*sigma*way, mu*sigma*dway*c.length+c.bearing*way, 2e-12)
		}
	}
}

// TestRangeOfTractrix: the tractrix begins at t = μσ/(ka) < 1, so that events keep their order for
// 0 <= μ < ka/σ = 1.6. Near to 0 the way turns in lengths μσ/k, and walks there are given up.
func TestRangeOfTractrix(t *testing.T) {
	for _, least := range [2]float64{0, .3} {
		found := 0
		f := func(mu float64) (*events.Plane, error) {
			if found++; mu < least {
				return nil, fmt.Errorf("found %g", mu)
			}
			return tractrix(mu, 1.2)
		}
		r, err := sensitivity.Interval(context.Background(), f, .4, 2, 0)
		if err != nil || math.Abs(r.Hi-1.6) > 1e-9 || r.Above == nil || r.Above.Err != nil || r.Below == nil || r.Below.Err == nil {
			t.Fatalf("%+v, %v: want an end at 1.6", r, err)
		}
		if text := r.Below.Err.Error(); least == 0 && (!r.AtLeast || r.Lo > .05 || !strings.HasPrefix(text, "not looked at")) ||
			least > 0 && (r.AtLeast || r.Lo != least || text != fmt.Sprintf("found %g", least-.4e-3)) {
			t.Errorf("from %g: %+v, %q", least, r, text)
		}
		if found > 150 {
			t.Errorf("%d cases were made", found)
		}
	}
}

// TestRangeOfNothing: a parameter that changes nothing has no ends as far as is looked, which is a
// thousand of it, from a thousandth on.
func TestRangeOfNothing(t *testing.T) {
	for _, p := range [2]float64{0, -2} {
		size := max(1, math.Abs(p))
		least, most, nearest := p, p, math.Inf(1)
		f := func(q float64) (*events.Plane, error) {
			least, most = min(least, q), max(most, q)
			if q != p {
				nearest = min(nearest, math.Abs(q-p))
			}
			return tractrix(.4, 1.2)
		}
		r, err := sensitivity.Interval(context.Background(), f, p, 1.25, 0)
		if err != nil || r.AtLeast || r.Below != nil || r.Above != nil || r.Lo != least || r.Hi != most {
			t.Errorf("%+v, %v", r, err)
		}
		if far := math.Max(p-least, most-p) / size; !(far <= 1e3 && far > 250 && math.Abs(nearest/size-1e-3) < 1e-12) {
			t.Errorf("looked from %g to %g, first %g away", least, most, nearest)
		}
	}
}

// tractrix is the scene of TestTractrix.
func tractrix(mu, k float64) (*events.Plane, error) {
	path := particles.Path{table([]float64{0, 1, 2}, 0, 0, 2), table([]float64{0, 1, 2}, 0, 2, 2), signal.Constant(-1.5)}
	return between(mu, [][][3]float64{{floorNormal}}, 2, pulled(0, [3]float64{k, k, 1}, path))
}

// TestTurningByDifference: of one to four particles, each on one face of its own with friction that
// is round or has axes, on springs with axes and bonds between them, pulled anywhere, derivatives
// by friction, a spring, a bond and a load are central differences of fourth order where these see
// the same events.
func TestTurningByDifference(t *testing.T) {
	thorough.Seconds(t)
	const h = 1e-3
	seeds := []uint64{8, 12}
	if thorough.Asked() {
		seeds = nil
		for seed := range uint64(24) {
			seeds = append(seeds, seed)
		}
	}
	checked := 0
	for _, seed := range seeds {
		for name, f := range turning(seed) {
			var orders [5]string
			var walks [5]*sensitivity.Walk
			for i := range walks {
				w, err := sensitivity.New(f, 1+h*float64(i-2), 0)
				if err == nil {
					err = w.Integrate(context.Background(), events.Dual{V: 3}, func() error {
						for _, e := range w.Changes() {
							orders[i] += fmt.Sprint(e.Contact, e.From == events.Open, e.To == events.Open, e.To == events.Stick, " ")
						}
						return nil
					})
				}
				if err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
				walks[i] = w
			}
			same := true
			for _, o := range orders {
				same = same && o == orders[0]
			}
			if !same {
				t.Logf("seed %d by %s: %q", seed, name, orders)
				continue
			}
			checked++
			compare := func(what string, of func(w *sensitivity.Walk) events.Dual) {
				want := (8*(of(walks[3]).V-of(walks[1]).V) - of(walks[4]).V + of(walks[0]).V) / (12 * h)
				if d := of(walks[2]).D - want; !(math.Abs(d) < 1e-7) {
					t.Errorf("seed %d: d%s/d%s = %.10g, by difference %.10g", seed, what, name, of(walks[2]).D, want)
				}
			}
			mid := walks[2]
			compare("D", func(w *sensitivity.Walk) events.Dual { return w.Dissipation() })
			compare("W", func(w *sensitivity.Walk) events.Dual { return w.Work() })
			compare("E", func(w *sensitivity.Walk) events.Dual { return w.Energy() })
			for j := range particlesOf(seed) {
				for c := range 3 {
					compare(fmt.Sprint("q", j, c), func(w *sensitivity.Walk) events.Dual { return w.Position(j)[c] })
					compare(fmt.Sprint("r", j, c), func(w *sensitivity.Walk) events.Dual { return w.Friction(j)[c] })
				}
			}
			// some hundred steps, each off by 1e-11
			if d, want := mid.Energy().D, mid.Work().D-mid.Dissipation().D; !(math.Abs(d-want) < 1e-8) {
				t.Errorf("seed %d: the derivative of (E) by %s is %.3g", seed, name, d-want)
			}
		}
	}
	t.Logf("%d of %d", checked, 4*len(seeds))
	if checked < 4*len(seeds)-1 {
		t.Errorf("%d of %d families had the same events beside", checked, 4*len(seeds))
	}
}

// TestRoundOnlyHere: friction with axes that the parameter makes round at its value alone has
// coordinates of two kinds, and no derivative there: it says so.
func TestRoundOnlyHere(t *testing.T) {
	path := particles.Path{table([]float64{0, 1, 2}, 0, 1, 1), table([]float64{0, 1, 2}, 0, 0, 1), table([]float64{0, 2}, -1, -1)}
	scene := func(p float64) (*events.Plane, error) {
		m, err := dissipation.NewOrthotropic([2]float64{.3 * p, .3}, [2]float64{.6, .8})
		if err != nil {
			return nil, err
		}
		return rubbing(m, [][][3]float64{{floorNormal}}, 2, pulled(0, [3]float64{1, 1, 1}, path))
	}
	if _, err := sensitivity.New(scene, 1, 0); err == nil || !strings.Contains(err.Error(), "the same in all directions at the value") {
		t.Errorf("at the value: %v", err)
	}
	if _, err := sensitivity.New(scene, 1.1, 0); err != nil {
		t.Errorf("beside it: %v", err)
	}
}

func particlesOf(seed uint64) int { return 1 + int(seed)%4 }

// turning are scenes of particles on faces, by what p = 1 is a factor of.
func turning(seed uint64) map[string]sensitivity.Family {
	n := particlesOf(seed)
	rng := rand.New(rand.NewPCG(seed, 21))
	times := []float64{0, 1, 2, 3}
	var normals [][][3]float64
	var rows [][3][]float64
	var springs [][3]float64
	for j := range n {
		normal := floorNormal
		if seed%3 == 2 { // tilted
			x, y := .4*rng.Float64()-.2, .4*rng.Float64()-.2
			normal = [3]float64{x, y, math.Sqrt(1 - x*x - y*y)}
		}
		normals = append(normals, [][3]float64{normal})
		var row [3][]float64
		for c := range row {
			row[c] = []float64{0}
			for range 3 {
				v := 2*rng.Float64() - 1
				if c == 2 {
					v = .9*v - .7
				}
				row[c] = append(row[c], v)
			}
		}
		rows = append(rows, row)
		springs = append(springs, [3]float64{.5 + rng.Float64(), .5 + rng.Float64(), .5 + rng.Float64()})
		_ = j
	}
	smooth := seed%4 == 3
	scene := func(mu, spring, bond, load float64) (*events.Plane, error) {
		var energies []particles.Energy
		for j := range n {
			path := make(particles.Path, 3)
			for c := range path {
				row := rows[j][c]
				for i := range row {
					if c == 0 && j == 0 {
						row = append([]float64{}, row...)
						row[i] *= load
					}
				}
				path[c] = table(times, row...)
				if smooth && c < 2 && j == 0 {
					path[c] = sine(0, row[1], .3+.1*float64(c))
				}
			}
			k := springs[j]
			if j == 0 {
				k[1] *= spring
			}
			energies = append(energies, pulled(j, k, path))
		}
		for j := 1; j < n; j++ {
			b, err := particles.NewBonds(make([]float64, 3*n),
				particles.Bond{I: j - 1, J: j, Stiffness: particles.Diagonal(.3*bond, .2, .1)})
			if err != nil {
				return nil, err
			}
			energies = append(energies, b)
		}
		if seed%5 == 2 { // friction with axes, of which the parameter changes one
			m, err := dissipation.NewOrthotropic([2]float64{.2 * mu, .35}, [2]float64{.6, .8})
			if err != nil {
				return nil, err
			}
			return rubbing(m, normals, 3, energies...)
		}
		return between(.3*mu, normals, 3, energies...)
	}
	return map[string]sensitivity.Family{
		"μ":    func(p float64) (*events.Plane, error) { return scene(p, 1, 1, 1) },
		"k":    func(p float64) (*events.Plane, error) { return scene(1, p, 1, 1) },
		"bond": func(p float64) (*events.Plane, error) { return scene(1, 1, p, 1) },
		"load": func(p float64) (*events.Plane, error) { return scene(1, 1, 1, p) },
	}
}

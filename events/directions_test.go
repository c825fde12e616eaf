package events_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/events"
	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/signal"
)

// TestTangentsOfChains: the block tuᵀ of D²E between two particles of which the first is loaded
// along t has the second move along u, and the third along what comes after it.
func TestTangentsOfChains(t *testing.T) {
	way := [3][2]float64{{.6, .8}, {5. / 13, 12. / 13}, {.96, .28}}
	var entries []particles.Entry
	for j := range way {
		for c := range 3 {
			entries = append(entries, particles.Entry{Row: 3*j + c, Col: 3*j + c, Value: 2})
		}
		if j == 0 {
			continue
		}
		for r := range 2 {
			for c := range 2 {
				v := -.5 * way[j-1][r] * way[j][c]
				entries = append(entries, particles.Entry{Row: 3*(j-1) + r, Col: 3*j + c, Value: v},
					particles.Entry{Row: 3*j + c, Col: 3*(j-1) + r, Value: v})
			}
		}
	}
	for first := range way { // whichever is loaded
		force := make(particles.Path, 9)
		for i := range force {
			force[i] = signal.Constant(0)
			if i%3 == 2 {
				force[i] = signal.Constant(-1)
			}
		}
		for c := range 2 {
			force[3*first+c] = ramp(t, 0, 0, 1, way[first][c])
		}
		z0 := make([]float64, 9)
		e, err := particles.NewQuadratic([]int{0, 1, 2}, z0, entries, force)
		if err != nil {
			t.Fatal(err)
		}
		plane, err := events.NewPlane(system(t, .3, z0, e), z0, 1)
		if err != nil {
			t.Fatalf("number %d is loaded: %v", first, err)
		}
		if plane.Askew() != nil {
			t.Errorf("number %d is loaded: %v", first, plane.Askew())
		}
		for j, want := range way {
			i, hasFriction := plane.Tangent(j)
			if got := plane.Dofs[i].Direction; !hasFriction || !(math.Abs(got[0]-want[0]) <= 1e-15) ||
				!(math.Abs(got[1]-want[1]) <= 1e-15) || got[2] != 0 {
				t.Errorf("number %d is loaded: %d moves along %v, want %v", first, j, got, want)
			}
		}
	}
}

// plainForm is the energy of two particles, each on a spring of 2 N/m in all directions and pressed
// by 1 N, with other entries of D²E beside, whose first is pulled along a direction.
func plainForm(t *testing.T, pull [2]float64, more ...particles.Entry) (particles.Energy, []float64) {
	t.Helper()
	var entries []particles.Entry
	for i := range 6 {
		entries = append(entries, particles.Entry{Row: i, Col: i, Value: 2})
	}
	for _, e := range more {
		entries = append(entries, e, particles.Entry{Row: e.Col, Col: e.Row, Value: e.Value})
	}
	force := particles.Path{ramp(t, 0, 0, 1, pull[0]), ramp(t, 0, 0, 1, pull[1]), signal.Constant(-1),
		signal.Constant(0), signal.Constant(0), signal.Constant(-1)}
	z0 := make([]float64, 6)
	e, err := particles.NewQuadratic([]int{0, 1}, z0, entries, force)
	if err != nil {
		t.Fatal(err)
	}
	return e, z0
}

// TestSensesOfTangents: the direction of a motion goes towards positive coordinates, by the larger
// of both and the first of equal ones; that of a particle that never moves is the first.
func TestSensesOfTangents(t *testing.T) {
	l := math.Sqrt2 / 2
	for _, c := range [][4]float64{{.6, .8, .6, .8}, {-.6, -.8, .6, .8}, {-.6, .8, -.6, .8}, {.6, -.8, -.6, .8},
		{-.8, .6, .8, -.6}, {.8, -.6, .8, -.6},
		{l, l, l, l}, {-l, -l, l, l}, {-l, l, l, -l}, {l, -l, l, -l}, {1, 0, 1, 0}, {-1, 0, 1, 0}, {0, -1, 0, 1}, {0, 1, 0, 1}} {
		e, z0 := plainForm(t, [2]float64{3 * c[0], 3 * c[1]})
		plane, err := events.NewPlane(system(t, .3, z0, e), z0, 1)
		if err != nil {
			t.Fatal(err)
		}
		if i, _ := plane.Tangent(0); math.Abs(plane.Dofs[i].Direction[0]-c[2])+math.Abs(plane.Dofs[i].Direction[1]-c[3]) > 1e-15 {
			t.Errorf("pulled along %v it moves along %v", c[:2], plane.Dofs[i].Direction)
		}
		if i, _ := plane.Tangent(1); plane.Dofs[i].Direction != [3]float64{1, 0, 0} {
			t.Errorf("what does not move moves along %v", plane.Dofs[i].Direction)
		}
	}
}

// TestPulledAcross: a particle moves in no plane whose neighbour pulls it across as it moves up, or
// along, but for rounding, 1e-11; nor whose friction does, be it large or small.
func TestPulledAcross(t *testing.T) {
	for _, c := range []struct {
		name  string
		entry particles.Entry
		by    int // who pulls; −1: nobody
	}{
		{"up and across", particles.Entry{Row: 1, Col: 5, Value: .1}, 1},
		{"up and a little across", particles.Entry{Row: 1, Col: 5, Value: 3e-11}, 1},
		// of 2 N/m
		{"up and next to nothing across", particles.Entry{Row: 1, Col: 5, Value: 1e-11}, -1},
		{"up and along", particles.Entry{Row: 0, Col: 5, Value: .1}, -1},
		{"along", particles.Entry{Row: 0, Col: 3, Value: .1}, -1},
	} {
		e, z0 := plainForm(t, [2]float64{1, 0}, c.entry)
		plane, err := events.NewPlane(system(t, .3, z0, e), z0, 1)
		if err != nil {
			t.Fatal(err)
		}
		switch askew := plane.Askew(); {
		case (askew != nil) != (c.by >= 0):
			t.Errorf("%s: %v", c.name, askew)
		case askew != nil && (askew.Particle != 0 || !strings.Contains(askew.Reason, "particle 1 pulls it across")):
			t.Errorf("%s: %v", c.name, askew)
		}
	}
	for _, size := range []float64{.01, 30} {
		for _, c := range []struct {
			off  float64 // of the axes, for friction 1 : 2 a third of what it is across
			want bool
		}{{0, false}, {.25e-11, false}, {.45e-11, true}, {1e-9, true}} {
			e, z0 := plainForm(t, [2]float64{1, 0})
			psi := system(t, .3, z0, e)
			m, err := dissipation.NewOrthotropic([2]float64{size, 2 * size}, [2]float64{math.Cos(c.off), math.Sin(c.off)})
			if err != nil {
				t.Fatal(err)
			}
			psi.Matrices[0] = m
			plane, err := events.NewPlane(psi, z0, 1)
			if err != nil {
				t.Fatal(err)
			}
			if askew := plane.Askew(); (askew != nil) != c.want {
				t.Errorf("friction %g, %g off: %v", size, c.off, askew)
			}
		}
	}
}

// TestTwoInASample: of two particles that begin to slip within a 64th of a period the first is the
// one that does so first, whichever number it has: sin 2πt = μN/kA.
func TestTwoInASample(t *testing.T) {
	for _, at := range [][2]float64{{.5, .503}, {.503, .5}, {.5, .51}, {.51, .5}, {.5, .5004}, {.5004, .5}} {
		var list []particles.Tether
		var psi *dissipation.Coulomb
		z0 := []float64{0, 0, 0, 5, 0, 0}
		for j := range 2 { // of 1 N/m, μ = ½ and N = 2 sin
			list = append(list, particles.Tether{Particle: j,
				Anchor:    particles.Path{sine(t, z0[3*j], 1, 1), signal.Constant(0), signal.Constant(-2 * at[j])},
				Stiffness: particles.Diagonal(1, 1, 1)})
		}
		e, err := particles.NewTethers(list...)
		if err != nil {
			t.Fatal(err)
		}
		psi = system(t, .5, z0, e)
		w := walk(t, psi, z0, .2)
		all := history(t, w, .2)
		if len(all) != 2 {
			t.Fatalf("%v: %v", at, all)
		}
		for k, e := range all {
			want := math.Asin(at[e.Contact]) / (2 * math.Pi)
			near(t, "begins to slip at", e.Time, want, 1e-16)
			if first := at[e.Contact] == min(at[0], at[1]); first != (k == 0) {
				t.Errorf("%v: number %d is contact %d", at, k, e.Contact)
			}
		}
	}
}

// TestSmoothContacts: a contact whose friction is zero has no tangent, and moves along both.
func TestSmoothContacts(t *testing.T) {
	e, z0 := plainForm(t, [2]float64{1, 2})
	psi := system(t, 0, z0, e)
	psi.Matrices[1] = nil
	plane, err := events.NewPlane(psi, z0, 1)
	if err != nil {
		t.Fatal(err)
	}
	for j := range 2 {
		if i, hasFriction := plane.Tangent(j); hasFriction || i != 3*j || plane.Normal(j) != 3*j+2 {
			t.Errorf("particle %d: the tangent is %d, %t", j, i, hasFriction)
		}
	}
	form, err := plane.Form()
	if err != nil {
		t.Fatal(err)
	}
	for k, c := range form.Contacts {
		if c.T >= 0 || c.N != 3*k+2 || c.Mu != 0 {
			t.Errorf("contact %d: %+v", k, c)
		}
	}
}

// TestAcrossExactly: what pulls across by less than rounding does so in ratios of integers, and
// that is told.
func TestAcrossExactly(t *testing.T) {
	for _, c := range []struct {
		name  string
		pull  [2]float64
		entry particles.Entry
		want  string
	}{
		{"nothing", [2]float64{1, 0}, particles.Entry{Row: 0, Col: 3, Value: .5}, ""},
		{"a neighbour", [2]float64{1, 0}, particles.Entry{Row: 1, Col: 3, Value: 1e-13}, "particle 0: a neighbour pulls across"},
		{"to a neighbour", [2]float64{1, 0}, particles.Entry{Row: 0, Col: 4, Value: 1e-13}, "particle 1: a neighbour pulls across"},
		{"both across", [2]float64{1, 0}, particles.Entry{Row: 1, Col: 4, Value: .5}, ""},
		{"a load, later", [2]float64{1, 0}, particles.Entry{Row: 0, Col: 3, Value: .5}, "particle 0: a load pulls across"},
	} {
		e, z0 := plainForm(t, c.pull, c.entry)
		list := []particles.Energy{e}
		if c.name == "a load, later" {
			l, err := particles.NewLoads(particles.Load{Particle: 0,
				Force: particles.Path{signal.Constant(0), ramp(t, 0, 0, .5, 0, 1, 1e-13), signal.Constant(0)}})
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, l)
		}
		plane, err := events.NewPlane(system(t, .3, z0, list...), z0, 1)
		if err != nil {
			t.Fatal(err)
		}
		var space *events.SpaceError
		if _, err := plane.Exact(z0); (err == nil) != (c.want == "") || err != nil &&
			(!errors.As(err, &space) || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

// TestOtherReferences: a quadratic form about another position than the start has no proof, be it
// only one of the coordinates of a product.
func TestOtherReferences(t *testing.T) {
	for _, moved := range []int{-1, 0, 3} {
		e, z0 := plainForm(t, [2]float64{1, 0})
		ref := make([]float64, 6)
		if moved >= 0 {
			ref[moved] = .5
		}
		still := make(particles.Path, 6)
		for i := range still {
			still[i] = signal.Constant(0)
		}
		product, err := particles.NewQuadratic([]int{0, 1}, ref,
			[]particles.Entry{{Row: 0, Col: 3, Value: .25}, {Row: 3, Col: 0, Value: .25}}, still)
		if err != nil {
			t.Fatal(err)
		}
		plane, err := events.NewPlane(system(t, .3, z0, e, product), z0, 1)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := plane.Exact(z0); (err == nil) != (moved < 0) || err != nil &&
			!strings.Contains(err.Error(), "another position than the start") {
			t.Errorf("coordinate %d is elsewhere: %v", moved, err)
		}
	}
}

// TestAtOnce: what happens within the first millionth of a period is met, for each of the
// conditions of a contact, to the last digits.
func TestAtOnce(t *testing.T) {
	const at = 1e-6
	held := math.Sin(2 * math.Pi * at)
	for _, c := range []struct {
		name string
		x, z signal.Scalar
		to   events.Regime
	}{
		{"forward", sine(t, 0, 1, 1), signal.Constant(-2 * held), events.SlipForward},
		{"backward", sine(t, 0, -1, 1), signal.Constant(-2 * held), events.SlipBackward},
		{"opens", signal.Constant(0), sine(t, -held, 1, 1), events.Open},
	} {
		e, err := particles.NewTethers(particles.Tether{Particle: 0,
			Anchor: particles.Path{c.x, signal.Constant(0), c.z}, Stiffness: particles.Diagonal(1, 1, 1)})
		if err != nil {
			t.Fatal(err)
		}
		z0 := make([]float64, 3)
		list := history(t, walk(t, system(t, .5, z0, e), z0, .01), .01)
		if len(list) != 1 || list[0].To != c.to {
			t.Fatalf("%s: %v", c.name, list)
		}
		near(t, c.name, list[0].Time, at, 1e-15*at)
	}
}

// TestShortSlip: a slip that begins and ends within a 64th of a period, between two samples, is not
// missed.
func TestShortSlip(t *testing.T) {
	// in 20 samples: .24 and .255 are the nearest to the peak at .25, at .998 and .9995 of it
	const until = .3
	w := walk(t, tetherOf(t, .9998), make([]float64, 3), until)
	list := history(t, w, until)
	if len(list) != 2 || list[0].To != events.SlipForward || list[1].To != events.Stick {
		t.Fatalf("%v", list)
	}
	near(t, "begins", list[0].Time, math.Asin(.9998)/(2*math.Pi), 1e-13) // the sine is flat there
	near(t, "ends", list[1].Time, .25, 1e-12)
}

// tetherOf is a particle on a spring of 1 N/m whose end goes by sin 2πt, held by as much friction.
func tetherOf(t *testing.T, held float64) *dissipation.Coulomb {
	e, err := particles.NewTethers(particles.Tether{Particle: 0,
		Anchor: particles.Path{sine(t, 0, 1, 1), signal.Constant(0), signal.Constant(-2 * held)}, Stiffness: particles.Diagonal(1, 1, 1)})
	if err != nil {
		t.Fatal(err)
	}
	return system(t, .5, make([]float64, 3), e)
}

// TestExactDirections: a motion along (1, 2) has no ratios of integers, along (3, 4) it has; and
// where dofs are.
func TestExactDirections(t *testing.T) {
	for _, c := range []struct {
		pull [2]float64
		want string
	}{{[2]float64{1, 2}, "particle 0 moves is not rational"}, {[2]float64{3, 4}, ""}} {
		e, z0 := plainForm(t, c.pull)
		plane, err := events.NewPlane(system(t, .3, z0, e), z0, 1)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := plane.Exact(z0); (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("along %v: %v", c.pull, err)
		}
		for j := range 2 {
			if i, _ := plane.Tangent(j); plane.First(j) != 2*j || i != 2*j || plane.Normal(j) != 2*j+1 ||
				plane.Dofs[plane.Normal(j)].Direction != [3]float64{0, 0, 1} || plane.Dofs[i].Particle != j {
				t.Errorf("particle %d: dofs %d to %d, the tangent is %d", j, plane.First(j), plane.Normal(j), i)
			}
		}
	}
}

// TestGrain: what loads are rounded by is four roundings of what the springs of D²E would pull with
// from the origin, where a unit of a dof is a length along it: friction with axes has coordinates
// that are none.
func TestGrain(t *testing.T) {
	const a, b, k, kz = .2, .4, 3., 5.
	z0 := []float64{0, 0, 0, -700, 20, 0, 30, -40, 0, 3, 2, 60}
	var list []particles.Tether
	for j := range 4 {
		down := -1.
		if j == 3 { // open
			down = 60
		}
		list = append(list, particles.Tether{Particle: j,
			Anchor: particles.Path{ramp(t, 0, z0[3*j], 1, z0[3*j]+1, 2, z0[3*j]+1),
				ramp(t, 0, z0[3*j+1], 1, z0[3*j+1], 2, z0[3*j+1]+1), signal.Constant(down)}, Stiffness: particles.Diagonal(k, k, kz)})
	}
	e, err := particles.NewTethers(list...)
	if err != nil {
		t.Fatal(err)
	}
	psi := system(t, .3, z0, e)
	if psi.Matrices[1], err = dissipation.NewOrthotropic([2]float64{a, b}, [2]float64{1, 0}); err != nil {
		t.Fatal(err)
	}
	plane, err := events.NewPlane(psi, z0, 2)
	if err != nil {
		t.Fatal(err)
	}
	form, err := plane.Form()
	if err != nil {
		t.Fatal(err)
	}
	if !plane.Oblique(1) || plane.Oblique(0) || form.N != 12 {
		t.Fatalf("%d dofs", form.N)
	}
	// u = Sz/μ: lengths along the axes are μ/a and μ/b of their dofs
	mu := math.Sqrt((a*a + b*b) / 2)
	for i, want := range []float64{0, 0, 0, k * mu * mu / a / a * 700 * a / mu, k * mu * mu / b / b * 700 * b / mu,
		kz * 700, k * 40, k * 40, kz * 40, k * 60, k * 60, kz * 60} {
		if got := form.Grain[i] / 0x1p-50; !(math.Abs(got-want) <= 1e-12*want) {
			t.Errorf("dof %d: %g N, want %g", i, got, want)
		}
	}
}

// TestExactHeights: a particle that floats over an obstacle by less than rounding, or is in it by
// so little, rests on it in float64 and not in ratios of integers: that is told.
func TestExactHeights(t *testing.T) {
	for _, c := range []struct {
		height float64
		want   string
	}{{0, ""}, {.125, ""}, {1e-17, "1/100000000000000000"}, {-1e-17, "-1/100000000000000000"}} {
		at := []float64{0, 0, .5}
		psi, z := cornered(t, at, [][]obstacle{{flat,
			{point: [3]float64{0, 0, .5}, normal: [3]float64{0, .6, .8}, mu: .25}}}, isotropic(t, 0, 1, path(t, 0, 0, .5, 1, 0, .25)))
		plane, err := events.NewPlane(psi, z, 1)
		if err != nil {
			t.Fatal(err)
		}
		exact := []float64{0, c.height / .6, .5}
		if c.height == .125 {
			exact[1] = 0
		}
		_, err = plane.Exact(exact)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), "as a decimal") {
			t.Errorf("height %g: %v", c.height, err)
		}
	}
}

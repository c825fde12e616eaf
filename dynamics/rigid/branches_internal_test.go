package rigid

import (
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
	"github.com/quasistatic/quasistatic/internal/vec3"
)

// garden is bodies of a dimension on a floor: two that are tied, one on a spring, some that touch.
func garden(t *testing.T, dim int, o Options) *Stepper {
	t.Helper()
	g, up := [3]float64{.1, -9.81}, [3]float64{0, 1}
	w, err := bodies.NewWorld(dim, g)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 5 {
		b := bodies.Body{Shape: bodies.Disc{R: .1}, Mass: 1 + float64(i), Position: [3]float64{.2 * float64(i), .1}, Velocity: [3]float64{.1 * float64(i)}, Spin: [3]float64{0, 0, .3}}
		if dim == 3 {
			b.Shape, b.Spin = bodies.Sphere{R: .1}, [3]float64{.1, .2, .3}
			if i == 2 {
				b.Inertia = [3]float64{.01, .02, .025}
			}
		}
		if _, err := w.Add(b); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.AddHalfSpace([3]float64{}, up); err != nil {
		t.Fatal(err)
	}
	x := multibody.Setup{Material: multibody.Material{Mu: .3}, Joints: []multibody.Joint{{Kind: multibody.Revolute, A: 0, B: 1, At: [3]float64{.1, .1}, Axis: [3]float64{0, 0, 1}}},
		Forces: []multibody.Force{&multibody.Spring{A: 2, B: -1, AtB: [3]float64{.4, .5}, Stiffness: 10, RestLength: .3}}}
	if dim == 2 {
		x.Joints[0].Axis = [3]float64{}
	}
	return stepperIn(t, w, x, o)
}

// stepperIn makes a stepper of a world.
func stepperIn(t *testing.T, w *bodies.World, x multibody.Setup, o Options) *Stepper {
	t.Helper()
	m, err := multibody.NewModel(w, x)
	if err != nil {
		t.Fatal(err)
	}
	s, err := NewStepper(m, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestCheckpointsWhole: a checkpoint is refused if one of its lists is a number short or long, or
// if a touch is another one; and it is a copy.
func TestCheckpointsWhole(t *testing.T) {
	for dim := 2; dim <= 3; dim++ {
		s := garden(t, dim, Options{})
		for range 3 {
			if err := s.Step(t.Context(), 1e-3); err != nil {
				t.Fatal(err)
			}
		}
		var whole Checkpoint
		s.Save(&whole)
		if err := s.Load(&whole); err != nil || len(whole.Memory) < 3 {
			t.Fatal(err, len(whole.Memory))
		}
		names := []string{"Q", "V", "W", "Joint", "Pull", "Travel", "Memory", "Worth.Made.Root", "Worth.Portions", "Worth.Shares.Elastic"}
		shares := reflect.TypeFor[Shares]()
		for i := range shares.NumField() {
			names = append(names, "Worth.Shares."+shares.Field(i).Name)
		}
		for _, name := range names {
			for _, more := range []bool{false, true} {
				var c Checkpoint
				s.Save(&c)
				v := reflect.ValueOf(&c).Elem()
				for _, part := range strings.Split(name, ".") {
					v = v.FieldByName(part)
				}
				if more {
					v.Set(reflect.Append(v, v.Index(0)))
				} else {
					v.Set(v.Slice(0, v.Len()-1))
				}
				if s.Load(&c) == nil {
					t.Errorf("%s of another length is accepted, longer %t", name, more)
				}
			}
		}
		c := whole
		c.Memory = slices.Clone(whole.Memory)
		c.Memory[len(c.Memory)-1].Key++
		if s.Load(&c) == nil {
			t.Error("another touch is accepted")
		}
		// All of what is known of the run comes back, and is a copy.
		var again Checkpoint
		if err := s.Load(&whole); err != nil {
			t.Fatal(err)
		}
		if s.Save(&again); !reflect.DeepEqual(again, whole) {
			t.Errorf("%+v, want %+v", again, whole)
		}
		for range 2 {
			if err := s.Step(t.Context(), 1e-3); err != nil {
				t.Fatal(err)
			}
		}
		if !reflect.DeepEqual(again, whole) {
			t.Error("a step has changed a checkpoint")
		}
	}
}

// TestPortionsAdd: what is made and lost apart, the most in a step and when; those of islands that
// meet are sums.
func TestPortionsAdd(t *testing.T) {
	var p Portion
	for k, x := range []float64{-1, 3, -2, -2, .5} {
		p.add(x, float64(k))
	}
	if want := (Portion{Made: 5, Lost: 3.5, Most: 2, MostAt: 2}); p != want {
		t.Errorf("%+v, want %+v", p, want)
	}
	s := garden(t, 2, Options{})
	w := &s.worth
	for k := range portionsCount {
		w.Portions[3][k] = Portion{Made: 1 + float64(k), Lost: 2, Most: 1, MostAt: 7}
		w.Portions[4][k] = Portion{Made: 10, Lost: 20, Most: float64(k % 2 * 5), MostAt: 9}
		w.Portions[2][k] = Portion{Made: 100}
	}
	s.link(4, 3)
	s.link(3, 4)
	s.link(-1, 3)
	for k := range portionsCount {
		want := Portion{Made: 11 + float64(k), Lost: 22, Most: 1, MostAt: 7}
		if k%2 == 1 {
			want.Most, want.MostAt = 5, 9
		}
		if w.Portions[3][k] != want || w.Portions[4][k] != (Portion{}) || w.Portions[2][k] != (Portion{Made: 100}) {
			t.Errorf("portion %d: %+v, want %+v", k, w.Portions[3][k], want)
		}
	}
}

// TestIslandsSlowly: islands of random couplings are those of a slow search, in the order of their
// first contacts, each contact in its place.
func TestIslandsSlowly(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 5))
	var x islands
	for range 200 {
		n := r.IntN(9)
		tied := make([][]bool, n)
		for i := range tied {
			tied[i] = make([]bool, n)
			tied[i][i] = true
		}
		for range r.IntN(6) {
			if n > 0 {
				i, j := r.IntN(n), r.IntN(n)
				tied[i][j], tied[j][i] = true, true
			}
		}
		w := contact.Blocks{Ptr: []int{0}}
		for i := range n {
			for _, j := range r.Perm(n) {
				if tied[i][j] {
					w.Col = append(w.Col, j)
				}
			}
			w.Ptr = append(w.Ptr, len(w.Col))
		}
		root := make([]int, n)
		for i := range root {
			root[i] = i
		}
		for range n {
			for i := range n {
				for j := range n {
					if tied[i][j] {
						root[i] = min(root[i], root[j])
						root[j] = root[i]
					}
				}
			}
		}
		var want [][]int
		number := map[int]int{}
		for i, k := range root {
			if _, known := number[k]; !known {
				number[k] = len(want)
				want = append(want, nil)
			}
			want[number[k]] = append(want[number[k]], i)
		}
		x.find(&w, n)
		if len(x.ptr)-1 != len(want) {
			t.Fatalf("%d islands, want %d", len(x.ptr)-1, len(want))
		}
		for k, list := range want {
			if !slices.Equal(x.members(k), list) {
				t.Fatalf("island %d: %v, want %v", k, x.members(k), list)
			}
			for place, i := range list {
				if x.at[i] != place {
					t.Fatalf("contact %d is at %d of its island, want %d", i, x.at[i], place)
				}
			}
		}
	}
}

// TestSameProblems: problems are the same if nothing of them differs, to the bit; checksums tell
// speeds and guesses.
func TestSameProblems(t *testing.T) {
	make := func() *solver {
		return &solver{b: []float64{1, 2}, r: []float64{3, 4}, laws: []contact.Law{contact.Coulomb{Mu: .3}}, w: contact.Blocks{D: 2, Ptr: []int{0, 1}, Col: []int{0}, Val: []float64{1, 0, 0, 1}}}
	}
	if a := make(); !a.same(make()) || a.checksum() != make().checksum() {
		t.Error("a problem is not the same as itself")
	}
	for what, spoil := range map[string]func(p *solver){
		"b": func(p *solver) { p.b[1] = math.Nextafter(2, 3) }, "r": func(p *solver) { p.r[0] = math.Nextafter(3, 4) }, "sign": func(p *solver) { p.b[0] = -1 }, "faces": func(p *solver) { p.faces = true }, "calm": func(p *solver) { p.calm = true }, "rough": func(p *solver) { p.rough = true },
		"uneven": func(p *solver) { p.uneven = true }, "laws": func(p *solver) { p.laws[0] = contact.Coulomb{Mu: .4} }, "ptr": func(p *solver) { p.w.Ptr[1] = 2 }, "col": func(p *solver) { p.w.Col[0] = 1 }, "val": func(p *solver) { p.w.Val[3] = 2 },
	} {
		p := make()
		spoil(p)
		if p.same(make()) || make().same(p) {
			t.Errorf("another %s is the same", what)
		}
		if told := p.checksum() != make().checksum(); told != (what == "b" || what == "r" || what == "sign") {
			t.Errorf("%s: the checksum tells %t", what, told)
		}
	}
}

// TestWhatIslandsAre: of even masses up to a ratio of two; with a face if two contacts are of one
// pair; worth a worker from twenty contacts on.
func TestWhatIslandsAre(t *testing.T) {
	s := garden(t, 2, Options{})
	s.touches = []bodies.Touch{bodies.FloorTouch(0, 0), bodies.PairTouch(0, 1), bodies.PairTouch(1, 2), bodies.PairTouch(2, 4), bodies.FloorTouch(4, 0), bodies.PairTouch(1, 2)}
	s.p.list = []int{0, 1, 2, 3, 4, 5}
	for _, c := range []struct {
		members       []int
		uneven, faces bool
	}{{[]int{0}, false, false}, {[]int{1}, false, false}, {[]int{2}, false, false}, {[]int{3}, false, false}, {[]int{1, 2}, true, false}, {[]int{0, 4}, true, false}, {[]int{2, 5}, false, true}, {[]int{1, 2, 5}, true, true}} {
		if got := s.uneven(c.members); got != c.uneven {
			t.Errorf("%v: uneven %t", c.members, got)
		}
		if got := s.faces(c.members); got != c.faces {
			t.Errorf("%v: faces %t", c.members, got)
		}
	}
	x := islands{ptr: []int{0, 20, 39, 60}, twin: []int{0, 1, 2}}
	if got, want := x.workers(), min(2, runtime.GOMAXPROCS(0)); got != want {
		t.Errorf("%d workers, want %d", got, want)
	}
	if x.twin[2] = 0; x.workers() != 1 {
		t.Errorf("%d workers for one island", x.workers())
	}
}

// TestDefiniteParts: eigenvalues and vectors of random symmetric matrices; the part that is not
// positive.
func TestDefiniteParts(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 1))
	for n := 1; n <= 6; n++ {
		for k := range 24 {
			unit := []float64{1, 1, 1, 1, 0x1p70, 0x1p-70}[k%6]
			a, s, e, raw := make([]float64, n*n), make([]float64, n*n), make([]float64, n*n), make([]float64, n*n)
			for i := range n {
				for j := range i + 1 {
					x := unit * r.NormFloat64()
					s[i*n+j], s[j*n+i] = x, x
					skew := unit * r.NormFloat64()
					a[i*n+j], a[j*n+i] = x+skew, x-skew
					if i == j {
						a[i*n+j] = x
					}
				}
			}
			copy(raw, s)
			jacobi(s, e, n)
			for i := range n {
				for j := range n {
					sum, orthogonal, product := 0.0, 0.0, 0.0
					for k := range n {
						sum += s[k*n+k] * e[i*n+k] * e[j*n+k]
						orthogonal += e[k*n+i] * e[k*n+j]
						product += min(s[k*n+k], 0) * e[i*n+k] * e[j*n+k]
					}
					want := 0.0
					if i == j {
						want = 1
					}
					if !(math.Abs(sum-raw[i*n+j]) <= 1e-13*unit) || !(math.Abs(orthogonal-want) <= 1e-13) || i != j && math.Abs(s[i*n+j]) > 1e-13*unit {
						t.Fatalf("order %d, entry (%d, %d): %g, want %g; product of vectors %g", n, i, j, sum, raw[i*n+j], orthogonal)
					}
					raw[i*n+j] = product
				}
			}
			definite(a, make([]float64, n*n), make([]float64, n*n), n)
			for i, x := range a {
				if !(math.Abs(x-raw[i]) <= 1e-13*unit) {
					t.Fatalf("order %d, entry %d of the part below zero: %g, want %g", n, i, x, raw[i])
				}
			}
		}
	}
}

// TestTurns: C of a turn is a rotation about w by h‖w‖, or 2 atan(h‖w‖/2) by Cayley's, and its
// derivative is that of differences, also of turns so small that series take over.
func TestTurns(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	draw := func() vec { return vec{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()} }
	for _, size := range []float64{1e-9, 1e-5, 9.9e-5, 5e-4, 2e-3, .1, 1, 3} {
		for _, cayley := range []bool{false, true} {
			w := draw()
			h := size / vec3.Norm(w)
			angle := size
			if cayley {
				angle = 2 * math.Atan(size/2)
			}
			axis := vec3.Scale(w, 1/vec3.Norm(w))
			var c [9]float64
			multibody.Rotation(&c, w, h, cayley)
			for range 3 { // Rodrigues
				x := draw()
				sin, cos := math.Sincos(angle)
				want := vec3.Add(vec3.Add(vec3.Scale(x, cos), sin, vec3.Cross(axis, x)), (1-cos)*vec3.Dot(axis, x), axis)
				if d := vec3.Norm(vec3.Add(multibody.MulVec(&c, x), -1, want)); !(d <= 1e-15*(1+vec3.Norm(x))*4) {
					t.Errorf("size %g, Cayley %t: off by %g", size, cayley, d)
				}
				if d := vec3.Norm(vec3.Add(multibody.MulBack(&c, multibody.MulVec(&c, x)), -1, x)); !(d <= 1e-14) {
					t.Errorf("size %g, Cayley %t: no rotation by %g", size, cayley, d)
				}
			}
			y := draw()
			var d, at [9]float64
			multibody.TurnTangent(&d, &at, w, y, h, cayley)
			if at != c {
				t.Errorf("size %g: another rotation", size)
			}
			for k := range 3 {
				step := 1e-5 * vec3.Norm(w)
				a, b := w, w
				a[k], b[k] = a[k]+step, b[k]-step
				var up, down [9]float64
				multibody.Rotation(&up, a, h, cayley)
				multibody.Rotation(&down, b, h, cayley)
				diff := vec3.Scale(vec3.Add(multibody.MulVec(&up, y), -1, multibody.MulVec(&down, y)), 1/(2*step))
				for i := range 3 { // the error of differences: 1e-10 of the step squared, and rounding over it
					if !(math.Abs(d[3*i+k]-diff[i]) <= h*vec3.Norm(y)*1e-8+1e-15/step) {
						t.Errorf("size %g, Cayley %t, entry (%d, %d): %g, differences %g", size, cayley, i, k, d[3*i+k], diff[i])
					}
				}
			}
		}
	}
}

// TestRefusedModels: materials, forces and joints end where they may.
func TestRefusedModels(t *testing.T) {
	make := func(x multibody.Setup) error {
		w, err := bodies.NewWorld(2, [3]float64{})
		if err != nil {
			t.Fatal(err)
		}
		for i := range 2 {
			if _, err := w.Add(bodies.Body{Shape: bodies.Disc{R: .1}, Mass: 1, Position: [3]float64{float64(i)}}); err != nil {
				t.Fatal(err)
			}
		}
		_, err = multibody.NewModel(w, x)
		return err
	}
	joint := func(j multibody.Joint) multibody.Setup { return multibody.Setup{Joints: []multibody.Joint{j}} }
	for k, c := range []struct {
		x  multibody.Setup
		ok bool
	}{
		{multibody.Setup{}, true}, {multibody.Setup{Material: multibody.Material{Mu: math.Inf(1)}}, false}, {multibody.Setup{Material: multibody.Material{Mu: -1}}, false}, {multibody.Setup{Material: multibody.Material{Mu: math.NaN()}}, false}, {multibody.Setup{Material: multibody.Material{Restitution: 1}}, true}, {multibody.Setup{Material: multibody.Material{Restitution: 1.01}}, false}, {multibody.Setup{Material: multibody.Material{Restitution: -.01}}, false},
		{multibody.Setup{Pairs: map[[2]int]multibody.Material{{0, 1}: {Mu: -1}}}, false}, {multibody.Setup{Pairs: map[[2]int]multibody.Material{{0, 1}: {Mu: 1}}}, true},
		{multibody.Setup{Forces: []multibody.Force{&multibody.Spring{A: 0, B: 1}}}, true}, {multibody.Setup{Forces: []multibody.Force{&multibody.Spring{A: 0, B: 2}}}, false}, {multibody.Setup{Forces: []multibody.Force{&multibody.Spring{A: 2, B: 1}}}, false}, {multibody.Setup{Forces: []multibody.Force{loose{-2}}}, false}, {multibody.Setup{Forces: []multibody.Force{loose{1}}}, true},
		{joint(multibody.Joint{A: 0, B: 1}), true}, {joint(multibody.Joint{A: 0, B: -1}), true}, {joint(multibody.Joint{A: 0, B: -2}), false}, {joint(multibody.Joint{A: 0, B: 2}), false}, {joint(multibody.Joint{A: -1, B: 0}), false}, {joint(multibody.Joint{A: 2, B: 0}), false}, {joint(multibody.Joint{A: 1, B: 1}), false},
		{joint(multibody.Joint{A: 0, B: 1, Kind: -1}), false}, {joint(multibody.Joint{A: 0, B: 1, Kind: multibody.Fixed}), true}, {joint(multibody.Joint{A: 0, B: 1, Kind: multibody.Fixed + 1}), false},
		{joint(multibody.Joint{A: 0, B: 1, Kind: multibody.Slider}), false}, {joint(multibody.Joint{A: 0, B: 1, Kind: multibody.Slider, Axis: [3]float64{math.Inf(1)}}), false}, {joint(multibody.Joint{A: 0, B: 1, Kind: multibody.Slider, Axis: [3]float64{1}}), true}, {joint(multibody.Joint{A: 0, B: 1, Kind: multibody.Slider, Axis: [3]float64{1, 0, 1}}), false}, {joint(multibody.Joint{A: 0, B: 1, Axis: [3]float64{0, 0, 1}}), true},
		{joint(multibody.Joint{A: 0, B: 1, At: [3]float64{0, 0, 1}}), false}, {joint(multibody.Joint{A: 0, B: 1, Other: [3]float64{0, 0, 1}}), false}, {joint(multibody.Joint{A: 0, B: 1, Kind: multibody.Distance}), false}, {joint(multibody.Joint{A: 0, B: 1, Kind: multibody.Distance, Other: [3]float64{1}}), true}, {joint(multibody.Joint{A: 0, B: 1, Kind: multibody.Distance, Other: [3]float64{math.Inf(1)}}), false},
	} {
		if err := make(c.x); (err == nil) != c.ok {
			t.Errorf("model %d: %v", k, err)
		}
	}
	for k, want := range map[multibody.Kind]string{-1: "Kind(-1)", multibody.Revolute: "revolute", multibody.Fixed: "fixed", multibody.Fixed + 1: "Kind(6)"} {
		if k.String() != want {
			t.Errorf("%q, want %q", k.String(), want)
		}
	}
	for s, want := range map[Scheme]string{Secant: "secant", Gavrea: "gavrea", 2: "Scheme(2)"} {
		if s.String() != want {
			t.Errorf("%q, want %q", s.String(), want)
		}
	}
	for s, want := range map[ContactState]string{Open: "open", Active: "active", Stick: "stick", Slip: "slip"} {
		if s.String() != want {
			t.Errorf("%q, want %q", s.String(), want)
		}
	}
	for p, want := range map[Pointedness]string{ConeUnknown: "unknown", ConePointed: "pointed", ConeLost: "lost"} {
		if p.String() != want {
			t.Errorf("%q, want %q", p.String(), want)
		}
	}
	for e, want := range map[*MemoryError]string{{Contacts: 3, Need: 2e6, Limit: 1e6}: "3 contacts at once need 2 MB of memory, more than 1 MB", {Contacts: 3, Limit: 1e6}: "more than 3 contacts at once need more than 1 MB"} {
		if !strings.HasPrefix(e.Error(), want) {
			t.Errorf("%q, want %q", e, want)
		}
	}
}

// loose is a force on one body, or on none.
type loose struct{ body int }

func (l loose) Bodies() []int                                           { return []int{l.body} }
func (loose) Force([]float64, float64, *multibody.Snapshot)             {}
func (loose) Jacobian(_, _ []float64, _ float64, _ *multibody.Snapshot) {}
func (loose) Energy(*multibody.Snapshot) float64                        { return 0 }

// TestDefaults: what is not asked for, and what is.
func TestDefaults(t *testing.T) {
	for _, c := range []struct{ o, want Options }{
		{Options{}, Options{Alpha: 1, Gamma: 1, RestitutionSpeed: 1e-3, Tolerance: 1e-11, Accept: 1e-8, MaxCuts: 8, Facets: 8, MaxCollisions: 260}},
		{Options{Alpha: .5, Uncut: true, MaxCuts: 3}, Options{Alpha: .5, Gamma: .5, Uncut: true, RestitutionSpeed: 1e-3, Tolerance: 1e-11, Accept: 1e-8, Facets: 8, MaxCollisions: 260}},
		{Options{Alpha: .5, ExplicitGamma: true, RestitutionSpeed: 1, Tolerance: 1, Accept: 1, MaxCuts: 1, Facets: 1, MaxCollisions: 1}, Options{Alpha: .5, ExplicitGamma: true, RestitutionSpeed: 1, Tolerance: 1, Accept: 1, MaxCuts: 1, Facets: 1, MaxCollisions: 1}},
	} {
		if got := c.o.withDefaults(3); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%+v, want %+v", got, c.want)
		}
	}
}

// TestRulesOfRounds: rounds of pins end at their goal, where rounding gains nothing more, or where
// convergence is quadratic.
func TestRulesOfRounds(t *testing.T) {
	for _, c := range []struct {
		change, last float64
		want         bool
	}{
		{1, math.Inf(1), true}, {1.5, math.Inf(1), true}, {900, 1e9, true}, {900, 1700, true}, {900, 1801, false}, {1100, 1e12, false}, {1100, 1000, false}, {999, 1e5, false}, {.5, .1, true}, {500, 1e6, true}, {500, 3e4, false}, {1e4, 1e9, false},
	} {
		if got := pinsDone(c.change, c.last); got != c.want {
			t.Errorf("%g after %g: done %t", c.change, c.last, got)
		}
	}
	for x, want := range map[float64]bool{0: true, -9e149: true, 1e150: false, math.Inf(-1): false} {
		if finite([]float64{1, x}) != want {
			t.Errorf("%g: finite %t", x, !want)
		}
	}
	if finite([]float64{math.NaN()}) || length([]float64{3, -4, 12}) != 13 {
		t.Error("a length, or no number")
	}
	f := &Finding{Law: 2e-6, Joint: 0, Speed: 4}
	for _, c := range []struct {
		f    Finding
		want float64
	}{{Finding{Law: 2e-6}, 2}, {Finding{Joint: 15e-9, Speed: 4}, 3}, {Finding{Motion: 8e-9, Speed: 2}, 4}, {Finding{}, 0}, {Finding{Law: 3e-6, Joint: 5e-9, Motion: 1e-9, Speed: 1}, 3}} {
		if *f = c.f; !(math.Abs(f.doubt()-c.want) <= 1e-12) {
			t.Errorf("%+v: %g, want %g", c.f, f.doubt(), c.want)
		}
	}
	c := Collision{Loss: -1e-9, Before: 1}
	if c.Gain() != 0 {
		t.Errorf("rounding gains %g", c.Gain())
	}
	if c.Loss = -2e-9; c.Gain() != 2e-9 {
		t.Errorf("%g is gained", c.Gain())
	}
}

// TestUnits: the power of a million that is nearest to the largest body, or to the place of points;
// no less than the rounding of places leaves of goals.
func TestUnits(t *testing.T) {
	for _, c := range []struct{ r, x, origin, want float64 }{
		{1, 0, 0, 1}, {.002, 0, 0, 1}, {900, 0, 0, 1}, {1100, 0, 0, 1e6}, {9e-4, 0, 0, 1e-6}, {0, 0, 0, 1}, {0, 5, 0, 1}, {0, -1e4, 0, 1e6},
		{1, 1e6, 0, 8 * 0x1p-52 * 1e6 / 1e-11}, {1, 0, 1e8, 8 * 0x1p-52 * 1e8 / 1e-8}, {1, 0, 1e5, 1},
	} {
		w, err := bodies.NewWorld(2, [3]float64{})
		if err != nil {
			t.Fatal(err)
		}
		var shape bodies.Shape = bodies.Disc{R: c.r}
		if c.r == 0 {
			shape = bodies.Point{}
		}
		if _, err := w.Add(bodies.Body{Shape: shape, Mass: 1, Position: [3]float64{0, c.x}}); err != nil {
			t.Fatal(err)
		}
		m, err := multibody.NewModel(w, multibody.Setup{Origin: [3]float64{c.origin}})
		if err != nil {
			t.Fatal(err)
		}
		if got := m.Unit(); !(math.Abs(got/c.want-1) <= 1e-12) {
			t.Errorf("%+v: %g", c, got)
		}
	}
}

// TestSwampedBodies: bodies that touch with more than 1e9 times the mass of each other are named,
// the lighter first.
func TestSwampedBodies(t *testing.T) {
	s := garden(t, 2, Options{})
	s.model.Setup.Names = []string{"a", "b", "c", "d", "e"}
	s.touches = []bodies.Touch{bodies.FloorTouch(0, 0), bodies.PairTouch(1, 2), bodies.PairTouch(3, 4)}
	mass := func(m ...float64) {
		for i, x := range m {
			s.model.Bodies[i].Mass = x
		}
	}
	mass(1, 1, 1e9, 1, 1)
	if text := s.swamped(); text != "" {
		t.Error(text)
	}
	mass(1e30, 3e9, 1, 1, 1)
	if text := s.swamped(); !strings.HasPrefix(text, `body "c" of 1 kg touches body "b" of 3e+09 kg: the ratio 3e+09 leaves 7 of 16`) {
		t.Error(text)
	}
	mass(1, 1, 2e9, 1, 1e20)
	if text := s.swamped(); !strings.HasPrefix(text, `body "d" of 1 kg touches body "e" of 1e+20 kg: the ratio 1e+20 leaves 0 of`) {
		t.Error(text)
	}
	var none *MemoryError
	for err, want := range map[error]bool{errSteep: true, &ZenoError{}: true, &MemoryError{}: false} {
		if got := s.shorterHelps(t.Context(), err, .1); got != want {
			t.Errorf("%v: a shorter step helps %t", err, got)
		}
	}
	if s.shorterHelps(t.Context(), errSteep, math.Inf(1)) || errors.As(errSteep, &none) {
		t.Error("half of infinity helps")
	}
	if s.t = 1; s.shorterHelps(t.Context(), errSteep, 0x1p-53) {
		t.Error("a step within rounding helps")
	}
}

// TestPolished: impulses of one contact that is off, of a problem in normal form, are those of its
// closed form; of many, or where little is left, they stay.
func TestPolished(t *testing.T) {
	for _, c := range []struct {
		b, r, want [3]float64
		mu         float64
	}{{[3]float64{-1, .1, 0}, [3]float64{1, -.1 + 1e-4, 0}, [3]float64{1, -.1, 0}, .5}, {[3]float64{-1, 2, 0}, [3]float64{1 + 1e-4, -.5 - .5e-4, 0}, [3]float64{1, -.5, 0}, .5}, {[3]float64{1, 2, 0}, [3]float64{1e-4, 0, 0}, [3]float64{}, .5}, {[3]float64{-1, 2, 3}, [3]float64{1.01, 0, 0}, [3]float64{1}, 0}} {
		p := &solver{dim: 3, list: []int{0}, b: c.b[:], scale: []float64{1}, laws: []contact.Law{contact.Coulomb{Mu: c.mu}}, w: contact.Blocks{D: 3, Ptr: []int{0, 1}, Col: []int{0}, Val: []float64{1, 0, 0, 0, 1, 0, 0, 0, 1}}}
		r := slices.Clone(c.r[:])
		left := p.sharpen(r)
		for d := range 3 {
			if !(math.Abs(r[d]-c.want[d]) <= 1e-9) && c.b[0] < 0 { // the shift of the diagonal, in four rounds
				t.Errorf("%+v: %v", c, r)
			}
		}
		if c.b[0] < 0 && !(left <= polishAt*1e-2) {
			t.Errorf("%+v: %g is left", c, left)
		}
		many := &solver{dim: 3, b: slices.Repeat(c.b[:], 121), scale: slices.Repeat([]float64{1}, 121), laws: slices.Repeat(p.laws, 121), list: make([]int, 121), w: contact.Blocks{D: 3, Ptr: []int{0}}}
		for i := range 121 {
			many.w.Col, many.w.Val, many.w.Ptr = append(many.w.Col, i), append(many.w.Val, p.w.Val...), append(many.w.Ptr, i+1)
		}
		r = slices.Repeat(c.r[:], 121)
		if many.sharpen(r); !slices.Equal(r, slices.Repeat(c.r[:], 121)) {
			t.Errorf("%+v: 121 contacts are polished", c)
		}
	}
}

// TestBendsAfterStall: rounds of bends that no longer gain end at ten times what the last contact
// problem has left, not one before it in the step.
func TestBendsAfterStall(t *testing.T) {
	box := bodies.Body{Shape: bodies.Box{Size: vec{.2, .2, .2}}, Mass: 1, Position: vec{0, 0, .1}, Velocity: vec{.3}, Spin: vec{0, .1, 2}}
	s := stepperOf(t, 3, vec{0, 0, -9.81}, multibody.Setup{Material: multibody.Material{Mu: .2}}, Options{Alpha: .5}, []bodies.Body{box}, bodies.Obstacle{Surface: bodies.HalfSpace{Normal: vec{0, 0, 1}}})
	const h = 1e-3
	s.begin(h)
	s.alpha, s.gamma, s.until = .5, .5, h
	if err := s.solveStep(t.Context(), h); err != nil || len(s.bent) == 0 {
		t.Fatalf("%v, %d bends", err, len(s.bent))
	}
	for _, c := range []struct {
		before, last float64
		want         bool
	}{{1e-3, 1e-14, false}, {1e-14, 1e-3, true}} {
		s.step.Residual, s.solved = c.before, c.last
		s.w[3] += 1e-6 // the bends change by some millionths
		last := 1e-10
		if done, err := s.bendAll(h, 3, &last); err != nil || done != c.want {
			t.Errorf("%+v: done %t, %v; change %g", c, done, err, last)
		}
	}
}

// TestBendsOfManyFaces: rounds of more than a hundred contacts end where speeds change by no more
// than Options.Accept, whatever they did before; of fewer, in the plane, of bodies that meet in
// single points, and where they change by more, they go on.
func TestBendsOfManyFaces(t *testing.T) {
	const h = 1e-3
	for _, c := range []struct {
		boxes  int
		change float64
		single bool
		want   bool
	}{{26, 1e-7, false, true}, {25, 1e-7, false, false}, {26, 1e-4, false, false}, {26, 1e-7, true, false}} {
		var list []bodies.Body
		for i := range c.boxes {
			list = append(list, bodies.Body{Shape: bodies.Box{Size: vec{.2, .2, .2}}, Mass: 1, Position: vec{float64(i), 0, .1}, Spin: vec{0, .1, 2}})
		}
		s := stepperOf(t, 3, vec{0, 0, -9.81}, multibody.Setup{Material: multibody.Material{Mu: .2}}, Options{Alpha: .5}, list, bodies.Obstacle{Surface: bodies.HalfSpace{Normal: vec{0, 0, 1}}})
		s.begin(h)
		s.alpha, s.gamma, s.until = .5, .5, h
		if err := s.solveStep(t.Context(), h); err != nil || len(s.bent) == 0 || len(s.p.list) != 4*c.boxes {
			t.Fatalf("%v, %d bends of %d touches", err, len(s.bent), len(s.p.list))
		}
		if c.single {
			n := 0
			for _, i := range s.p.list {
				if n == 0 || s.touches[s.p.list[n-1]].Pair() != s.touches[i].Pair() {
					s.p.list[n], n = i, n+1
				}
			}
			s.p.list = s.p.list[:n]
		}
		s.solved = 0
		s.w[3] += c.change
		last := 1e-2
		if done, err := s.bendAll(h, 3, &last); err != nil || done != c.want {
			t.Errorf("%+v: done %t, %v; change %g", c, done, err, last)
		}
	}
}

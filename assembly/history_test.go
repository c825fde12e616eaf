package assembly_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/assembly"
	"github.com/quasistatic/quasistatic/assembly/files"
	"github.com/quasistatic/quasistatic/internal/thorough"
)

// follow evolves an assembly by its stages.
func follow(t *testing.T, a *assembly.Assembly, o *assembly.HistoryOptions) *assembly.History {
	t.Helper()
	if err := a.Prepare(assembly.Finding{}); err != nil {
		t.Fatal(err)
	}
	h, err := assembly.Evolve(t.Context(), a, o)
	if err != nil {
		t.Fatal(err)
	}
	for k := range h.Stages {
		s := &h.Stages[k]
		if s.Balance > 1e-8 || s.Law > 1e-7 {
			t.Errorf("stage %s misses balance by %.2g, the law by %.2g of the loads", s.Name, s.Balance, s.Law)
		}
	}
	return h
}

// points is a block of size 2 by 2 and weight w about the origin, held by points that others have at it: of each its block, place, normal
// onto the block and friction.
func points(w float64, others []string, at, normal [][3]float64, mu []float64) *assembly.Assembly {
	a := &assembly.Assembly{Plane: true, Blocks: []assembly.Block{rectangle("block", -1, -1, 1, 1, false)}}
	a.Blocks[0].Density = w / 4 / 9.81
	for k, name := range others {
		x := 100 * float64(k+1)
		a.Blocks = append(a.Blocks, rectangle(name, x, 0, x+1, 1, true))
		a.Interfaces = append(a.Interfaces, assembly.Interface{A: k + 1, B: 0, Normal: normal[k],
			Points: [][3]float64{at[k]}, Friction: mu[k]})
	}
	return a
}

// TestPressedAgainstWall: a block on a floor is pushed against a wall, and left: the wall has what friction on the floor keeps, as of a
// spring of the wall beside one of the floor that slips.
func TestPressedAgainstWall(t *testing.T) {
	const w, mu = 100., .4
	for _, along := range []float64{1, 2} {
		for _, push := range []float64{20, 60, 100, 300} {
			a := points(w, []string{"left", "right", "wall"}, [][3]float64{{-1}, {1}, {1}},
				[][3]float64{{0, 0, 1}, {0, 0, 1}, {-1}}, []float64{mu, mu, 0})
			a.Stages = []assembly.Stage{{Name: "pushed", Loads: []assembly.Load{{Force: [3]float64{push}}}},
				{Name: "left", Loads: []assembly.Load{{Force: [3]float64{-push}}}}}
			h := follow(t, a, &assembly.HistoryOptions{Compliance: assembly.Compliance{Along: along}})
			floor := 2 / along // stiffness by that of the wall
			pressed := max(push/(1+floor), push-mu*w)
			left := max(pressed-push/(1+floor), 0)
			left = min(left, mu*w) // the floor slips back
			for k, want := range []float64{0, pressed, left} {
				f := h.Stages[k].Force(3, [3]float64{1})
				near(t, h.Stages[k].Name, f, want, 1e-6*w)
			}
		}
	}
}

// TestPressedIn: a block between two sides that draw nearer upwards by the angle a from the vertical, pressed in upwards and let
// go, hangs by what is left of the pressure; not pressed in enough it falls out, though the same forces could hold it.
func TestPressedIn(t *testing.T) {
	const w, mu, angle = 100., .6, .2
	sin, cos := math.Sincos(angle)
	for _, press := range []float64{150, 400, 2000} {
		a := points(w, []string{"left", "right"}, [][3]float64{{-1}, {1}}, [][3]float64{{cos, 0, -sin}, {-cos, 0, -sin}}, []float64{mu, mu})
		a.Loads = []assembly.Load{{Force: [3]float64{0, 0, press}}}
		a.Stages = []assembly.Stage{{Name: "let go", Loads: []assembly.Load{{Force: [3]float64{0, 0, -press}}}}}
		h := follow(t, a, nil)
		n := (press - w) / 2 / (sin + mu*cos) // it slides in
		f := h.Stages[0].Force(1, [3]float64{-1})
		near(t, "pressed in", f, n*cos-mu*n*sin, 1e-6*press)
		normal, along := n-press/2*sin, mu*n-press/2*cos // of the side on the block, downwards
		holds := -along <= mu*normal
		switch end := &h.Stages[1]; {
		case h.Holds != holds:
			t.Errorf("pressed by %g: goes to %g of letting go, held: %v", press, end.Share, holds)
		case !holds && !end.Lost:
			t.Errorf("that no state follows is not shown: %s", end.Ends)
		case !holds: // up to where friction is used up
			near(t, "share", end.Share, 4*mu*n/press/(cos+mu*sin), 1./16/128)
		default:
			f := end.Force(1, [3]float64{-1})
			near(t, "let go", f, normal*cos-along*sin, 1e-6*press)
		}
	}
}

// TestLadder: its weight grows, and it slides at its head, whose forces are μ N up and N across with 4 N + 2 μ N = w, where all
// from none at the head on could hold it.
func TestLadderSettles(t *testing.T) {
	const w, mu = 10., .3
	a := points(w, []string{"floor", "wall"}, [][3]float64{{-1, 0, -2}, {1, 0, 2}}, [][3]float64{{0, 0, 1}, {-1}}, []float64{.8, mu})
	h := follow(t, a, nil)
	f := h.Stages[0].Force(2, [3]float64{1})
	near(t, "across", f, w/(4+2*mu), 1e-9)
	f = h.Stages[0].Force(2, [3]float64{0, 0, -1})
	near(t, "up", f, mu*w/(4+2*mu), 1e-9)
}

// TestSupportsSettle: of two blocks that lean on each other thrust is the least that balances once a support has given way, and
// the most once it was pressed, by two programs that know no history; before, it is between them, and told by how joints give.
func TestSupportsSettle(t *testing.T) {
	for _, way := range []float64{1, -1} {
		a := frame(.8)
		a.Stages = []assembly.Stage{{Name: "moved", Moves: []assembly.SupportMotion{{Block: 3, Velocity: [3]float64{way}}}}}
		h := follow(t, a, nil)
		thrust, err := assembly.ReactionRange(t.Context(), a, 3, [3]float64{1})
		if err != nil || !h.Holds {
			t.Fatal(err, h.Stages[len(h.Stages)-1].Ends)
		}
		want := thrust.Least
		if way < 0 {
			want = thrust.Most
		}
		before := h.Stages[0].Force(3, [3]float64{1})
		after := h.Stages[1].Force(3, [3]float64{1})
		near(t, "thrust", after, want, 1e-6*math.Abs(want))
		if !(before > 1.01*thrust.Least && before < .99*thrust.Most) || h.Stages[1].Drift > 1e-7 {
			t.Errorf("thrust %.6g before, of %.6g to %.6g; drift %.2g", before, thrust.Least, thrust.Most, h.Stages[1].Drift)
		}
	}
}

// TestSupportsSink: as a support of an arch goes on in any direction, hinges open until the force on it along that is the least
// of all that balance, by a program that knows no history. Sinking or rising turns the three hinges that loads have left, and
// changes no force until one of them has closed.
func TestSupportsSink(t *testing.T) {
	for k := range 16 {
		sin, cos := math.Sincos(float64(k) * math.Pi / 8)
		a, err := files.Decode([]byte(`{"plane": true, "friction": 0.7, "generate": {"arch": {"radius": 1, "thickness": 0.2, "voussoirs": 11, "density": 2000}}}`),
			"")
		if err != nil {
			t.Fatal(err)
		}
		right := slices.IndexFunc(a.Blocks, func(b assembly.Block) bool { return b.Name == "right" })
		way := [3]float64{cos, 0, sin}
		a.Stages = []assembly.Stage{{Name: "moved", Moves: []assembly.SupportMotion{{Block: right, Velocity: way}}}}
		h := follow(t, a, nil)
		force, err := assembly.ReactionRange(t.Context(), a, right, way)
		if err != nil || !h.Holds {
			t.Fatal(err, h.Stages[len(h.Stages)-1].Ends)
		}
		near(t, fmt.Sprintf("along %.3g", way), h.Stages[len(h.Stages)-1].Force(right, way), force.Least, 1e-6*math.Abs(force.Least))
	}
}

// TestEnds: why histories end: a block between walls that draw nearer is jammed; one that hangs from mortar above a floor tears off, though
// the floor would carry it; one whose prop is taken away falls.
func TestEnds(t *testing.T) {
	wall := func() *assembly.Assembly {
		return points(10, []string{"left", "right", "floor"}, [][3]float64{{-1}, {1}, {0, 0, -1}},
			[][3]float64{{1}, {-1}, {0, 0, 1}}, []float64{.5, .5, .5})
	}
	jammed := wall()
	jammed.Stages = []assembly.Stage{{Name: "pressed", Moves: []assembly.SupportMotion{{Block: 2, Velocity: [3]float64{-1}}}}}
	torn := points(10, []string{"above", "below"}, [][3]float64{{0, 0, 1}, {0, 0, -1}},
		[][3]float64{{0, 0, -1}, {0, 0, 1}}, []float64{.5, .5})
	torn.Interfaces[0].Tension = 4 // half the weight hangs
	free := wall()                 // of what it does not touch
	free.Blocks = append(free.Blocks, rectangle("far", 900, 0, 901, 1, true))
	free.Stages = []assembly.Stage{{Name: "moved", Moves: []assembly.SupportMotion{{Block: 4, Velocity: [3]float64{1e5}}}}}
	if h := follow(t, free, nil); !h.Holds {
		t.Errorf("a support that touches nothing moves: %+v", h.Stages[1])
	}
	for _, size := range []float64{0, 1e-300, 1e300} {
		none := wall()
		none.Stages = []assembly.Stage{{Name: "moved", Moves: []assembly.SupportMotion{{Block: 2, Velocity: [3]float64{size}}}}}
		if err := none.Prepare(assembly.Finding{}); err == nil {
			t.Errorf("a support is moved by %g", size)
		}
	}
	falls := points(10, []string{"left", "right", "floor"}, [][3]float64{{-1}, {1}, {0, 0, -1}},
		[][3]float64{{1}, {-1}, {0, 0, 1}}, []float64{0, 0, .5})
	falls.Stages = []assembly.Stage{{Name: "pushed up", Loads: []assembly.Load{{Force: [3]float64{0, 0, 20}}}}}
	for want, a := range map[string]*assembly.Assembly{"jammed": jammed,
		"the tension between above and block gives way": torn, "no forces balance": falls} {
		h := follow(t, a, nil)
		if last := &h.Stages[len(h.Stages)-1]; h.Holds || !strings.Contains(last.Ends, want) {
			t.Errorf("%q, %v, want %q", last.Ends, h.Holds, want)
		} else if want == "no forces balance" && (last.Fall == nil || !last.Fall.Exact) {
			t.Errorf("it falls without a proof")
		}
	}
}

// TestRandomHistories: of random assemblies in the plane those that an enumeration of modes finds to stand settle under loads
// that grow, and those that fall do not. What depends may do either. Of those that stand, 1 m long in space, the state of the
// plane is one there.
func TestRandomHistories(t *testing.T) {
	count := 400
	if thorough.Asked() {
		count = 4000
	}
	rng := rand.New(rand.NewPCG(35, 14))
	held, lost, shown, stand, missed := 0, 0, 0, 0, 0
	for k := range count {
		a, c := randomAssembly(rng, 2+rng.IntN(3))
		want, margin := c.verdict()
		if margin < 1e-6 {
			continue
		}
		long := inSpace(a)
		h := follow(t, a, nil)
		if want == assembly.Stands {
			if h := follow(t, long, nil); !h.Holds {
				missed++
			}
			stand++
		}
		switch last := &h.Stages[0]; {
		case want == assembly.Depends && h.Holds:
			held++
		case want == assembly.Depends:
			lost++
			if last.Lost {
				shown++
			}
		case h.Holds != (want == assembly.Stands):
			t.Errorf("assembly %d %s; its history ends with %q", k, want, last.Ends)
		}
	}
	if missed > stand/50 {
		t.Errorf("of %d that stand %d were not found in space", stand, missed)
	}
	t.Logf("of those that depend %d are held, %d are not (%d shown); of %d that stand %d were not found in space", held,
		lost, shown, stand, missed)
}

// inSpace is an assembly in the plane made 1 m long, a corner at each end.
func inSpace(a *assembly.Assembly) *assembly.Assembly {
	long := &assembly.Assembly{Friction: a.Friction, Loads: slices.Clone(a.Loads)}
	for _, b := range a.Blocks {
		v := b.Vertices // of a rectangle
		one := box(b.Name, [3]float64{v[0][0], -.5, v[0][2]}, [3]float64{v[2][0], .5, v[2][2]}, b.Support)
		one.Density = b.Density
		long.Blocks = append(long.Blocks, one)
	}
	for _, f := range a.Interfaces {
		points := f.Points
		f.Points = nil
		for _, y := range []float64{-.5, .5} {
			for _, p := range points {
				f.Points = append(f.Points, [3]float64{p[0], y, p[2]})
			}
		}
		long.Interfaces = append(long.Interfaces, f)
	}
	return long
}

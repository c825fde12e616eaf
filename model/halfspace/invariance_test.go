package halfspace

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"testing"

	"github.com/quasistatic/quasistatic/halfspace"
	"github.com/quasistatic/quasistatic/internal/thorough"
)

// frame is what a case is written in: units of length, stress and time, a shift of the
// origin in shorter sides of the window, and quarters of a turn about the normal.
type frame struct {
	name                   string
	length, stress, second float64
	shift                  float64
	quarters               int
}

// point is a place in the frame; size is the shorter side of the window [m].
func (f *frame) point(x, y, size float64) (float64, float64) {
	x, y = f.turn(x, y)
	return (x + f.shift*size) * f.length, (y - .7*f.shift*size) * f.length
}

// turn rotates a vector of the plane.
func (f *frame) turn(x, y float64) (float64, float64) {
	for range f.quarters {
		x, y = -y, x
	}
	return x, y
}

// signal multiplies a function of time by a factor: a number or a table.
func (f *frame) signal(v any, factor float64) any {
	switch v := v.(type) {
	case float64:
		return v * factor
	case map[string]any:
		rows := []any{}
		for _, r := range v["table"].([]any) {
			rows = append(rows, []any{r.([]any)[0].(float64) * f.second, f.signal(r.([]any)[1], factor)})
		}
		return map[string]any{"table": rows}
	}
	panic(fmt.Sprintf("signal %v", v))
}

// profile writes a sphere, a cylinder and a paraboloid as the last: b₁x² + b₂xy + b₃y² + b₄x + b₅y
// + b₆.
func (f *frame) profile(p map[string]any, size float64) {
	if r, ok := p["rough"].(map[string]any); ok { // it goes with the window
		for _, k := range []string{"height", "longest", "shortest"} {
			r[k] = r[k].(float64) * f.length
		}
		return
	}
	var b [6]float64
	if list, ok := p["quadratic"].([]any); ok {
		for i, v := range list {
			b[i] = v.(float64)
		}
	}
	if r, ok := p["sphere"].(float64); ok {
		b[0], b[2] = b[0]+.5/r, b[2]+.5/r
	}
	if r, ok := p["cylinder"].(float64); ok {
		b[0] += .5 / r
	}
	for range f.quarters { // the old x is the new y, the old y the new −x
		b = [6]float64{b[2], -b[1], b[0], -b[4], b[3], b[5]}
	}
	u, v := f.shift*size, -.7*f.shift*size
	b = [6]float64{b[0], b[1], b[2], b[3] - 2*b[0]*u - b[1]*v, b[4] - 2*b[2]*v - b[1]*u,
		b[5] + b[0]*u*u + b[1]*u*v + b[2]*v*v - b[3]*u - b[4]*v}
	list := []any{}
	for i, power := range []int{-1, -1, -1, 0, 0, 1} {
		list = append(list, b[i]*math.Pow(f.length, float64(power)))
	}
	clear(p)
	p["quadratic"] = list
}

// controls turns and scales what is prescribed.
func (f *frame) controls(c map[string]any) {
	force := f.stress * f.length * f.length
	for name, v := range c {
		v := v.(map[string]any)
		turns := name != "normal" && name != "x" && name != "y"
		for key, s := range v {
			factor := map[string]float64{"approach": f.length, "shift": f.length, "load": force, "creepage": 1}[key]
			switch {
			case turns && key == "load":
				factor *= f.length
			case turns && key == "shift":
				factor = 1
			case turns:
				factor /= f.length
			}
			v[key] = f.signal(s, factor)
		}
	}
	for range f.quarters { // (x, y) → (−y, x)
		for _, pair := range [][2]string{{"x", "y"}, {"tilt_x", "tilt_y"}} {
			x, y := c[pair[0]], c[pair[1]]
			delete(c, pair[0])
			delete(c, pair[1])
			if x != nil {
				c[pair[1]] = x
			}
			if y != nil {
				one := frame{second: 1}
				for key, s := range y.(map[string]any) {
					y.(map[string]any)[key] = one.signal(s, -1)
				}
				c[pair[0]] = y
			}
		}
	}
}

// write rewrites a case.
func (f *frame) write(doc map[string]any) {
	doc["until"] = doc["until"].(float64) * f.second
	w := doc["window"].(map[string]any)
	pair := func(v any) (x, y float64) {
		if list, ok := v.([]any); ok {
			x, y = list[0].(float64), list[1].(float64)
		}
		return x, y
	}
	nx, ny := pair(w["elements"])
	lx, ly := pair(w["size"])
	size := min(lx, ly)
	cx, cy := f.point(0, 0, size)
	if w["centre"] != nil {
		x, y := pair(w["centre"])
		cx, cy = f.point(x, y, size)
	}
	if f.quarters%2 == 1 {
		nx, ny, lx, ly = ny, nx, ly, lx
	}
	w["elements"], w["size"], w["centre"] = []any{nx, ny}, []any{lx * f.length, ly * f.length}, []any{cx, cy}
	for _, key := range []string{"body", "on"} {
		if m, ok := doc[key].(map[string]any); ok {
			for _, k := range []string{"young", "shear"} {
				if v, ok := m[k].(float64); ok {
					m[k] = v * f.stress
				}
			}
		}
	}
	f.profile(doc["profile"].(map[string]any), size)
	if m, ok := doc["friction"].(map[string]any); ok {
		if mu, ok := m["mu"].([]any); ok && f.quarters%2 == 1 {
			m["mu"] = []any{mu[1], mu[0]}
		}
		if g, ok := m["threshold"].(float64); ok {
			m["threshold"] = g * f.stress
		}
	}
	for _, key := range []string{"steady", "rolled"} {
		list, ok := doc[key].([]any)
		if !ok {
			continue
		}
		if x, y := list[0], list[1]; key == "rolled" {
			for range f.quarters {
				x, y = (&frame{second: 1}).signal(y, -1), x
			}
			doc[key] = []any{f.signal(x, f.length), f.signal(y, f.length)}
			continue
		}
		x, y := f.turn(pair(list))
		doc[key] = []any{x * f.length, y * f.length}
	}
	f.controls(doc["control"].(map[string]any))
}

// ending is what a run leaves, in the frame of the case itself.
type ending struct {
	values [11]float64 // moves along x, y, n; loads likewise; the tilts; stored, dissipated
	counts [2]float64
	sound  bool
	first  string
}

// end makes a run.
func (f *frame) end(t *testing.T, doc map[string]any) ending {
	t.Helper()
	text, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	c := prepared(t, string(text))
	started, err := c.Start(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	r := started.(*Run)
	for k := 0; k <= c.plan.Steps; k++ {
		if k > 0 {
			if err := r.Step(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		r.count(k)
	}
	back := frame{quarters: (4 - f.quarters) % 4}
	move, load, l := r.moves(), r.loads(), r.e.Ledger()
	force := f.stress * f.length * f.length
	e := ending{counts: [2]float64{r.node.Contacts, r.node.Sticking}, sound: true}
	way := f.length
	if c.steady != nil { // creepages
		way = 1
	}
	mx, my := back.turn(move[halfspace.MoveX]/way, move[halfspace.MoveY]/way)
	lx, ly := back.turn(load[halfspace.MoveX]/force, load[halfspace.MoveY]/force)
	tx, ty := back.turn(move[halfspace.TurnX], move[halfspace.TurnY])
	ux, uy := back.turn(load[halfspace.TurnX]/force/f.length, load[halfspace.TurnY]/force/f.length)
	e.values = [11]float64{mx, my, move[halfspace.MoveN] / f.length, lx, ly, load[halfspace.MoveN] / force, tx, ty,
		math.Hypot(ux, uy), l.Stored / force / f.length, l.Dissipated / force / f.length}
	for _, fact := range r.Verdict() {
		if !fact.Passed && e.sound {
			e.sound, e.first = false, fact.String()
		}
	}
	return e
}

// scenes are half-spaces with all that a frame changes.
var scenes = map[string]string{
	"sheared both ways": `{"window": {"elements": [12, 8], "size": [3, 2], "centre": [0.1, -0.05]}, "body": {"young": 1, "poisson": 0.3}, "on": {"shear": 2, "poisson": 0.1},
		"profile": {"quadratic": [0.5, 0.2, 0.7, 0.01, -0.02, 0.03]}, "friction": {"mu": [0.3, 0.2]}, "until": 2, "steps": 8,
		"control": {"normal": {"load": {"table": [[0, 0.05], [1, 0.3], [2, 0.2]]}}, "x": {"shift": {"table": [[0, 0], [1, 0.05], [2, -0.02]]}}, "y": {"load": {"table": [[0, 0], [2, 0.02]]}}, "tilt_x": {"shift": 0.01}}}`,
	"Tresca, tilted by a moment": `{"window": {"elements": [10, 9], "size": [2, 2.1]}, "body": {"young": 3}, "profile": {"sphere": 1}, "friction": {"threshold": 0.05}, "until": 1, "steps": 4,
		"control": {"normal": {"approach": {"table": [[0, 0], [1, 0.2]]}}, "tilt_y": {"load": {"table": [[0, 0], [1, 0.02]]}}, "y": {"shift": {"table": [[0, 0], [1, 0.1]]}}}}`,
	"rolling with spin": `{"window": {"elements": [14, 10], "size": [2.8, 2]}, "body": {"young": 1}, "on": "similar", "profile": {"sphere": 2}, "friction": {"mu": 0.3}, "until": 1, "steps": 5, "rolled": [{"table": [[0, 0], [1, 1]]}, 0],
		"control": {"normal": {"load": 0.3}, "x": {"shift": {"table": [[0, 0], [1, 0.01]]}}, "spin": {"shift": {"table": [[0, 0], [1, 0.02]]}}}}`,
	"no friction": `{"window": {"elements": [9, 9], "size": [2, 2]}, "body": {"young": 1}, "profile": {"cylinder": 1, "quadratic": [0, 0, 0.2, 0, 0, 0]}, "until": 1, "steps": 3, "control": {"normal": {"load": {"table": [[0, 0], [1, 0.4]]}}}}`,
}

// TestFrames: half-spaces do not depend on units, origin and directions, as far as a grid has
// these: the same end, the same verdict. The distance of the bodies at x is
// x²/2R, of which far from the origin 2⁻⁵² are rounding, beside the approach. The
// solver ends at a duality gap of 1e-8 of the energy, but its iterates are the same but for
// rounding, and so is where it ends, to 1e-6. With QUASISTATIC_LONG
// also the cases of the model.
func TestFrames(t *testing.T) {
	thorough.Seconds(t)
	t.Parallel()
	frames := []frame{
		{name: "moved by 10", shift: 10}, {name: "moved by 1e3", shift: 1e3}, {name: "moved by 1e6", shift: 1e6},
		{name: "a quarter", quarters: 1}, {name: "half a turn", quarters: 2}, {name: "three quarters, moved", quarters: 3, shift: 10},
		{name: "length 1e6", length: 1e6}, {name: "length 1e-6", length: 1e-6}, {name: "stress 1e6", stress: 1e6},
		{name: "stress 1e-6", stress: 1e-6}, {name: "time 1e6", second: 1e6},
	}
	texts := maps.Clone(scenes)
	if thorough.Asked() {
		for _, name := range []string{"carter", "cattaneo-mindlin-41", "rough-contact", "spence"} {
			text, err := os.ReadFile("../../cases/" + name + ".json")
			if err != nil {
				t.Fatal(err)
			}
			texts[name] = string(text)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		decoded := func() (doc map[string]any) {
			if err := json.Unmarshal([]byte(texts[name]), &doc); err != nil {
				t.Fatal(err)
			}
			for _, key := range []string{"expect", "description"} {
				delete(doc, key)
			}
			doc["model"], doc["name"] = "halfspace", "scene"
			return doc
		}
		own := frame{length: 1, stress: 1, second: 1}
		want := own.end(t, decoded())
		size := decoded()["window"].(map[string]any)["size"].([]any)
		arm := min(size[0].(float64), size[1].(float64)) / 2
		shape := decoded()["profile"].(map[string]any)
		own.profile(shape, 0)
		curvature := 0.
		if list, ok := shape["quadratic"].([]any); ok {
			curvature = max(list[0].(float64), list[2].(float64))
		}
		for _, f := range frames {
			for _, u := range []*float64{&f.length, &f.stress, &f.second} {
				if *u == 0 {
					*u = 1
				}
			}
			if f.quarters > 0 && name == "rough-contact" {
				continue // its random numbers go by rows
			}
			doc := decoded()
			f.write(doc)
			got := f.end(t, doc)
			move, load := 0., 0.
			for i := range 3 {
				move, load = max(move, math.Abs(want.values[i])), max(load, math.Abs(want.values[3+i]))
			}
			far := f.shift * 2 * arm
			allowed := 1e-6 + 4*0x1p-52*curvature*far*far/math.Abs(want.values[2]) // four roundings of it
			energy := max(want.values[9], want.values[10])
			for i, size := range []float64{move, move, move, load, load, load, move / arm, move / arm, load * arm, energy, energy} {
				if off := math.Abs(got.values[i] - want.values[i]); !(off <= allowed*size) {
					t.Errorf("%s, %s: value %d is off by %.3g of %.3g, allowed %.3g: %v, want %v", name, f.name, i, off,
						size, allowed, got.values, want.values)
				}
			}
			// An element at the edge may touch or not, where the numbers are not the same.
			if off := math.Abs(got.counts[0]-want.counts[0]) + math.Abs(got.counts[1]-want.counts[1]); off > 0 && f.shift < 1e6 {
				t.Errorf("%s, %s: contacts and sticking %v, want %v", name, f.name, got.counts, want.counts)
			}
			if got.sound != want.sound {
				t.Errorf("%s, %s: accurate %t (%s), was %t (%s)", name, f.name, got.sound, got.first, want.sound, want.first)
			}
		}
	}
}

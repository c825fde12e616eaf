package energetic

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/table"
)

// TestCornerCarried: nothing of a motion relative to obstacles depends on how fast all of them go
// together. The corner of the case of that name moves in space, its anchor with it: places are
// those at rest plus the way, dissipation and the state of each contact the same at all nodes,
// though what the obstacles carry is told by another part of the program.
func TestCornerCarried(t *testing.T) {
	speed := [3]float64{0.3, -0.2, 0.5}
	change := map[string]any{"steps": 120., "expect": []any{}}
	still, moving := changed(t, "corner", change), changed(t, "corner", change)
	until := moving["until"].(float64)
	way := make([]any, 3)
	for i, v := range speed {
		way[i] = map[string]any{"table": []any{[]any{0.0, 0.0}, []any{until, v * until}}}
	}
	for _, o := range moving["obstacles"].(map[string]any) {
		o.(map[string]any)["motion"] = map[string]any{"translation": way}
	}
	for _, row := range moving["anchors"].([]any)[0].(map[string]any)["at"].(map[string]any)["table"].([]any) {
		row := row.([]any)
		for i, x := range row[1].([]any) {
			row[1].([]any)[i] = x.(float64) + speed[i]*row[0].(float64)
		}
	}
	_, a, _ := steps(t, still)
	m, b, _ := steps(t, moving)
	if !m.Psi.System.Dragged(0) {
		t.Fatal("nothing moves")
	}
	p, q := a.Node(), b.Node()
	x, y := make([]float64, 3), make([]float64, 3)
	copy(x, p.Z)
	m.Psi.System.ToGlobalAt(q.T, y, q.Z)
	for i := range x {
		// Newton's method stops at 1e-12 of the forces, 120 times.
		if d := y[i] - speed[i]*q.T - x[i]; math.Abs(d) > 1e-9 {
			t.Errorf("coordinate %d is off by %g", i, d)
		}
	}
	if d := p.Dissipation - q.Dissipation; math.Abs(d) > 1e-9 || p.Dissipation < 0.5 {
		t.Errorf("dissipation %g and %g", p.Dissipation, q.Dissipation)
	}
	if s := b.Summary(); !s.Certified {
		t.Errorf("not certified: %v", s)
	}
}

// TestReactionsInCones: wherever a particle slides, lands or rests in a corner, friction written of a
// contact is at most μ times its normal force, of isotropic friction on obstacles at rest; so it is
// where it reaches a wall as it slides over the floor, whose friction presses it off the wall.
func TestReactionsInCones(t *testing.T) {
	doc := changed(t, "corner-in-space", map[string]any{"until": 3.5})
	x := tried(t, doc)
	folder := run.Folder(x.Built.Plan(), x.Dir)
	rows, err := folder.Cursor(table.ContactsFile)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for n := 0; ; n++ {
		if err := rows.Next(); err != nil {
			if n < 20 || !errors.Is(err, io.EOF) {
				t.Errorf("%d rows: %v", n, err)
			}
			return
		}
		for k := 0; k < len(rows.Row.Values); k += 3 {
			r := rows.Row.Values[k : k+3]
			if math.Hypot(r[1], r[2]) > 0.25*r[0]+1e-10 {
				t.Errorf("t=%.9g: %s: %g", rows.Row.T, rows.Columns()[k], r)
			}
		}
	}
}

// TestGlobalSizes: the search for global minimisers is refused where it would take hours, by the
// number of particles; nothing else is.
func TestGlobalSizes(t *testing.T) {
	for _, count := range []int{globalParticles, globalParticles + 1} {
		list := make([]any, count)
		for i := range list {
			list[i] = map[string]any{"id": fmt.Sprintf("p%d", i), "at": []any{float64(i), 0.0, 0.0}}
		}
		text, err := json.Marshal(changed(t, "incline",
			map[string]any{"particles": list, "solution": "energetic", "energies": nil, "friction": nil}))
		if err != nil {
			t.Fatal(err)
		}
		k, err := run.Grammar([]*run.Model{&Model}).Decode("case.json", text)
		if err == nil {
			_, err = build(t.Context(), k)
		}
		refused := err != nil && strings.Contains(err.Error(), "want at most 2000 particles")
		if refused != (count > globalParticles) || err != nil && !refused {
			t.Errorf("%d particles: %v", count, err)
		}
	}
}

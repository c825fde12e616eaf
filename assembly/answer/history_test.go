package answer_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/quasistatic/quasistatic/assembly"
	"github.com/quasistatic/quasistatic/assembly/answer"
)

// keyed is a block broad below, between sides that lean apart downwards by 11°, on a prop.
const keyed = `{"plane": true, "friction": 0.6, "blocks": [{"name": "left", "support": true, "polygon": [[-3,-1],[-1.2,-1],[-0.8,1],[-3,1]]},
	{"name": "right", "support": true, "polygon": [[3,-1],[1.2,-1],[0.8,1],[3,1]]}, {"name": "prop", "support": true, "polygon": [[-0.5,-1.5],[0.5,-1.5],[0.5,-1],[-0.5,-1]]},
	{"name": "key", "density": 1000, "polygon": [[-1.2,-1],[1.2,-1],[0.8,1],[-0.8,1]]}]`

func settled(t *testing.T, text string, flags ...string) (code int, h *answer.History, out string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "a.json")
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	code, out, fault := stands(t, append(append([]string{"--history", "--json"}, flags...), file)...)
	var a answer.Answer
	if err := json.Unmarshal([]byte(out), &a); err != nil || a.History == nil {
		t.Fatal(err, out, fault)
	}
	_, out, _ = stands(t, append(append([]string{"--history"}, flags...), file)...)
	return code, a.History, out
}

// TestHistory: what a key that depends on its history does by three of them: set on its prop, which is taken away, it is not
// held; pressed in first, it is, with the thrust of (P − W)/2 (cos a − μ sin a)/(sin a + μ cos a) that it had under the pressure
// P; pressed in less than that takes, it is not.
func TestHistory(t *testing.T) {
	const weight, slope, mu = 1000 * 9.81 * 4, .2, .6
	const pressed = `, "stages": [{"place": ["key"]}, {"name": "pressed", "loads": [{"block": "key", "force": [0,0,300000]}]}, {"name": "prop removed", "remove": ["prop"]}`
	code, h, out := settled(t, keyed+`, "stages": [{"place": ["key"]}, {"name": "prop removed", "remove": ["prop"]}]}`)
	if last := &h.Stages[len(h.Stages)-1]; code != 1 || h.Holds || !h.Lost || !h.Certified ||
		last.Name != "prop removed" || !strings.Contains(out, "key moves downwards") && !strings.Contains(out, "key (downwards)") {
		t.Errorf("code %d: %s, want that no state follows when the prop is gone", code, out)
	}
	code, h, out = settled(t, keyed+pressed+`]}`, "--reaction", "left:x")
	f := h.Stages[len(h.Stages)-1].Forces["left:x"]
	want := -(300000. - weight) / 2 * (1 - mu*slope) / (slope + mu)
	if code != 0 || !h.Certified || math.Abs(f.Value-want) > 1e-6*-want || f.Most-f.Least > 1e-6*-want ||
		!strings.Contains(out, "certified: by this history it holds, through 4 stages") {
		t.Errorf("code %d, %v: %s, want %g held", code, f, out, want)
	}
	code, h, out = settled(t, keyed+pressed+`, {"name": "let go", "loads": [{"block": "key", "force": [0,0,-300000]}]}]}`,
		"--reaction", "left:x")
	if f = h.Stages[4].Forces["left:x"]; code != 0 || !(f.Least <= f.Value && f.Value < f.Most) || *h.Stages[4].Halved > 1e-6 {
		t.Errorf("code %d, %v, %+v: %s", code, f, h.Stages[4], out)
	}
	code, h, out = settled(t, keyed+pressed+`, {"name": "let go", "loads": [{"block": "key", "force": [0,0,-300000]}]}, {"name": "loaded", "loads": [{"block": "key", "force": [0,0,-1e6]}]}]}`)
	if code != 1 || !h.Lost || !strings.Contains(out, " % by how joints give\n") {
		t.Errorf("code %d: %s, want the range of the load that is held", code, out)
	}
}

// TestHistoryFalls: a plank that was propped falls by its history, with a proof; with a counterweight it rests, and the prop has
// a force that is within the range of all that balance; block by block, it falls at the first.
func TestHistoryFalls(t *testing.T) {
	const propped = `, "stages": [{"place": ["plank"]}, {"place": ["weight"]}, {"name": "prop removed", "remove": ["prop"]}]`
	code, h, out := settled(t, cantilever(1.9, propped))
	if code != 1 || !h.Falls || !strings.Contains(out, "prop removed: no forces balance the loads") {
		t.Errorf("code %d: %s, want that it falls", code, out)
	}
	code, h, out = settled(t, cantilever(2.1, propped), "--reaction", "prop:z")
	f, w := h.Stages[1].Forces["prop:z"], 9.81*2
	if code != 0 || !(f.Least >= -w*2/3.5-1e-6 && f.Most <= -w/3+1e-6) || h.Stages[3].Forces["prop:z"] != (answer.Force{}) {
		t.Errorf("code %d, %v: %s, want a force on the prop between %g and %g", code, f, out, -w*2/3.5, -w/3)
	}
	code, h, out = settled(t, strings.Replace(cantilever(2.1, ""),
		`{"name": "prop", "support": true, "polygon": [[2.5,-1],[3,-1],[3,0],[2.5,0]]},`, "", 1), "--built")
	if code != 1 || len(h.Stages) != 1 || !h.Falls {
		t.Errorf("code %d: %s, want that it falls block by block", code, out)
	}
}

// TestWithoutBound: what nothing bounds is null in JSON, and says so in words.
func TestWithoutBound(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.json")
	if err := os.WriteFile(file, []byte(keyed+`, "stages": [{"remove": ["prop"]}]}`), 0o666); err != nil {
		t.Fatal(err)
	}
	csv := filepath.Join(t.TempDir(), "a.csv")
	_, out, _ := stands(t, "--json", "--reaction", "left:x", "--reserves", "--built", "--csv", csv, file)
	var a struct {
		Margins  map[string]struct{ Upper, Lower *float64 }
		Stages   []struct{ Reactions map[string][2]*float64 }
		Reserves []struct{ Pull *float64 }
	}
	if err := json.Unmarshal([]byte(out), &a); err != nil {
		t.Fatal(err)
	}
	table, err := os.ReadFile(csv)
	m, s := a.Margins["reaction on left:x"], a.Stages[1].Reactions["left:x"]
	if err != nil || m.Lower != nil || m.Upper == nil || s[0] != nil || s[1] == nil || a.Reserves[0].Pull != nil ||
		!strings.Contains(string(table), "unbounded") {
		t.Errorf("%s\n%s, %v: want that the thrust has no least, and joints hold any pull", out, table, err)
	}
	if strings.Contains(out, "e+308") || strings.Contains(string(table), "Inf") {
		t.Errorf("%s\n%s: the largest of numbers stands for none", out, table)
	}
}

// TestHistoryForces: the forces that are drawn and written are those of the history, where it is held: a support that has yielded
// has the least of the thrusts that balance.
func TestHistoryForces(t *testing.T) {
	const text = `{"plane": true, "friction": 0.7, "generate": {"arch": {"radius": 1, "thickness": 0.2, "voussoirs": 7, "density": 2000}}, "stages": [{"moves": [{"block": "right", "towards": [1,0,0]}]}]}`
	file := filepath.Join(t.TempDir(), "a.json")
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	_, out, fault := stands(t, "--json", "--history", "--reaction", "right:x", file)
	var a answer.Answer
	if err := json.Unmarshal([]byte(out), &a); err != nil {
		t.Fatal(err, out, fault)
	}
	sum := 0.
	for _, r := range a.Reactions {
		if r.Blocks[1] == "right" {
			sum += r.Force[0]
		} else if r.Blocks[0] == "right" {
			sum -= r.Force[0]
		}
	}
	if least := float64(a.Margins["reaction on right:x"].Lower); a.Verdict != assembly.Stands || math.Abs(sum-least) > 1e-5*least {
		t.Errorf("%s, thrust %g of the history, least %g", a.Verdict, sum, least)
	}
}

// TestInterrupted: what is stopped in a history has the exit code of what is open, not that of what falls, and tells the stages
// that were done; nothing is told of what they were not compared with.
func TestInterrupted(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"plane": true, "friction": 0.7, "generate": {"arch": {"radius": 1, "thickness": 0.2, "voussoirs": 7, "density": 2000}}, "stages": [{"name": "first", "loads": [{"block": "4", "force": [0, 0, 0]}]}`)
	for k := range 600 { // to and fro, longer than all else
		fmt.Fprintf(&b, `, {"loads": [{"block": "4", "force": [0, 0, %d]}]}`, 200*(k%2)-100)
	}
	file := filepath.Join(t.TempDir(), "a.json")
	if err := os.WriteFile(file, []byte(b.String()+"]}"), 0o666); err != nil {
		t.Fatal(err)
	}
	for patience := time.Millisecond; ; patience += patience / 2 {
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		code, out, fault := standsUntil(ctx, t, "--history", "--reaction", "right:x", file)
		done := ctx.Err() == nil
		cancel()
		switch {
		case done:
			t.Fatalf("it is done before it was stopped: %d %s", code, out)
		case code != 4:
			t.Fatalf("code %d: %s %s, want 4", code, out, fault)
		case strings.Contains(out, "first: it rests; right:x "):
			if !strings.Contains(out, "INTERRUPTED") ||
				!strings.Contains(out, "NOT certified: stopped by a signal after stage ") || strings.Contains(out, "reaction on") {
				t.Error(out)
			}
			return
		}
	}
}

package answer_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/assembly"
	"github.com/quasistatic/quasistatic/assembly/answer"
	"github.com/quasistatic/quasistatic/internal/thorough"
)

// built asks for the stages of an assembly, with a limit that no machine needs.
func built(t *testing.T, text string, flags ...string) (code int, a answer.Answer, out, fault string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "a.json")
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	flags = append([]string{"--built", "--limit", "2m"}, flags...)
	code, out, fault = stands(t, append(append([]string{"--json"}, flags...), file)...)
	if fault == "" {
		if err := json.Unmarshal([]byte(out), &a); err != nil {
			t.Fatal(err, out)
		}
		_, out, _ = stands(t, append(flags, file)...)
	}
	return code, a, out, fault
}

// cantilever is a plank of 4 by .5 that reaches 3 over the edge of a floor, with a counterweight of 1 by 2 on its tail, which holds it from
// a density c of the counterweight on with 2 c (1/2) = (4/2) (2 − 1); at the tip it may be propped.
func cantilever(density float64, stages string) string {
	return fmt.Sprintf(`{"plane": true, "friction": 0.5, "blocks": [{"name": "floor", "support": true, "polygon": [[-9,-1],[0,-1],[0,0],[-9,0]]},
		{"name": "prop", "support": true, "polygon": [[2.5,-1],[3,-1],[3,0],[2.5,0]]}, {"name": "plank", "polygon": [[-1,0],[3,0],[3,0.5],[-1,0.5]]},
		{"name": "weight", "density": %v, "polygon": [[-1,0.5],[0,0.5],[0,2.5],[-1,2.5]]}]%s}`, density, stages)
}

// TestBuilt: a cantilever stands with its counterweight, and each stage of its building with a prop does, whose force is between those of
// the floor at either of its ends; without the prop it falls before the counterweight is placed, though the whole stands.
func TestBuilt(t *testing.T) {
	const propped = `, "stages": [{"place": ["plank"]}, {"place": ["weight"]}, {"name": "prop removed", "remove": ["prop"]}]`
	code, a, out, _ := built(t, cantilever(2.1, propped), "--reaction", "prop:z")
	if code != 0 || len(a.Stages) != 4 || !strings.Contains(out, "all 4 stages stand by whatever forces") || a.Blocks != 3 {
		t.Errorf("code %d: %s, want that all stages stand", code, out)
	}
	w := 9.81 * 2
	least, most := a.Stages[1].Reactions["prop:z"][0], a.Stages[1].Reactions["prop:z"][1]
	near(t, "most on the prop of the plank", -least, w*2/3.5, 1e-6) // the floor carries at the tail, the prop at its inner corner
	near(t, "least", -most, w/3, 1e-6)                              // at the edge of the floor and the outer corner
	if r, ok := a.Stages[3].Reactions["prop:z"]; ok {
		t.Errorf("a prop that is gone carries %v", r)
	}
	code, a, out, _ = built(t, cantilever(1.9, propped))
	if code != 1 || a.Stages[2].Verdict != assembly.Stands || a.Stages[3].Verdict != assembly.Falls ||
		!a.Stages[3].Exact || !strings.Contains(out, "stages 1 to 3 of 4, ") {
		t.Errorf("code %d: %s, want that it falls without the prop", code, out)
	}
	code, a, out, _ = built(t, strings.Replace(cantilever(2.1, ""),
		`{"name": "prop", "support": true, "polygon": [[2.5,-1],[3,-1],[3,0],[2.5,0]]},`, "", 1))
	if code != 1 || a.Verdict != assembly.Stands || len(a.Stages) != 2 || a.Stages[0].Verdict != assembly.Falls ||
		!strings.Contains(out, "it falls at 1 of 2 stages") {
		t.Errorf("code %d: %s, want that it stands, and falls while it is built", code, out)
	}
}

// TestBuiltOnCentring: an arch on a centring stands at all stages, and after it is taken away; its thrust on the abutment is less then.
func TestBuiltOnCentring(t *testing.T) {
	thorough.Seconds(t)
	const n = 5
	var centring []string
	for k := range n + 1 {
		sin, cos := math.Sincos(math.Pi * float64(k) / n)
		centring = append(centring, fmt.Sprintf("[%.17g,%.17g]", .9*cos, .9*sin))
	}
	text := `{"plane": true, "friction": 0.7, "generate": {"arch": {"radius": 1, "thickness": 0.2, "voussoirs": 5, "density": 2000}},
		"blocks": [{"name": "centring", "support": true, "polygon": [` + strings.Join(centring, ",") + `]}],
		"stages": [{"place": ["1", "5"]}, {"place": ["2", "4"]}, {"place": ["3"]}, {"name": "centring removed", "remove": ["centring"]}]}`
	code, a, out, fault := built(t, text, "--reaction", "left:x")
	if code != 0 || len(a.Stages) != 5 {
		t.Fatalf("code %d: %s%s, want five stages that stand", code, out, fault)
	}
	on, off := a.Stages[3].Reactions["left:x"], a.Stages[4].Reactions["left:x"]
	if !(on[0] <= off[0] && off[1] < on[1]-1) {
		t.Errorf("thrust from %v with, and %v without the centring: want the second within the first", on, off)
	}
}

// TestBuiltFaults: stages that cannot be are faults of the input.
func TestBuiltFaults(t *testing.T) {
	for stages, want := range map[string]string{
		`, "stages": [{"place": ["plnk"]}]`:                                                                                `$.stages[0].place[0]: there is no block "plnk"`,
		`, "stages": [{"name": "empty"}]`:                                                                                  "$.stages[0]: does nothing",
		`, "stages": [{"place": ["weight"]}, {"place": ["weight"]}]`:                                                       "stage 2 places block weight",
		`, "stages": [{"remove": ["prop"]}, {"remove": ["prop"]}]`:                                                         "stage 2 removes block prop",
		`, "stages": [{"place": ["weight"]}, {"place": ["plank"]}, {"plac": ["floor"]}]`:                                   "plac",
		`, "stages": [{"moves": [{"block": "plank", "towards": [1,0,0]}]}]`:                                                "stage 1 moves block plank",
		`, "stages": [{"moves": [{"block": "prop", "towards": [0,1,0]}]}]`:                                                 "want a direction of a size",
		`, "stages": [{"place": ["weight"], "loads": [{"block": "prop", "force": [1,0,0]}]}, {"loads": [{"block": "p"}]}]`: `$.stages[1].loads[0].block: there is no block "p"`,
		`, "stages": [{"loads": [{"block": "weight", "force": [1,0,0]}]}, {"place": ["weight"]}]`:                          "stage 1 loads block weight",
		`, "stages": [{"place": ["weight"]}, {"place": ["plank"]}]`:                                                        "stage 1: 1 blocks touch nothing",
	} {
		file := filepath.Join(t.TempDir(), "a.json")
		if err := os.WriteFile(file, []byte(cantilever(2.1, stages)), 0o666); err != nil {
			t.Fatal(err)
		}
		q := answer.Question{File: file, Built: true}
		if _, err := q.Load(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", stages, err, want)
		}
	}
}

// TestTakenFromUnder: what hangs in the air after its plank is taken away falls, with a proof; stages before it keep their words,
// and the answer says in its first line, in the title of its picture and on its page that it cannot be built so. A block that is
// taken away has its reaction in its stages only.
func TestTakenFromUnder(t *testing.T) {
	code, a, out, fault := built(t, cantilever(2.1, `, "stages": [{"place": ["weight"]}, {"remove": ["plank"]}]`), "--history")
	if code != 1 || len(a.Stages) != 3 || a.Stages[1].Verdict != assembly.Stands ||
		a.Stages[2].Verdict != assembly.Falls || !a.Stages[2].Exact || !a.History.Falls {
		t.Errorf("code %d: %s%s, want that the weight falls", code, out, fault)
	}
	page, picture := filepath.Join(t.TempDir(), "a.html"), filepath.Join(t.TempDir(), "a.svg")
	text := strings.Replace(cantilever(2.1, ""), `{"name": "prop", "support": true, "polygon": [[2.5,-1],[3,-1],[3,0],[2.5,0]]},`, "", 1)
	_, _, out, _ = built(t, text, "--report", page, "--picture", picture, "--reserves")
	html, err := os.ReadFile(page)
	svg, fails := os.ReadFile(picture)
	for where, content := range map[string]string{"text": out, "page": string(html), "picture": string(svg)} {
		if !strings.Contains(content, ", but it cannot be built so") {
			t.Errorf("%s: %.300s, want that it cannot be built so (%v, %v)", where, content, err, fails)
		}
	}
	if !strings.Contains(string(html), "<th>least use</th><th>pull that it holds</th>") {
		t.Errorf("the page has no reserves")
	}
	const propped = `, "stages": [{"place": ["plank"]}, {"place": ["weight"]}, {"name": "prop removed", "remove": ["prop"]}]`
	if _, a, out, _ = built(t, cantilever(2.1, propped), "--reaction", "prop:z"); len(a.Notes) > 0 ||
		strings.Contains(out, "there is no block") {
		t.Errorf("%v: %s, want the force on the prop in its stages and no note", a.Notes, out)
	}
}

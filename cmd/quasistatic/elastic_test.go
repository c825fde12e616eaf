package main

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/dynamics/elastic"
	"github.com/quasistatic/quasistatic/run"
)

// TestCheckElastic: numbers of the reference sheet and of closed forms, and the
// verdicts on steps that are too long.
func TestCheckElastic(t *testing.T) {
	var r struct {
		Pressure    float64            `json:"pressure_wave"`
		Shear       float64            `json:"shear_wave"`
		Edge        float64            `json:"shortest_edge"`
		Free        []string           `json:"free_rigid_motions"`
		Energy      elastic.Energies   `json:"energy"`
		Mass        []elastic.ModeMass `json:"mass"`
		Objections  []string
		CFL, Gap    float64
		Crossing    float64
		Contraction float64
		Unique      bool
		Memory      int64
	}
	if err := json.Unmarshal([]byte(mustRun(t, "check", "block-impact", "--json")), &r); err != nil {
		t.Fatal(err)
	}
	cp := math.Sqrt(1000 * 0.7 / (1.3 * 0.4))
	for name, v := range map[string][2]float64{
		"c_p": {r.Pressure, cp}, "c_s": {r.Shear, math.Sqrt(1000 / 2.6)}, "CFL": {r.CFL, cp * 5e-4 * 16},
		"edge": {r.Edge, 1. / 16}, "crossing": {r.Crossing, 1 / cp},
		"mass along x": {r.Mass[0].Used, .25}, "mass along y": {r.Mass[1].Used, .25 - 2./3/16}, "gap": {r.Gap, .0103},
		"energy": {r.Energy.Kinetic, .5*.25*9 + .5*(.25-2./3/16)},
	} {
		if math.Abs(v[0]-v[1]) > 1e-12*math.Abs(v[1]) { // a few roundings
			t.Errorf("%s = %.15g, want %.15g", name, v[0], v[1])
		}
	}
	if !r.Unique || !(r.Contraction > 0 && r.Contraction < 1) || len(r.Free) != 3 || len(r.Objections) > 0 || r.Memory <= 0 {
		t.Errorf("%+v", r)
	}
	text := mustRun(t, "cases", "block-impact")
	for name, c := range map[string]struct{ old, new, want string }{
		"long step":     {`"step": 5e-4`, `"step": 0.01`, "uniqueness of the steps is undecided: the contraction is 1."},
		"much friction": {`"mu": 0.3`, `"mu": 30`, "the step may have several solutions"},
		"standard mass": {`"velocity"`, `"inertia": "standard", "velocity"`, "undecided: Theorem 4 is about the modified mass"},
	} {
		file := write(t, strings.Replace(text, c.old, c.new, 1), t.TempDir(), "c.json")
		if code, _, stderr := qs("check", file); code != exitFailed || !strings.Contains(stderr, c.want) {
			t.Errorf("%s: exit %d, %s", name, code, stderr)
		}
	}
	explicit := strings.Replace(text, `"velocity"`, `"mass": "lumped", "scheme": "central difference", "velocity"`, 1)
	dir := t.TempDir()
	if out := mustRun(t, "check", write(t, explicit, dir, "a.json")); !strings.Contains(out, "stable by proof up to") {
		t.Error(out)
	}
	for _, command := range []string{"check", "run"} {
		file := write(t, strings.Replace(explicit, `"step": 5e-4`, `"step": 2e-3`, 1), dir, "b.json")
		code, _, stderr := qs(command, file, "--quiet")
		for _, want := range []string{"$.step", "Δt = 0.002 s", "want Δt <= 2/ω = 0.0011"} {
			if code != exitInput || !strings.Contains(stderr, want) {
				t.Errorf("%s: exit %d, no %q in\n%s", command, code, want, stderr)
			}
		}
	}
}

// TestConvergeElastic: the work of λ_c and the residual of (27) vanish with Δt.
func TestConvergeElastic(t *testing.T) {
	dir := t.TempDir()
	var s run.Refinement
	if err := json.Unmarshal([]byte(converge(t, "block-braking", "--levels", "3", "--json", "--out", dir)), &s); err != nil {
		t.Fatal(err)
	}
	for name, v := range map[string][]float64{"work of λ_c": s.Measures["contact_work"],
		"balance": s.Measures["balance"], "contraction": s.Measures["contraction"]} {
		for i := 1; i < len(v); i++ {
			if !(v[i] < v[i-1]) || len(v) != 3 {
				t.Errorf("%s: %v", name, v)
			}
		}
	}
	if s.Distance[0] <= s.Distance[1] || s.Distance[2] != 0 || s.Halving[2] >= s.Halving[1] || s.Measures["contraction"][2] >= 1 {
		t.Errorf("%+v", s)
	}
	if text := converge(t, "block-braking", "--levels", "2", "--steps", "50", "--out", dir); !strings.Contains(text,
		"work of λ_c [J]") || !strings.Contains(text, "errors ") {
		t.Error(text)
	}
}

package energetic_test

import (
	"crypto/sha256"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/cases"
	"github.com/quasistatic/quasistatic/energetic/proof"
	"github.com/quasistatic/quasistatic/events"
	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/internal/trial"
	"github.com/quasistatic/quasistatic/model/energetic"
	"github.com/quasistatic/quasistatic/model/particleview"
	"github.com/quasistatic/quasistatic/run"
)

// line is a random row of particles on a floor, each pressed by a force that is a table of time,
// bound to its neighbours and pulled by anchors that are tables too.
func line(rng *rand.Rand, until float64) (text string, n int) {
	n = 1 + rng.IntN(4)
	table := func(value func() string) string {
		var rows []string
		for t := 0.0; t <= until; t += 0.5 + 0.5*float64(rng.IntN(3)) {
			rows = append(rows, fmt.Sprintf("[%g, %s]", t, value()))
		}
		return fmt.Sprintf(`{"table": [%s]}`, strings.Join(rows, ", "))
	}
	var particles, anchors, energies, pairs []string
	for i := range n {
		particles = append(particles, fmt.Sprintf(`{"id": "p%d", "at": [%d, 0, 0], "friction": "f%d"}`, i, -i, i%2))
		energies = append(energies, fmt.Sprintf(`{"type": "load", "particle": "p%d", "force": %s}`, i,
			table(func() string { return fmt.Sprintf("[0, 0, %.2f]", -0.5-2*rng.Float64()) })))
		if i == 0 || rng.IntN(2) == 0 {
			first := true
			anchors = append(anchors, fmt.Sprintf(`{"id": "a%d", "at": %s}`, i, table(func() string {
				if first {
					first = false
					return fmt.Sprintf("[%d, 0, 0]", -i)
				}
				return fmt.Sprintf("[%.2f, 0, 0]", float64(-i)+4*rng.Float64()-2)
			})))
			energies = append(energies, fmt.Sprintf(`{"type": "tether", "particle": "p%d", "anchor": "a%d", "stiffness": %d}`,
				i, i, 1+rng.IntN(4)))
		}
		if i > 0 {
			pairs = append(pairs, fmt.Sprintf(`["p%d", "p%d"]`, i-1, i))
		}
	}
	if n > 1 {
		energies = append(energies, fmt.Sprintf(`{"type": "bond", "stiffness": %d, "between": [%s]}`, 1+rng.IntN(4),
			strings.Join(pairs, ", ")))
	}
	mu := fmt.Sprintf(`{"f0": {"mu": %.2f}, "f1": {"mu": %.2f}}`, 0.1+0.4*rng.Float64(), 0.1+0.4*rng.Float64())
	if n == 1 {
		mu = fmt.Sprintf(`{"f0": {"mu": %.2f}}`, 0.1+0.4*rng.Float64())
	}
	return fmt.Sprintf(`{"name": "line", "model": "energetic", "until": %g, "accuracy": 1, STEPS "friction": %s, "particles": [%s], "anchors": [%s], "energies": [%s]}`,
		until, mu, strings.Join(particles, ", "), strings.Join(anchors, ", "), strings.Join(energies, ", ")), n
}

// exactAt walks in ratios of integers, and returns the displacements at times.
func exactAt(t *testing.T, text string, n int, times []float64) [][]float64 {
	t.Helper()
	x := trial.Run(t, strings.Replace(text, "STEPS", `"steps": "events", "exact": true,`, 1), &energetic.Model)
	c := x.Built.(*energetic.Case)
	form, err := c.Plane.Exact(c.At)
	if err != nil {
		t.Fatal(err)
	}
	w, err := events.NewIntegrator(form, 0)
	if err != nil {
		t.Fatal(err)
	}
	var out [][]float64
	for _, s := range times {
		if err := w.Integrate(t.Context(), events.Rational{}.Of(s), nil); err != nil {
			t.Fatal(err)
		}
		u := make([]float64, 3*n)
		for i, q := range w.Q() {
			d := c.Plane.Dofs[i]
			for a := range 3 {
				u[3*d.Particle+a] += q.Float() * d.Direction[a]
			}
		}
		out = append(out, u)
	}
	return out
}

// rowsOf reads the trajectory of a run.
func rowsOf(t *testing.T, dir string) (times []float64, rows [][]float64) {
	t.Helper()
	f, err := os.Open(filepath.Join(dir, "trajectory.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	list, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range list[1:] {
		row := make([]float64, len(r))
		for i, s := range r {
			row[i], _ = strconv.ParseFloat(s, 64)
		}
		times, rows = append(times, row[0]), append(rows, row[1:])
	}
	return times, rows
}

// TestTube: no run is further from the exact solution, in ratios of integers, than its tube says,
// nor is a trajectory that is no solution at all.
func TestTube(t *testing.T) {
	scenes := 5
	if thorough.Asked() {
		scenes = 150
	}
	var over []float64
	for seed := range scenes {
		rng := rand.New(rand.NewPCG(32, uint64(seed)))
		text, n := line(rng, 3)
		way := fmt.Sprintf(`"steps": %d, "threshold": %q,`, 5+rng.IntN(60), []string{"implicit", "lagged"}[seed%2])
		x := trial.Run(t, strings.Replace(text, "STEPS", way, 1), &energetic.Model)
		times, rows := rowsOf(t, x.Dir)
		exact := exactAt(t, text, n, times)
		c := x.Built.(*energetic.Case)
		judge := func(rows [][]float64) (tube, true float64) {
			u := proof.NewTube(c.Psi)
			z := make([]float64, 3*n)
			for k, s := range times {
				particleview.ToLocal(s, z, c.Psi.System, rows[k])
				u.Observe(s, z)
				for j := range n {
					off := 0.0
					for a := 3 * j; a < 3*j+3; a++ {
						off = math.Hypot(off, rows[k][a]-c.At[a]-exact[k][a])
					}
					if u.Why() == "" && off > u.Of(j) {
						t.Errorf("scene %d, t=%g: particle %d is off by %g, and the tube is %g", seed, s, j, off, u.Of(j))
					}
					true = max(true, off)
				}
			}
			if u.Why() != "" {
				t.Fatalf("scene %d has no tube: %s", seed, u.Why())
			}
			for j := range n {
				tube = max(tube, u.Of(j))
			}
			return tube, true
		}
		tube, off := judge(rows)
		if off > 1e-9 {
			over = append(over, tube/off)
		}
		wrong := slices.Clone(rows)
		for k := range wrong[1:] {
			wrong[k+1] = slices.Clone(wrong[k+1])
			for j := range n {
				wrong[k+1][3*j] += 0.1 * rng.NormFloat64()
				wrong[k+1][3*j+1] += 0.1 * rng.NormFloat64()
			}
		}
		judge(wrong)
	}
	slices.Sort(over)
	if len(over) > 0 {
		t.Logf("of %d runs %d are off; the tube is %.3g to %.3g of that, median %.3g", scenes, len(over), over[0],
			over[len(over)-1], over[len(over)/2])
	}
}

// checked runs the checker on a folder and a proof; passed says that it proves, and numbers are
// what it bounds.
func checked(t *testing.T, dir, file string) (passed bool, numbers map[string]*float64, text string) {
	t.Helper()
	script, err := filepath.Abs("../../scripts/peers/check_proof.py")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("/usr/bin/python3", "-B", script, dir, file)
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		t.Skipf("no /usr/bin/python3: %v", err)
	}
	for l := range strings.Lines(string(out)) {
		if strings.HasPrefix(l, "{") {
			_ = json.Unmarshal([]byte(l[:strings.Index(l, "}")+1]), &numbers)
		}
	}
	return err == nil, numbers, string(out)
}

// proven runs a case, and writes the proof of the run.
func proven(t *testing.T, text string) (dir, file string) {
	t.Helper()
	x := trial.Run(t, text, &energetic.Model)
	x.Passed(t)
	file = filepath.Join(t.TempDir(), "proof.json")
	if _, err := run.Diagnose(t.Context(), x.Case, x.Built, run.Source{Dir: x.Dir, Summary: x.Summary, Proof: file}); err != nil {
		t.Fatal(err)
	}
	return x.Dir, file
}

// shortened is a built-in case in fewer steps and without what it expects; 0 leaves the steps.
func shortened(t *testing.T, name string, steps int) string {
	t.Helper()
	text, ok := cases.Read(name)
	if !ok {
		t.Fatalf("no case %s", name)
	}
	var doc map[string]any
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	delete(doc, "expect")
	if steps > 0 {
		doc["steps"] = steps
	}
	text, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestProofs: another program, from the equations alone, proves the runs of the cases that it can
// read. The other cases of the model have springs that turn, bodies, half-spaces or internal
// variables, obstacles that are curved or move, or friction that is not isotropic or varies in
// space: --proof says which. Of corner-in-space, a walk, the force that a landing between two rows
// leaves is above the accuracy.
func TestProofs(t *testing.T) {
	thorough.Seconds(t)
	list := []struct {
		name  string
		steps int
	}{{"klarbring", 30}, {"corner", 96}, {"play", 0}, {"chain-exact", 0}}
	if thorough.Asked() {
		list = list[:0]
		for _, name := range []string{"klarbring", "corner", "groove", "ageing", "incline", "play", "play-pulsing",
			"grazing", "grazing-lagged", "grazing-adaptive", "gamma-to-zero", "chain", "chain-exact", "pulsing-chain", "net"} {
			list = append(list, struct {
				name  string
				steps int
			}{name, 0})
		}
	}
	for _, c := range list {
		dir, file := proven(t, shortened(t, c.name, c.steps))
		passed, numbers, text := checked(t, dir, file)
		if !passed {
			t.Errorf("%s: %s", c.name, text)
		}
		tube := numbers["tube"]
		if tube != nil {
			t.Logf("%s: within %.3g m", c.name, *tube)
		}
		if c.name == "chain-exact" && (tube == nil || *tube > 1e-9) {
			t.Errorf("chain-exact: the walk, which is exact to rounding, has the tube %v", tube)
		}
	}
}

// TestRandomProofs: runs of random scenes are proven: rows on a floor with tables, and particles on
// a plane of any direction that follow sines. The checker's tube is that of the run, or smaller,
// for it rounds nothing.
func TestRandomProofs(t *testing.T) {
	scenes := 2
	if thorough.Asked() {
		scenes = 40
	}
	for seed := range scenes {
		rng := rand.New(rand.NewPCG(33, uint64(seed)))
		text, _ := line(rng, 3)
		text = strings.Replace(text, "STEPS", `"steps": 12,`, 1)
		if seed%2 == 1 {
			var n [3]float64
			for i := range n {
				n[i] = math.Round(100*(rng.Float64()-0.5)) / 100
			}
			n[2] += 1
			text = fmt.Sprintf(`{"name": "slope", "model": "energetic", "until": 1, "steps": 24, "accuracy": 1, "obstacles": {"slope": {"point": [0, 0, 0], "normal": [%g, %g, %g]}},
				"friction": {"dry": {"mu": %.2f}}, "particles": [{"id": "p", "at": [0, 0, 0], "obstacle": "slope", "friction": "dry"}],
				"anchors": [{"id": "a", "at": {"sine": {"amplitude": [%.2f, %.2f, %.2f], "frequency": %d, "offset": [%g, %g, %g]}}}],
				"energies": [{"type": "tether", "particle": "p", "anchor": "a", "stiffness": %d}]}`, n[0], n[1], n[2], 0.3*rng.Float64(),
				rng.Float64(), rng.Float64(), 0.4*rng.Float64()-0.2, 1+rng.IntN(2), -n[0], -n[1], -n[2], 1+rng.IntN(4))
		}
		x := trial.Run(t, text, &energetic.Model)
		if !run.Certified(x.Summary) {
			continue
		}
		file := filepath.Join(t.TempDir(), "proof.json")
		if _, err := run.Diagnose(t.Context(), x.Case, x.Built, run.Source{Dir: x.Dir, Summary: x.Summary, Proof: file}); err != nil {
			t.Fatal(err)
		}
		passed, numbers, said := checked(t, x.Dir, file)
		if !passed || numbers["tube"] == nil {
			t.Errorf("scene %d: %s\n%s", seed, said, text)
		}
	}
}

// TestForgedProofs: a proof that was changed is refused, or what it bounds is not smaller than
// before.
func TestForgedProofs(t *testing.T) {
	thorough.Seconds(t)
	dir, file := proven(t, shortened(t, "corner", 48))
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	passed, before, text := checked(t, dir, file)
	if !passed {
		t.Fatal(text)
	}
	rng := rand.New(rand.NewPCG(32, 1))
	nudge := func(s *string) {
		r, _ := new(big.Rat).SetString(*s)
		by := new(big.Rat).SetFloat64(math.Pow(10, -8+8*rng.Float64()) * (2*rng.Float64() - 1))
		*s = r.Add(r, by).RatString()
	}
	changes := []func(f *proof.File){
		func(f *proof.File) { nudge(&f.Nodes[rng.IntN(len(f.Nodes))].Z[rng.IntN(3)]) },
		func(f *proof.File) { nudge(&f.Nodes[rng.IntN(len(f.Nodes))].T) },
		func(f *proof.File) { k := rng.IntN(len(f.Nodes)); f.Nodes = slices.Delete(f.Nodes, k, k+1) },
		func(f *proof.File) {
			f.Nodes[rng.IntN(len(f.Nodes))].Contacts = nil
		},
		func(f *proof.File) {
			for k := range f.Nodes {
				for i := range f.Nodes[k].Contacts {
					nudge(&f.Nodes[k].Contacts[i].Reaction[rng.IntN(3)])
					nudge(&f.Nodes[k].Contacts[i].Sigma)
				}
			}
		},
		func(f *proof.File) { f.Nodes = f.Nodes[:len(f.Nodes)/2] },
		func(f *proof.File) { f.Claims.Stability = 1e-14 },
		func(f *proof.File) { tube := 1e-9; f.Claims.Tube = &tube },
	}
	rounds := 1
	if thorough.Asked() {
		rounds = 20
	}
	forged := filepath.Join(t.TempDir(), "forged.json")
	for i := range rounds * len(changes) {
		var f proof.File
		if err := json.Unmarshal(whole, &f); err != nil {
			t.Fatal(err)
		}
		changes[i%len(changes)](&f)
		text, err := json.Marshal(&f)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(forged, text, 0o644); err != nil {
			t.Fatal(err)
		}
		passed, after, said := checked(t, dir, forged)
		if !passed {
			continue
		}
		for name, b := range before {
			if a := after[name]; b != nil && (a == nil || *a < *b*(1-1e-6)) {
				t.Errorf("change %d: %s is %g, it was %g: %s", i, name, *a, *b, said)
			}
		}
	}
	claim, sum := regexp.MustCompile(`"stability": ?[^,}]+`), regexp.MustCompile(`"case_sha256": ?"[0-9a-f]+"`)
	for name, text := range map[string][]byte{
		"truncated": whole[:len(whole)*2/3], "a list": []byte("[1]"), "no claims": claim.ReplaceAll(whole, []byte(`"x": 1`)),
		"a claim NaN":      claim.ReplaceAll(whole, []byte(`"stability": NaN`)),
		"a claim in words": claim.ReplaceAll(whole, []byte(`"stability": "nan"`)),
		"of no case":       sum.ReplaceAll(whole, []byte(`"case_sha256": "`+strings.Repeat("0", 64)+`"`)),
	} {
		if err := os.WriteFile(forged, text, 0o644); err != nil {
			t.Fatal(err)
		}
		if passed, _, said := checked(t, dir, forged); passed || !strings.Contains(said, "NOT PROVEN: ") ||
			strings.Contains(said, "Traceback") {
			t.Errorf("%s: %s", name, said)
		}
	}
	forgedFiles(t, dir, whole, before, rng)
}

// forgedFiles changes the case and the trajectory that a proof is of: it names them by their
// hashes, and where the forger puts the new hash in it is refused by its numbers, or none of them
// is smaller.
func forgedFiles(t *testing.T, dir string, proof []byte, before map[string]*float64, rng *rand.Rand) {
	text, err := os.ReadFile(filepath.Join(dir, "case.json"))
	if err != nil {
		t.Fatal(err)
	}
	rows, err := os.ReadFile(filepath.Join(dir, "trajectory.csv"))
	if err != nil {
		t.Fatal(err)
	}
	lines := slices.Collect(strings.Lines(string(rows)))
	swapped, removed, moved := slices.Clone(lines), slices.Clone(lines), slices.Clone(lines)
	k := 2 + rng.IntN(len(lines)-4)
	swapped[k], swapped[k+1] = swapped[k+1], swapped[k]
	removed = slices.Delete(removed, k, k+1)
	cells := strings.Split(strings.TrimSpace(moved[k]), ",")
	x, err := strconv.ParseFloat(cells[1], 64)
	if err != nil {
		t.Fatal(err)
	}
	cells[1] = strconv.FormatFloat(x+1e-6, 'g', -1, 64)
	moved[k] = strings.Join(cells, ",") + "\n"
	other := func(old, new string) string {
		s := strings.Replace(string(text), old, new, 1)
		if s == string(text) {
			t.Fatalf("the case has no %s", old)
		}
		return s
	}
	mu := regexp.MustCompile(`"mu": ?[0-9.]+`).FindString(string(text))
	stiffness := regexp.MustCompile(`"stiffness": ?[0-9.]+`).FindString(string(text))
	for _, c := range []struct {
		name, text, rows string
		bound            bool // with its hash it may pass: a bound grows, or the rows that are left are on the polygon
	}{
		{"friction in the case", other(mu, mu+"1"), string(rows), true},
		{"stiffness in the case", other(stiffness, stiffness+"1"), string(rows), false},
		{"a number of a row", string(text), strings.Join(moved, ""), false},
		{"two rows", string(text), strings.Join(swapped, ""), false},
		{"the last row", string(text), strings.Join(lines[:len(lines)-1], ""), false},
		{"a row that is removed", string(text), strings.Join(removed, ""), true},
	} {
		for _, hashed := range []bool{false, true} {
			if !hashed && !thorough.Asked() && c.name != "stiffness in the case" && c.name != "two rows" {
				continue // a hash is a hash
			}
			forger, file := t.TempDir(), filepath.Join(t.TempDir(), "proof.json")
			whole := string(proof)
			if hashed {
				for _, f := range [][2]string{{string(text), c.text}, {string(rows), c.rows}} {
					whole = strings.Replace(whole, fmt.Sprintf("%x", sha256.Sum256([]byte(f[0]))),
						fmt.Sprintf("%x", sha256.Sum256([]byte(f[1]))), 1)
				}
			}
			for name, text := range map[string]string{file: whole, filepath.Join(forger, "case.json"): c.text,
				filepath.Join(forger, "trajectory.csv"): c.rows} {
				if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			passed, after, said := checked(t, forger, file)
			if !hashed && !strings.Contains(said, "is not the file that the proof is of") || passed && !(hashed && c.bound) {
				t.Errorf("%s, hashed %v: %s", c.name, hashed, said)
			}
			for name, b := range before {
				if a := after[name]; passed && b != nil && name != "apart" && (a == nil || *a < *b) {
					t.Errorf("%s: %s is smaller: %s", c.name, name, said)
				}
			}
		}
	}
}

// TestRefusedProofs: what cannot be proven is said with its place, before anything is certified.
func TestRefusedProofs(t *testing.T) {
	x := trial.Run(t, shortened(t, "iwan", 20), &energetic.Model)
	_, err := run.Diagnose(t.Context(), x.Case, x.Built,
		run.Source{Dir: x.Dir, Summary: x.Summary, Proof: filepath.Join(t.TempDir(), "p.json")})
	if err == nil || !strings.Contains(err.Error(), `$.energies[0]: an energy of type "plastic"`) {
		t.Error(err)
	}
}

package main

import (
	"encoding/csv"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/study"
)

// rows reads the table of a study: a map a row.
func rows(t *testing.T, dir, name string) []map[string]string {
	t.Helper()
	all, err := csv.NewReader(strings.NewReader(read(t, dir, name))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var list []map[string]string
	for _, row := range all[1:] {
		m := map[string]string{}
		for j, name := range all[0] {
			m[name] = row[j]
		}
		list = append(list, m)
	}
	return list
}

func number(t *testing.T, text string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestSweep: the study friction gives the closed form of play for all its friction
// coefficients, as a pool, with a server, and as shards, to the same bytes.
func TestSweep(t *testing.T) {
	thorough.Seconds(t)
	t.Parallel()
	dir := t.TempDir()
	whole, shards := filepath.Join(dir, "whole"), filepath.Join(dir, "shards")
	mustRun(t, "sweep", "friction", "--out", whole)
	for _, row := range rows(t, whole, study.CSVFile) {
		slack := number(t, row["friction.dry.mu"]) * 1.5 / 2 // μN/k
		// From 0 up to 1 − r, then down, up and down by 2(1 − r), and at last up as far as the
		// anchor at 0 pulls; each way costs μN = kr, k = 2.
		want := 2 * slack * (7*max(0, 1-slack) + max(0, 1-2*slack))
		// The implicit steps are exact at their nodes: rounding of 400 sums.
		if got := number(t, row["dissipation"]); math.Abs(got-want) > 1e-12 {
			t.Errorf("mu = %s: dissipation %.15g, want %.15g", row["friction.dry.mu"], got, want)
		}
		if row["run.verdict"] != string(study.Certified) || row["run.met"] != "true" || row["run.steps"] != row["steps"] {
			t.Errorf("row %v", row)
		}
	}
	for _, part := range []string{"1/2", "2/2"} {
		mustRun(t, "sweep", "friction", "--out", shards, "--shard", part)
	}
	mustRun(t, "study", shards)
	for _, name := range []string{study.CSVFile, study.ParquetFile} {
		if read(t, whole, name) != read(t, shards, name) {
			t.Errorf("%s: the shards differ from the whole", name)
		}
	}
	var s study.Summary
	if err := json.Unmarshal([]byte(mustRun(t, "study", whole, "--json")), &s); err != nil || s.Made != 26 || len(s.Statistics) != 2 {
		t.Errorf("summary %+v, %v", s, err)
	}
	if n := len(rows(t, whole, study.CSVFile)); n != 26 {
		t.Errorf("%d rows", n)
	}
}

// TestCriticalFriction: the boundary of the ladder is 2 − √3.
func TestCriticalFriction(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "ladder")
	if code, _, stderr := qs("sweep", "ladder", "--out", dir); code != exitFailed ||
		!strings.Contains(stderr, "not as expected") && !strings.Contains(stderr, "not certified") {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	list := rows(t, dir, study.BoundaryFile)
	if len(list) != 1 || list[0]["fault"] != "" {
		t.Fatalf("boundaries %v", list)
	}
	low, high, want := number(t, list[0]["friction.rough.mu low"]), number(t, list[0]["friction.rough.mu high"]), 2-math.Sqrt(3)
	if !(low < want && want <= high && high-low <= 1e-3) || list[0]["high is"] != string(study.Certified) {
		t.Errorf("boundary %v, want %g", list[0], want)
	}
}

// TestTighterThanDecided: a bracket of the study ladder holds 2 − √3, or says that it is tighter
// than what decides it can tell, and by how much: then 2 − √3 is within that of it. Or it says that what
// turns there is not what is expected: then 2 − √3 is near, as the runs are accurate on both sides of it.
func TestTighterThanDecided(t *testing.T) {
	t.Parallel()
	thorough.Only(t, "a second")
	dir := t.TempDir()
	want := 2 - math.Sqrt(3)
	for _, to := range []string{"1e-7", "1e-10"} {
		file := write(t, `{"case": "ladder", "vary": {"friction.rough.mu": [0.1, 0.9]}, "refine": {"to": `+to+`}}`, dir,
			"ladder"+to+".json")
		if code, _, stderr := qs("sweep", file, "--out", filepath.Join(dir, to), "--quiet"); code != exitFailed ||
			!strings.Contains(stderr, "not certified, first: run 0, ") && !strings.Contains(stderr, "not as expected") {
			t.Fatalf("exit %d: %s", code, stderr)
		}
		list := rows(t, filepath.Join(dir, to), study.BoundaryFile)
		if len(list) != 1 || list[0]["fault"] != "" {
			t.Fatalf("to %s: %v", to, list)
		}
		low, high, words := number(t, list[0]["friction.rough.mu low"]), number(t, list[0]["friction.rough.mu high"]), list[0]["criterion"]
		_, text, tight := strings.Cut(words, "tighter than this can decide: ")
		if tight {
			// Half as much again: what decides changes along a line only near its limit.
			low, high = low-1.5*number(t, text), high+1.5*number(t, text)
		}
		beside := strings.Contains(words, "both ends are as expected")
		if beside {
			low, high, tight = low-1e-7, high+1e-7, true // the bracket of the other study
		}
		if !(low < want && want <= high) || words == "" || tight != (to == "1e-10") && to != "1e-7" {
			t.Errorf("to %s: within [%.12g, %.12g], want %.12g: %q", to, low, high, want, words)
		}
	}
}

// TestBoundaryOfExpectation: what changes at the boundary of the study ladder is the expectation that it stands; the end
// that slides is not accurate besides, and what may mend that is named.
func TestBoundaryOfExpectation(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if code, _, stderr := qs("sweep", "ladder", "--out", dir, "--quiet"); code != exitFailed {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	words := rows(t, dir, study.BoundaryFile)[0]["criterion"]
	for _, want := range []string{"largest displacement: ", "the lower end is not certified", `or, not tried, "alpha": 0.5`} {
		if !strings.Contains(words, want) {
			t.Errorf("%q, want %q in it", words, want)
		}
	}
}

// TestMonteCarlo: the mean dissipation of Klarbring's particle with a friction
// coefficient from N(1.5, .05²). In closed form it slips from t = μ on, as μ grows the
// normal force falls, and the dissipation of μ < 2 is that of the case's formula; the
// quadrature here runs the program at nodes of Gauss-Hermite's rule.
func TestMonteCarlo(t *testing.T) {
	t.Parallel()
	thorough.Only(t, "a second")
	dir := t.TempDir()
	mustRun(t, "sweep", "klarbring-spread", "--out", filepath.Join(dir, "spread"))
	var sum float64
	list := rows(t, filepath.Join(dir, "spread"), study.CSVFile)
	for _, row := range list {
		sum += number(t, row["dissipation"])
	}
	// Three nodes are exact for polynomials of degree five in μ.
	nodes := `{"case": "klarbring", "expect": false, "vary": {"friction.rough.mu": [1.413397459621556, 1.5, 1.586602540378444]}, "observe": ["dissipation"], "keep": "nothing"}`
	mustRun(t, "sweep", write(t, nodes, dir, "nodes.json"), "--out", filepath.Join(dir, "nodes"))
	want := 0.0
	for i, row := range rows(t, filepath.Join(dir, "nodes"), study.CSVFile) {
		want += []float64{1. / 6, 2. / 3, 1. / 6}[i] * number(t, row["dissipation"])
	}
	// A Latin hypercube of 200 points errs far less than .05/√200 = .0035.
	if mean := sum / float64(len(list)); math.Abs(mean-want) > 5e-4 {
		t.Errorf("mean %.6g, quadrature %.6g", mean, want)
	}
}

// TestBadStudies: what is wrong with a study is said before a run is made.
func TestBadStudies(t *testing.T) {
	dir := t.TempDir()
	for text, want := range map[string]string{
		`{"case": "play", "vary": {"friction.dry.mo": [1]}}`:       `unknown key "mo", the nearest valid one is "mu"`,
		`{"case": "play", "vary": {"frction.dry.mu": [1]}}`:        `unknown key "frction", the nearest valid one is "friction"`,
		`{"case": "play", "vary": {"energies[3].stiffness": [1]}}`: "no element 3",
		`{"case": "play", "vary": {"friction.dri.mu": [1]}}`:       `unknown name "dri", the nearest one is "dry"`,
		`{"case": "plai"}`: `did you mean "play"`,
		`{"case": "play", "observe": ["disipation"]}`:                                                        `the nearest one is "dissipation"`,
		`{"case": "play", "observe": ["position axis=x"]}`:                                                   `the key "particle" is missing`,
		`{"case": "play", "observe": [{"quantity": "position"}]}`:                                            `the key "particle" is missing`,
		`{"case": "play", "observe": [{"quantity": "dissipation", "value": 1}]}`:                             "want a quantity to look at",
		`{"case": "play", "vary": {"steps": {"linspace": [1, 2, 1e5]}, "until": {"linspace": [1, 2, 1e4]}}}`: "1000000000 runs",
	} {
		code, _, stderr := qs("sweep", write(t, text, dir, "study.json"), "--out", filepath.Join(dir, "out"))
		if code != exitInput || !strings.Contains(stderr, want) {
			t.Errorf("%s: exit %d, %s, want %q", text, code, stderr, want)
		}
		if _, err := os.Stat(filepath.Join(dir, "out")); err == nil {
			t.Errorf("%s: a folder was made", text)
		}
	}
	for args, want := range map[string]string{
		"sweep friction --retry all":           "want failed",
		"sweep friction --shard 3/2":           "want i/n",
		"sweep friction --workers 0":           "at least 1",
		"sweep friction --set mu":              "no =",
		"sweep friction --workers 1000000000":  "at most 4096",
		"sweep friction --listen 0.0.0.0:0":    "reached from other machines",
		"sweep friction --listen nope":         "want host:port",
		"sweep friction --check 200%":          "want a part from 0 to 100%",
		"sweep friction --nats a:b@c":          "seen by all users of this machine",
		"worker --nats nats://secret@c":        "seen by all users of this machine",
		"worker --nats x --token-file /nope":   "--token-file",
		"worker --nats x --workers 1000000000": "at most 4096",
		"run play --set friction.dri.mu=1":     `the nearest one is "dry"`,
		"sweep frictoin":                       `did you mean "friction"`,
		"sweep friction --set steps=9":         "steps is set, and the study varies it",
		"sweep":                                "found 0 arguments",
		"worker":                               "--nats is missing",
		"worker --nats x --workers 0":          "at least 1",
		"study " + t.TempDir():                 "study.json",
		"run play --set friction.dry.mo=1":     `nearest valid one is "mu"`,
	} {
		if code, _, stderr := qs(strings.Fields(args)...); code != exitInput || !strings.Contains(stderr, want) {
			t.Errorf("%s: exit %d, %s, want %q", args, code, stderr, want)
		}
	}
}

// TestAccuracyOfStudy: runs of another accuracy are other runs, for they have other verdicts.
func TestAccuracyOfStudy(t *testing.T) {
	_, plain, _ := qs("sweep", "friction", "--dry-run")
	code, fine, stderr := qs("sweep", "friction", "--dry-run", "--accuracy", "0.001")
	if code != 0 || len(fine) != len(plain) {
		t.Fatalf("exit %d, %s:\n%s", code, stderr, fine)
	}
	_, set, _ := qs("sweep", "friction", "--dry-run", "--set", "accuracy=1e-3")
	if fine == plain || fine != set {
		t.Errorf("with --accuracy 0.001:\n%s\nwithout it:\n%s\nwith --set accuracy=1e-3:\n%s", fine, plain, set)
	}
}

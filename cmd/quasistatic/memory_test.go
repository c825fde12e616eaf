package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/table"
)

// A run that needs more than it may take is refused with the parts of what it
// needs, before it has made a folder.
func TestMemoryOption(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"run", "press-and-drag", "--memory", "300kB", "--out", dir}, "needs"},
		{[]string{"run", "block-braking", "--memory", "300kB", "--out", dir}, "needs"},
		{[]string{"check", "press-and-drag", "--memory", "300kB"}, "of memory, more than 300 kB, the limit given"},
		{[]string{"run", "press-and-drag", "--memory", "lots", "--out", dir}, `--memory: found "lots", want a size > 0 like 4GB or 512MiB`},
		{[]string{"run", "press-and-drag", "--memory", "-1GB", "--out", dir}, "want a size > 0"},
	} {
		var out, errOut bytes.Buffer
		code := start(append([]string{"quasistatic"}, c.args...), &out, &errOut)
		if code != exitInput || !strings.Contains(errOut.String(), c.want) {
			t.Errorf("%v: exit %d, %s", c.args, code, errOut.String())
		}
		if _, err := os.Stat(dir); err == nil {
			t.Errorf("%v: a folder was made", c.args)
		}
	}
}

// The summary has what was predicted, by parts, beside what was taken.
func TestMemoryInSummary(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	mustRun(t, "run", "grazing", "--memory", "1GB", "--out", dir, "--no-picture", "--quiet")
	text, err := os.ReadFile(filepath.Join(dir, "summary.json"))
	if err != nil {
		t.Fatal(err)
	}
	var s table.Summary
	if err := json.Unmarshal(text, &s); err != nil {
		t.Fatal(err)
	}
	m, sum := s.Memory, int64(0)
	for _, p := range m.Parts {
		sum += p.Bytes
	}
	if m.Limit != 1e9 || m.Predicted != sum || sum == 0 || m.Peak < 1e6 {
		t.Errorf("%+v", m)
	}
	if text := mustRun(t, "check", "play"); !strings.Contains(text, "predicted for a run") {
		t.Errorf("check: %s", text)
	}
}

// heap is a case of spheres that all lie in one place, each on a patch with each other.
func heap(model string, n int) string {
	more := ""
	if model == "theta" {
		more = `, "theta": 0.5`
	}
	bodies := make([]string, n)
	for i := range bodies {
		bodies[i] = fmt.Sprintf(`{"id": "b%d", "shape": {"type": "sphere", "radius": 0.1}, "mass": 1, "position": [0, 0, 0.1]}`, i)
	}
	return fmt.Sprintf(`{"model": %q, "until": 0.01, "steps": 10, "gravity": [0, 0, -9.81], "friction": {"dry": {"mu": 0.5}}, "patches": {"p": {"elements": 2, "spacing": 0.001, "epsilon": 1e-9}},
		"contacts": [{"between": "all", "patch": "p", "friction": "dry"}], "bodies": [%s]%s}`, model, strings.Join(bodies, ","), more)
}

// TestHeap: bodies in one place meet each other all at once. Their pairs, contacts and the
// operator are predicted from counts, and refused before they take what they need: the
// program allocates a small part of it.
func TestHeap(t *testing.T) {
	thorough.Seconds(t)
	for _, c := range []struct {
		model string
		n     int
		part  string // what is too much
	}{{"compliant", 100, "7.55 GB"}, {"theta", 300, "198 MB"},
		{"compliant", 500, "551 MB"}} { // 4950 · 4 elements, with 396 on each body; 44850 · 4 and 124750 · 4 elements of 1104 bytes
		file := write(t, heap(c.model, c.n), t.TempDir(), "heap.json")
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		code, _, stderr := qs("run", file, "--out", filepath.Join(t.TempDir(), "out"), "--memory", "100MB")
		runtime.ReadMemStats(&after)
		if code != exitInput || !strings.Contains(stderr, "of memory, more than 100 MB, the limit given") ||
			!strings.Contains(stderr, c.part) {
			t.Errorf("%s, %d bodies: exit %d, %s", c.model, c.n, code, stderr)
		}
		if taken := after.TotalAlloc - before.TotalAlloc; taken > 400e6 { // the contacts within the limit, in lists that double
			t.Errorf("%s, %d bodies: %d bytes allocated for the refusal", c.model, c.n, taken)
		}
	}
}

// TestMemoryOfModels: each model predicts a run, and its summary has what was predicted.
func TestMemoryOfModels(t *testing.T) {
	for _, name := range []string{"play", "block-impact", "joint-oscillation", "cradle", "impacting-bar", "carter"} {
		dir := filepath.Join(t.TempDir(), "out")
		if code, _, stderr := qs("run", small(name), "--memory", "1GB", "--out", dir, "--no-picture", "--quiet"); code == exitInput {
			t.Fatalf("%s: %s", name, stderr)
		}
		var s table.Summary
		if err := json.Unmarshal([]byte(read(t, filepath.Join(dir, "summary.json"))), &s); err != nil {
			t.Fatal(err)
		}
		if m := s.Memory; m == nil || m.Limit != 1e9 || m.Predicted <= 0 || m.Predicted > 1e9 {
			t.Errorf("%s: %+v", name, m)
		}
	}
}

// TestMemoryOfReading: a table of many rows is refused by the size of its file.
func TestMemoryOfReading(t *testing.T) {
	text := `{"model": "energetic", "name": "` + strings.Repeat("x", 4e6) + `"}`
	code, _, stderr := qs("check", write(t, text, t.TempDir(), "long.json"), "--memory", "100MB")
	if code != exitInput || !strings.Contains(stderr, "needs 120 MB of memory, more than 100 MB") {
		t.Errorf("exit %d, %s", code, stderr)
	}
}

// TestMemoryOfFacing: a side that faces one with far finer elements couples as many of its nodes as it covers with each
// other, which is said before any of these entries is there.
func TestMemoryOfFacing(t *testing.T) {
	text := `{"model": "energetic", "until": 1, "steps": 2, "friction": {"dry": {"mu": 0.5}}, "energies": [
		{"type": "body", "id": "low", "young": 1000, "mesh": {"block": {"size": [1, 1, 0.5], "cells": [300, 4, 2], "element": "Q1"}, "accuracy": "given"},
			"prescribed": [{"group": "bottom", "axis": "x", "motion": 0}, {"group": "bottom", "axis": "y", "motion": 0},
				{"group": "bottom", "axis": "z", "motion": 0}]},
		{"type": "body", "id": "high", "young": 1000, "mesh": {"block": {"corner": [0, 0, 0.5], "size": [1, 1, 0.5], "cells": [2, 3, 2]}, "accuracy": "given"},
			"contact": [{"group": "bottom", "body": "low", "side": "top", "friction": "dry"}], "tractions": [{"group": "top", "force": [0, 0, -10]}]}]}`
	code, _, stderr := qs("check", write(t, text, t.TempDir(), "case.json"), "--memory", "200MB")
	if code != exitInput || !strings.Contains(stderr, "the run needs 5.34 GB of memory, more than 200 MB") {
		t.Errorf("exit %d, %s", code, stderr)
	}
}

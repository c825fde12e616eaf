package main

import (
	"bytes"
	"context"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/quasistatic/quasistatic/internal/thorough"
)

// TestStorm throws 20,000 inputs at the program, with QUASISTATIC_LONG; .ci/run a few.
func TestStorm(t *testing.T) {
	thorough.Only(t, "minutes")
	program := filepath.Join(t.TempDir(), "quasistatic")
	if out, err := exec.Command("go", "build", "-ldflags=-s -w", "-o", program, "../../cmd/quasistatic").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var out bytes.Buffer
	if err := storm(t.Context(), &out, []string{"-program", program, "-cases", "../../cases", "-count", "20000", "-keep", filepath.Join(t.TempDir(), "kept")}); err != nil {
		t.Errorf("%v\n%s", err, out.String())
	}
	t.Log(out.String())
}

// TestJudge: the judge sees what it is there to see.
func TestJudge(t *testing.T) {
	dir := t.TempDir()
	d := &driver{codes: map[int]int{}, ran: map[string]map[int]int{}, scratch: dir, program: "/bin/sh"}
	for script, bad := range map[string]bool{
		"exit 0": false, "echo fault >&2; exit 2": false, "exit 3": true, "exit 1": true, "kill -9 $$": true,
		"echo 'panic: x\n\ngoroutine 1 [running]' >&2; exit 2": true,
		"printf '\\033[31m' >&2; exit 2":                       true,
		"echo 't,x\n0,NaN' > " + dir + "/a.csv":                true,
	} {
		if err := os.RemoveAll(filepath.Join(dir, "a.csv")); err != nil {
			t.Fatal(err)
		}
		if fault := d.try(context.Background(), []string{"-c", script}, dir); (fault != "") != bad {
			t.Errorf("%s: %q", script, fault)
		}
	}
}

// TestDamage: the same seed does the same damage, and nearly always some.
func TestDamage(t *testing.T) {
	text := []byte(`{"a": [1, 2.5e3], "b": {"c": "x"}}` + "\n1 2 3\n")
	same := 0
	for i := range uint64(500) {
		a := damage(rand.New(rand.NewPCG(1, i)), text, [][]byte{text})
		if b := damage(rand.New(rand.NewPCG(1, i)), text, [][]byte{text}); !bytes.Equal(a, b) {
			t.Fatalf("seed %d: %q and %q", i, a, b)
		}
		if bytes.Equal(a, text) {
			same++
		}
	}
	if same > 50 { // a number may be replaced by itself
		t.Errorf("%d of 500 undamaged", same)
	}
}

// TestManySteps: what asks for much is told from what hangs.
func TestManySteps(t *testing.T) {
	for text, want := range map[string]bool{`{"steps": 1000}`: false, `{"steps":[ 200000]}`: true, `{"linspace": [0, 1, 3]}`: false, `{"logspace":[1,2,3000]}`: true, `{"count": 2e3}`: true, `{}`: false} {
		if got := manySteps([]byte(text)); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}

package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

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

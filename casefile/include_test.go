package casefile_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/models"
)

// folderOf writes files and returns their folder.
func folderOf(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		full := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(full), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// head is what the cases of these tests have in common.
const head = `{"model": "rigid", "until": 1, "steps": 10, "gravity": [0, 0, -9.81], `

// hand is a part that can be run alone, by the words of its own run.
const hand = `{"model": "rigid", "name": "alone", "until": 9, "steps": 3, "gravity": [0, 0, -9.81],
  "parameters": {"x": 0, "m": 1},
  "friction": {"sphere": {"mu": 0.5}},
  "obstacles": {"floor": {"point": [0, 0, 0], "normal": [0, 0, 1]}},
  "bodies": [{"id": "palm", "mass": "=m", "shape": {"type": "sphere", "radius": 1}, "position": ["=x", 0, 1],
    "load": {"csv": "pull.csv", "time": "t", "value": ["fx", "fy", "fz"]}}],
  "contacts": [{"body": "palm", "obstacle": "floor", "friction": "sphere"}],
  "expect": [{"quantity": "position", "body": "palm", "axis": "x", "value": 0, "tolerance": 1}]}`

// TestInclude: names that a file gives have the prefix wherever they stand, but for words of the
// format and what is shared; files are relative to the file that names them; a part of a part has
// both prefixes; what is said of the run stays behind.
func TestInclude(t *testing.T) {
	dir := folderOf(t, map[string]string{
		"parts/hand.json": hand,
		"parts/pull.csv":  "t,fx,fy,fz\n0,0,0,0\n9,1,0,0\n",
		"parts/arm.json":  `{"include": [{"file": "hand.json", "prefix": "hand.", "shared": ["floor"]}], "bodies": [{"id": "elbow", "mass": 2}], "joints": [{"type": "spherical", "body": "elbow", "to": "hand.palm", "at": [0, 0, 1]}]}`,
	})
	for _, c := range []struct{ text, want string }{
		{head + `"include": [{"file": "parts/arm.json", "prefix": "left_", "shared": ["floor"]}], "bodies": [{"id": "palm", "mass": 1}]}`,
			head + `"friction": {"left_hand.sphere": {"mu": 0.5}}, "obstacles": {"floor": {"point": [0, 0, 0], "normal": [0, 0, 1]}},
  "bodies": [{"id": "palm", "mass": 1}, {"id": "left_elbow", "mass": 2}, {"id": "left_hand.palm", "mass": 1, "shape": {"type": "sphere", "radius": 1}, "position": [0, 0, 1], "load": {"csv": "parts/pull.csv", "time": "t", "value": ["fx", "fy", "fz"]}}],
  "contacts": [{"body": "left_hand.palm", "obstacle": "floor", "friction": "left_hand.sphere"}],
  "joints": [{"type": "spherical", "body": "left_elbow", "to": "left_hand.palm", "at": [0, 0, 1]}]}`},
		{head + `"include": [{"repeat": {"i": 2}, "file": "parts/hand.json", "prefix": "p{i}", "shared": ["floor", "sphere"], "parameters": {"x": "=3*i", "m": 7}}]}`,
			head + `"friction": {"sphere": {"mu": 0.5}}, "obstacles": {"floor": {"point": [0, 0, 0], "normal": [0, 0, 1]}},
  "bodies": [{"id": "p0palm", "mass": 7, "shape": {"type": "sphere", "radius": 1}, "position": [0, 0, 1], "load": {"csv": "parts/pull.csv", "time": "t", "value": ["fx", "fy", "fz"]}},
    {"id": "p1palm", "mass": 7, "shape": {"type": "sphere", "radius": 1}, "position": [3, 0, 1], "load": {"csv": "parts/pull.csv", "time": "t", "value": ["fx", "fy", "fz"]}}],
  "contacts": [{"body": "p0palm", "obstacle": "floor", "friction": "sphere"}, {"body": "p1palm", "obstacle": "floor", "friction": "sphere"}]}`},
		{`{"model": "rigid", "until": 1, "steps": 10, "include": [{"file": "parts/hand.json"}]}`, // gravity is taken over
			strings.NewReplacer(`"name": "alone", "until": 9, "steps": 3`, `"until": 1, "steps": 10`,
				`"parameters": {"x": 0, "m": 1},`, "", `"=m"`, "1", `"=x"`, "0", "pull.csv", "parts/pull.csv",
				hand[strings.Index(hand, ",\n  \"expect\""):], "}").Replace(hand)},
	} {
		k, err := models.Grammar().Decode(filepath.Join(dir, "case.json"), []byte(c.text))
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		var got, want any
		if err := json.Unmarshal(k.Document(), &got); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal([]byte(c.want), &want); err != nil {
			t.Fatalf("%v: %s", err, c.want)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s:\n%s\nwant\n%s", c.text, k.Document(), c.want)
		}
		if _, err := models.Build(t.Context(), k); err != nil {
			t.Errorf("%s: %v", c.text, err)
		}
	}
}

// TestIncludeFaults: what is wrong in a file has its name, its line and its path there; files that
// include themselves, lie elsewhere or disagree are refused, and a study quotes none of them.
func TestIncludeFaults(t *testing.T) {
	dir := folderOf(t, map[string]string{
		"a.json": "{\"bodies\": [\n  {\"id\": \"a\",\n   \"mas\": 1}]}", "broken.json": "{\n  \"bodies\": [}", "list.json": "[1]",
		"loop.json": `{"include": [{"file": "back.json"}]}`, "back.json": `{"include": [{"file": "loop.json"}]}`,
		"mu.json":   "{\"friction\": {\"f\": {\n\"mu\": -1}}, \"material\": \"f\"}",
		"soft.json": `{"gravity": [0, 0, -1]}`, "model.json": `{"model": "theta"}`, "empty.json": `{"model": "rigid", "until": 3}`,
		"rule.json":  "{\"parameters\": {\"r\": 1},\n \"bodies\": [{\"repeat\": {\"i\": 2}, \"id\": \"b{i}\", \"mass\": \"=q\"}]}",
		"outer.json": `{"include": [{"file": "a.json", "prefix": "n"}]}`,
		"b.json":     `{"bodies": [{"id": "b", "mass": 1}], "obstacles": {"floor": {"point": [0, 0, 1], "normal": [0, 0, 1]}}}`,
		"idle.json":  "{\"bodies\": [{\"id\": \"b\", \"mass\": 1, \"shape\": {\"type\": \"sphere\", \"radius\": 1}, \"position\": [0, 0, 1]}],\n\n\"friction\": {\"unused\": {\"mu\": 1}}}",
	})
	deep := map[string]string{}
	for i := range 12 {
		deep[string(rune('a'+i))+".json"] = `{"include": [{"file": "` + string(rune('b'+i)) + `.json"}]}`
	}
	deepest := folderOf(t, deep)
	const floor = `"bodies": [{"id": "own", "mass": 1}], "obstacles": {"floor": {"point": [0, 0, 0], "normal": [0, 0, 1]}}, `
	for _, c := range []struct{ dir, include, want string }{
		{dir, `[{"file": "a.json"}]`, `/a.json:3:11: $.bodies[0].mas: unknown key "mas", the nearest valid one is "mass"`},
		{dir, `[{"file": "outer.json", "prefix": "p"}]`, `/a.json:3:11: $.bodies[0].mas: unknown key "mas"`},
		{dir, `[{"file": "broken.json"}]`, `/broken.json:2:14: broken JSON: `},
		{dir, `[{"file": "list.json"}]`, `/list.json:1:1: $: found an array of 1, want an object with parts of a case`},
		{dir, `[{"file": "loop.json"}]`, `/back.json:1:23: $.include[0].file: found "loop.json", which includes itself: `},
		{dir, `[{"file": "mu.json", "prefix": "x"}]`, `/mu.json:2:7: $.friction.f.mu: found -1, want a number >= 0`},
		{dir, `[{"file": "soft.json"}]`, `case.json:1:`},
		{dir, `[{"file": "soft.json"}]`, `$.include[0].file: $.gravity of soft.json is an array of 3, and an array of 3 here: want the same, or none in one of them`},
		{dir, `[{"file": "model.json"}]`, `/model.json:1:11: $.model: found "theta", want "rigid", that of the case which includes it`},
		{dir, `[{"file": "empty.json"}]`, `/empty.json:1:1: $: the file gives nothing that a case takes over`},
		{dir, `[{"file": "rule.json"}]`, `/rule.json:2:56: $.bodies[0].mass: expression "q": unknown name "q"`},
		{dir, `[{"file": "rule.json", "parameters": {"rr": 1}}]`,
			`/rule.json:1:16: $.parameters: the file that includes it sets the parameter "rr", which is not there; the nearest one is "r"`},
		{dir, `[{"file": "b.json", "shared": ["bb"]}]`,
			`/b.json:1:1: $: the file that includes it shares the name "bb", which it does not give, did you mean "b"?`},
		{dir, `[{"file": "b.json"}]`, `$.include[0].file: $.obstacles.floor of b.json is there already, and not the same: want a "prefix", or one of them`},
		{dir, `[{"file": "none.json"}]`, `$.include[0].file: found "none.json", and no such file: `},
		{dir, `[{"file": "../x.json"}]`, `$.include[0].file: found "../x.json", want a file beside the case or below it`},
		{dir, `[{"file": "/etc/passwd"}]`, `$.include[0].file: found "/etc/passwd", want a file beside the case or below it`},
		{dir, `[{"file": "summary.json"}]`, `the name of a file that runs write, want another one`},
		{dir, `[{"file": "."}]`, `$.include[0].file: found ".", which is no file that can be read`},
		{dir, `[{"fil": "a.json"}]`, `$.include[0].fil: unknown key "fil", the nearest valid one is "file"`},
		{dir, `[{"file": 7}]`, `$.include[0].file: found 7, want the name of a file`},
		{dir, `["a.json"]`, `$.include[0]: found "a.json", want an object`},
		{dir, `"a.json"`, `$.include: found "a.json", want a list`},
		{dir, `[{"file": "idle.json", "prefix": "x"}]`, `/idle.json:3:24: $.friction.unused: nothing names it`},
		{deepest, `[{"file": "a.json"}]`, `within 9 files that include one another, want at most 8`},
	} {
		text := head + floor + `"include": ` + c.include + `}`
		k, err := models.Grammar().Decode(filepath.Join(c.dir, "case.json"), []byte(text))
		if err == nil {
			_, err = models.Build(t.Context(), k)
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.include, err, c.want)
		}
		k, err = models.Grammar().DecodeReserved(filepath.Join(c.dir, "case.json"), []byte(text))
		if err == nil {
			_, err = models.Build(t.Context(), k)
		}
		for _, secret := range []string{`"mas"`, "theta", `"q"`, "unused", "broken JSON"} {
			if err != nil && strings.Contains(err.Error(), secret) {
				t.Errorf("%s: %v quotes %s", c.include, err, secret)
			}
		}
	}
}

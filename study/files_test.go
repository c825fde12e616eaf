package study

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// reader is a runner whose outcome is the length of the file that its case names.
type reader struct{ made *int }

func (r reader) Run(_ context.Context, j *Job) (*Outcome, error) {
	*r.made++
	var c struct {
		Mesh string `json:"mesh"`
	}
	if err := json.Unmarshal(j.Text, &c); err != nil {
		return nil, err
	}
	text, err := os.ReadFile(filepath.Join(filepath.Dir(j.Base), c.Mesh))
	if err != nil {
		return &Outcome{Verdict: Refused, Message: err.Error()}, nil
	}
	y := float64(len(text))
	return &Outcome{Verdict: Certified, Met: true, Observed: []*float64{&y}}, nil
}

// TestFiles: a worker that does not have the files of a case gets them; a run whose file
// has changed is another run.
func TestFiles(t *testing.T) {
	t.Parallel()
	server, err := StartServer(t.TempDir(), Listen{})
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	s, err := Decode([]byte(`{"case": "c", "vary": {"n": [1, 2], "mesh": ["a.msh", "sub/b.msh"]}, "observe": ["length"]}`))
	if err != nil {
		t.Fatal(err)
	}
	base, made := []byte(`{"mesh": "a.msh", "n": 0}`), 0
	p, err := NewPlan(s, base)
	if err != nil {
		t.Fatal(err)
	}
	if w := p.Words(); len(w) != 2 || w[0] != 0 || w[1] != 1 {
		t.Fatalf("runs %v name all files, want 0 and 1", w)
	}
	dir, files := t.TempDir(), Files{"a.msh": []byte("four"), "sub/b.msh": []byte("eleven more")}
	o := Options{Dir: dir, Base: base, File: "/nowhere/c.json", Files: files, Runner: reader{&made},
		Engine: &Broker{Connection: server.Connect(), Workers: 1}}
	if _, err := Run(t.Context(), s, o); err != nil {
		t.Fatal(err)
	}
	before := read(t, dir, CSVFile)
	if n := bytes.Count(before, []byte(",certified,true,")); n != 4 || made != 4 {
		t.Errorf("%d of %d runs certified, want 4 of 4:\n%s", n, made, before)
	}
	table, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if sum, err := table.Summary(dir, Shard{}); err != nil || sum.Made != 4 {
		t.Errorf("opened again: %+v, %v", sum, err)
	}
	files["a.msh"] = []byte("other")
	if _, err := Run(t.Context(), s, o); err != nil || made != 6 {
		t.Errorf("with another file for two runs, %d runs were made in all, want 6; %v", made, err)
	}
	if _, err := Run(t.Context(), s, o); err != nil || made != 6 {
		t.Errorf("with the same files %d runs were made in all, want 6; %v", made, err)
	}
	s, err = Decode([]byte(`{"case": "c", "vary": {"n": [1, 2], "mesh": ["a.msh", "sub/b.msh", "c.msh"]}, "observe": ["length"]}`))
	if err != nil {
		t.Fatal(err)
	}
	files["c.msh"] = []byte("third")
	if _, err := Run(t.Context(), s, o); err != nil || made != 8 {
		t.Errorf("with one more file, %d runs were made in all, want 8; %v", made, err)
	}
	files["a.msh"] = []byte("four") // as at first
	if _, err := Run(t.Context(), s, o); err != nil || made != 8 {
		t.Errorf("with the first file again, %d runs were made in all, want 8; %v", made, err)
	}
	o.Files = Files{"../up": nil}
	if err := o.Files.Write(t.TempDir()); err == nil {
		t.Error("a file outside the folder was written")
	}
}

// TestChosenFiles: runs with each file of a choice are among those that are looked at for
// files, and a word that is no file beside the case is none.
func TestChosenFiles(t *testing.T) {
	s, err := Decode([]byte(`{"case": "c", "sample": {"mesh": {"choice": ["a.msh", "b.msh", "c.msh"]}, "n": {"uniform": [0, 1]}, "count": 40}}`))
	if err != nil {
		t.Fatal(err)
	}
	p, err := NewPlan(s, []byte(`{"mesh": "a.msh", "n": 0, "name": "d.msh", "csv": ["../e.csv", "sub"]}`))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := (Files{"a.msh": nil, "b.msh": nil, "c.msh": nil, "d.txt": nil, "sub/x": nil}).Write(dir); err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, i := range p.Words() {
		text, err := p.Text(i)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range FilesBeside(dir, text) {
			if !slices.Contains(found, name) {
				found = append(found, name)
			}
		}
	}
	slices.Sort(found)
	if !slices.Equal(found, []string{"a.msh", "b.msh", "c.msh"}) || len(p.Words()) > 3 {
		t.Errorf("files %v in runs %v", found, p.Words())
	}
}

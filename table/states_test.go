package table

import (
	"context"
	"io"
	"strings"
	"testing"
)

// twoStates: a thing is on where the first of its two numbers is positive.
type twoStates struct{ now []byte }

func (s *twoStates) At(rows []*SheetRow) ([]byte, error) {
	s.now = s.now[:0]
	for k := 0; k < len(rows[0].Values); k += 2 {
		on := byte(0)
		if rows[0].Values[k] > 0 {
			on = 1
		}
		s.now = append(s.now, on)
	}
	return s.now, nil
}

func (*twoStates) Close() error { return nil }

// cubeLayout is that of things with two numbers each, in two tables, and states.
var cubeLayout = &Layout{Picture: dot{}, States: &States{Name: "status", Of: "thing", Words: []string{"off", "on"}, Open: func(*Folder) (StateSource, error) { return &twoStates{}, nil }},
	Sheets: []Sheet{{File: TrajectoryFile, Columns: []string{"a.x", "a.y", "zwei·2.x", "zwei·2.y"}, Of: "thing", Cube: 2}, {File: ForcesFile, Columns: []string{"a.n", "a.t", "zwei·2.n", "zwei·2.t"}, Of: "thing", Cube: 2},
		{File: CertificatesFile, Columns: []string{"gap", "work"}, Stays: true, Apart: true}}}

func cubeRun(t *testing.T, n int) *Folder {
	t.Helper()
	dir := t.TempDir()
	w, err := Start(dir, cubeLayout, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for k := range n {
		x := float64(k%3) - 1
		at := float64(k - k%2) // two rows at one time
		if err := w.Row(k, at, []float64{x, 1, -x, 2}, []float64{x / 3, 0, 0, x / 7}, []float64{x, 2 * x}); err != nil {
			t.Fatal(err)
		}
	}
	return closeRun(t, dir, w.Close, cubeLayout)
}

// TestCube: arrays of things have a dimension for their components, states and columns that
// stand apart are arrays of their own; all formats keep every bit and every row, also of two
// at one time.
func TestCube(t *testing.T) {
	run := cubeRun(t, 7)
	want, err := texts(run)
	if err != nil {
		t.Fatal(err)
	}
	from := run
	for _, format := range []Format{NPZ, Parquet, VTU, CSV} {
		to := NewFolder(t.TempDir(), cubeLayout)
		if n, err := from.Export(context.Background(), format, ExportOptions{To: to.Dir}); err != nil || n != 7 {
			t.Fatalf("%s: %d rows, %v", format, n, err)
		}
		got, err := texts(to)
		if err != nil || got[TrajectoryFile] != want[TrajectoryFile] || got[ForcesFile] != want[ForcesFile] {
			t.Errorf("%s: %v\n%s%s", format, err, got[TrajectoryFile], got[ForcesFile])
		}
		if format == NPZ {
			checkCube(t, to.Dir)
		}
		if format == Parquet {
			checkStates(t, to)
		}
		from = to
	}
	other := *cubeLayout
	other.Sheets = append([]Sheet(nil), cubeLayout.Sheets...)
	other.Sheets[0].Columns, other.Sheets[1].Columns = []string{"a.x", "a.y", "c.x", "c.y"}, []string{"a.n", "a.t", "c.n", "c.t"}
	for _, format := range []Format{NPZ, Parquet} {
		to := t.TempDir()
		if _, err := run.Export(context.Background(), format, ExportOptions{To: to}); err != nil {
			t.Fatal(err)
		}
		if _, err := texts(NewFolder(to, &other)); err == nil || !strings.Contains(err.Error(), "zwei·2") {
			t.Errorf("%s of other things: %v", format, err)
		}
	}
}

func checkCube(t *testing.T, dir string) {
	t.Helper()
	z, err := openArchive(NewFolder(dir, cubeLayout).Dir + "/" + NPZ.File())
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	var names []string
	for _, f := range z.zip.File {
		names = append(names, strings.TrimSuffix(f.Name, ".npy"))
	}
	if got := strings.Join(names, " "); got != "ids t trajectory forces status gap work" && got != "ids t trajectory forces status" {
		t.Errorf("the arrays are %s", got)
	}
	r, h, err := z.array("trajectory")
	if err != nil || len(h.shape) != 3 || h.shape[0] != 7 || h.shape[1] != 2 || h.shape[2] != 2 {
		t.Errorf("%v: %v", err, h)
	}
	_ = r
	r, h, err = z.array("status")
	if err != nil || h.kind != npyByte || len(h.shape) != 2 {
		t.Fatalf("%v: %v", err, h)
	}
	states, err := io.ReadAll(r)
	if err != nil || string(states) != "\x00\x01\x00\x00\x01\x00\x00\x01\x00\x00\x01\x00\x00\x01" {
		t.Errorf("%v: the states are %v", err, states)
	}
}

func checkStates(t *testing.T, f *Folder) {
	t.Helper()
	r, err := openParquetTable(parquetName(f.Dir, f.layout.groups()[0]), parquetTable{{name: "thing", word: true}, {name: "status", word: true}})
	if err != nil {
		t.Fatal(err)
	}
	defer r.close()
	var got []string
	for {
		row, err := r.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, string(row[1].ByteArray()))
	}
	if strings.Join(got, " ") != "off on off off on off off on off off on off off on" {
		t.Errorf("the states are %v", got)
	}
}

package table

import (
	"context"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
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

// thingsLayout is that of things with two numbers each, in two tables, and states.
var thingsLayout = &Layout{Picture: dot{}, States: &States{Name: "status", Of: "thing", Words: []string{"off", "on"},
	Open: func(*Folder) (StateSource, error) { return &twoStates{}, nil }},
	Sheets: []Sheet{{File: TrajectoryFile, Columns: []string{"a.x", "a.y", "zwei·2.x", "zwei·2.y"}, Of: "thing"},
		{File: ForcesFile, Columns: []string{"a.n", "a.t", "zwei·2.n", "zwei·2.t"}, Of: "thing"},
		{File: CertificatesFile, Columns: []string{"gap", "work"}, Stays: true}}}

func thingsRun(t *testing.T, n int) *Folder {
	t.Helper()
	dir := t.TempDir()
	w, err := Start(dir, thingsLayout, Options{})
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
	return closeRun(t, dir, w.Close, thingsLayout)
}

// TestThings: each table of an archive has its columns and their units beside it, states are numbers
// of things; all formats keep every bit and every row, also of two at one time.
func TestThings(t *testing.T) {
	run := thingsRun(t, 7)
	want, err := texts(run)
	if err != nil {
		t.Fatal(err)
	}
	from := run
	for _, format := range []Format{NPZ, Parquet, VTU, CSV} {
		to := NewFolder(t.TempDir(), thingsLayout)
		if n, err := from.Export(context.Background(), format, ExportOptions{To: to.Dir}); err != nil || n != 7 {
			t.Fatalf("%s: %d rows, %v", format, n, err)
		}
		got, err := texts(to)
		if err != nil || got[TrajectoryFile] != want[TrajectoryFile] || got[ForcesFile] != want[ForcesFile] {
			t.Errorf("%s: %v\n%s%s", format, err, got[TrajectoryFile], got[ForcesFile])
		}
		if format == NPZ {
			checkArrays(t, to.Dir)
		}
		if format == Parquet {
			checkStates(t, to)
		}
		from = to
	}
	other := *thingsLayout
	other.Sheets = append([]Sheet(nil), thingsLayout.Sheets...)
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

func checkArrays(t *testing.T, dir string) {
	t.Helper()
	z, err := openArchive(NewFolder(dir, thingsLayout).Dir + "/" + NPZ.File())
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	var names []string
	for _, f := range z.zip.File {
		names = append(names, strings.TrimSuffix(f.Name, ".npy"))
	}
	of := func(name string) string { return name + " " + name + "_columns " + name + "_units " }
	if got, want := strings.Join(names, " ")+" ", "t "+of("trajectory")+of("forces")+
		"status status_columns "; got != want && got != want+of("certificates") {
		t.Errorf("the arrays are %s", got)
	}
	_, h, err := z.array("trajectory")
	if err != nil || len(h.shape) != 2 || h.shape[0] != 7 || h.shape[1] != 4 {
		t.Errorf("%v: %v", err, h)
	}
	units, err := (&npzReader{name: z.name, zip: z.zip}).wordArray("forces_units")
	if err != nil {
		t.Fatal(err)
	}
	for range 4 {
		if unit, err := units.next(); err != nil || unit != "N" {
			t.Errorf("the unit of a force is %q (%v)", unit, err)
		}
	}
	r, h, err := z.array("status")
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
	r, err := openParquetTable(parquetName(f.Dir, f.layout.groups()[0]),
		parquetTable{{name: "thing", word: true}, {name: "status", word: true}})
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
	info, err := os.Stat(r.name)
	if err != nil {
		t.Fatal(err)
	}
	p, err := parquet.OpenFile(r.file, info.Size())
	if err != nil {
		t.Fatal(err)
	}
	if units, _ := p.Lookup("units"); units != `{"n":"N","t":"s","tx":"N","x":"m","y":"m"}` {
		t.Errorf("the units are %s", units)
	}
}

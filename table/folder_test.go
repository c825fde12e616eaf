package table

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/internal/peer"
)

// dot is a picture of one point, the first numbers of the trajectory.
type dot struct{}

func (dot) Draw(d *Document, rows *Moment) {
	at := append(append([]float64(nil), rows.Last(TrajectoryFile)...), 0, 0, 0)[:3]
	var c Cells
	c.Add(VTKVertex, 0)
	d.Piece(at, &c)
	d.Open("PointData", "")
	d.Floats("displacement", at, 3)
	d.Close("PointData")
}

// motionLayout is that of a run of bodies: some turn in space, others are points.
var motionLayout = &Layout{Picture: dot{}, Vocabulary: []string{"p", "box·1", "capsule", "ball", "floor", "stick",
	"slide"}, Sheets: []Sheet{
	{File: TrajectoryFile, Columns: []string{"p.x", "p.y", "p.z", "box·1.x", "box·1.y", "box·1.z", "box·1.qw"}, Of: "body"},
	{File: VelocitiesFile, Columns: []string{"p.vx", "p.vy", "p.vz", "box·1.vx", "box·1.vy", "box·1.vz", "box·1.wx"}, Of: "body"},
	{File: ForcesFile, Columns: []string{"p/floor.n", "p/floor.t", "p/floor.o", "box·1/floor.2.n", "box·1/floor.2.t",
		"box·1/floor.2.o"}, Of: "element"},
	{File: EnergiesFile, Columns: []string{"kinetic", "residual"}, Stays: true},
	{File: CertificatesFile, Columns: []string{"residual", "rounds"}, Stays: true},
	{File: ContactsFile, Words: []string{"a", "b", "state"}, Columns: []string{"x", "normal", "bound"}, Digits: 9, Times: SomeRows},
	{File: EventsFile, Words: []string{"element", "from", "to"}, Times: SomeRows, Stays: true}}}

// motionRun leaves the files of a run of n rows, with contacts at some times, and returns
// what reads them.
func motionRun(t *testing.T, n int) *Folder {
	t.Helper()
	dir := t.TempDir()
	out, err := Start(dir, motionLayout, Options{})
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	q, v, f := make([]float64, 7), make([]float64, 7), make([]float64, 6)
	for k := range n {
		for _, list := range [][]float64{q, v, f} {
			for i := range list {
				list[i] = random.NormFloat64() * math.Pow(10, 300*random.Float64()-200)
			}
		}
		v[0] = math.Copysign(0, -1)
		for i := range k % 3 {
			out.Attach(ContactsFile, []string{motionLayout.Vocabulary[i+1], []string{"floor", "p"}[i],
				[]string{"slide", "stick"}[i]}, random.Float64(), 1/3., 0.1)
		}
		if err := out.Row(k, float64(k)/7, q, v, f, []float64{1 / 3., 0}, []float64{math.Inf(1), float64(k)}); err != nil {
			t.Fatal(err)
		}
		if k == 2 {
			if err := out.Write(EventsFile, 0.25, []string{"p/floor", "open", "stick"}); err != nil {
				t.Fatal(err)
			}
		}
	}
	return closeRun(t, dir, out.Close, motionLayout)
}

func closeRun(t *testing.T, dir string, finish func() error, l *Layout) *Folder {
	t.Helper()
	if err := finish(); err != nil {
		t.Fatal(err)
	}
	s := Summary{Status: Done}
	if err := s.Write(dir); err != nil {
		t.Fatal(err)
	}
	return NewFolder(dir, l)
}

// meshLayout is that of a run of a mesh, all nodes of which are written now and then.
var meshLayout = &Layout{Picture: dot{}, Sheets: []Sheet{{File: TrajectoryFile, Columns: []string{"0.ux", "0.uy"},
	Of: "node"}, {File: ForcesFile, Columns: []string{"0.n", "0.t"}, Of: "node"},
	{File: EnergiesFile, Columns: []string{"kinetic"}, Stays: true},
	{File: DisplacementsFile, Columns: []string{"0.ux", "0.uy", "1.ux", "1.uy"}, Of: "node", Times: ShotTimes},
	{File: VelocitiesFile, Columns: []string{"0.vx", "0.vy", "1.vx", "1.vy"}, Of: "node", Times: ShotTimes},
	{File: EventsFile, Words: []string{"node", "from", "to"}, Times: SomeRows, Stays: true}}}

// elasticRun leaves the files of a run of n steps of a mesh.
func elasticRun(t *testing.T, n int) *Folder {
	t.Helper()
	dir := t.TempDir()
	w, err := Start(dir, meshLayout, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for k := range n + 1 {
		x, at := math.Sin(float64(k)), float64(k)*0.002
		if k%7 < 2 || k == n { // pairs, then nothing for five steps
			for i, file := range []string{DisplacementsFile, VelocitiesFile} {
				if err := w.Write(file, at, nil, x, -x, float64(i), 1/(3+x)); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := w.Row(k, at, []float64{x, -x}, []float64{x * x, 0}, []float64{x}); err != nil {
			t.Fatal(err)
		}
	}
	return closeRun(t, dir, w.Close, meshLayout)
}

// texts reads all tables of a run as CSV.
func texts(f *Folder) (map[string]string, error) {
	list := map[string]string{}
	for i := range f.layout.Sheets {
		s := &f.layout.Sheets[i]
		in, err := f.Open(s.File)
		if s.Stays && errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return list, err
		}
		text, err := io.ReadAll(in)
		_ = in.Close() // read only
		if err != nil {
			return list, err
		}
		list[s.File] = string(text)
	}
	return list, nil
}

// TestFolderKeepsEveryBit goes through all formats and back.
func TestFolderKeepsEveryBit(t *testing.T) {
	for name, run := range map[string]*Folder{"bodies": motionRun(t, 9), "elastic": elasticRun(t, 30)} {
		want, err := texts(run)
		if err != nil {
			t.Fatal(err)
		}
		from := run
		for _, format := range []Format{NPZ, Parquet, VTU, CSV} {
			to := NewFolder(t.TempDir(), run.layout)
			n, err := from.Export(context.Background(), format, ExportOptions{To: to.Dir})
			if err != nil || n != strings.Count(want[TrajectoryFile], "\n")-1 {
				t.Fatalf("%s, %s: %d rows, %v", name, format, n, err)
			}
			got, err := texts(to)
			if err != nil {
				t.Fatalf("%s, %s: %v", name, format, err)
			}
			for _, s := range run.layout.moving() {
				if got[s.File] != want[s.File] {
					t.Errorf("%s: %s as %s is\n%.300s\nwant\n%.300s", name, s.File, format, got[s.File], want[s.File])
				}
			}
			if left, _ := filepath.Glob(filepath.Join(to.Dir, ".*")); len(left) > 0 {
				t.Errorf("%s, %s left %v", name, format, left)
			}
			from = to
		}
	}
}

// TestFolderThins: the contacts are those of the times that stay.
func TestFolderThins(t *testing.T) {
	run := motionRun(t, 8)
	for every, want := range map[int]string{3: "0 3 6 7", 50: "0 7"} {
		to := NewFolder(t.TempDir(), run.layout)
		if _, err := run.Export(context.Background(), Parquet, ExportOptions{To: to.Dir, Every: every}); err != nil {
			t.Fatal(err)
		}
		got, err := texts(to)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range []string{TrajectoryFile, ForcesFile, ContactsFile} {
			var rows []string
			for _, line := range strings.Split(strings.TrimSpace(got[file]), "\n")[1:] {
				var at float64
				if _, err := fmt.Sscanf(line, "%g,", &at); err != nil {
					t.Fatal(err)
				}
				k := fmt.Sprint(math.Round(7 * at))
				if len(rows) == 0 || rows[len(rows)-1] != k {
					rows = append(rows, k)
				}
			}
			// Rows 0, 3, 6, … have no contacts, 7 has one.
			if all := strings.Join(rows, " "); all != want && (file != ContactsFile || all != "7") {
				t.Errorf("every %d: %s has the rows %s, want %s", every, file, all, want)
			}
		}
	}
}

// TestFolderDamage cuts, exchanges and changes the files: an error that names the
// file, never a panic, never half a file.
func TestFolderDamage(t *testing.T) {
	run := motionRun(t, 9)
	other := elasticRun(t, 3)
	for _, format := range formats {
		from := run
		if format != CSV {
			from = NewFolder(t.TempDir(), run.layout)
			if _, err := run.Export(context.Background(), format, ExportOptions{To: from.Dir}); err != nil {
				t.Fatal(err)
			}
		}
		name := filepath.Join(from.Dir, format.File())
		if format == VTU {
			name = filepath.Join(vtuFolder(name), vtuName(4))
		}
		whole, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		fails := func(what string, text []byte) {
			t.Helper()
			if err := os.WriteFile(name, text, 0o666); err != nil {
				t.Fatal(err)
			}
			to := t.TempDir()
			target := map[Format]Format{CSV: NPZ, NPZ: Parquet, Parquet: VTU, VTU: CSV}[format]
			_, err := from.Export(context.Background(), target, ExportOptions{To: to})
			if err == nil || !strings.Contains(err.Error(), filepath.Base(name)) {
				t.Errorf("%s %s: error %v", format, what, err)
			}
			if _, err := formatOf(to); err == nil {
				t.Errorf("%s %s: half a run was left", format, what)
			}
		}
		for _, cut := range []int{0, 1, len(whole) / 3, len(whole) / 2, len(whole) - 20} {
			fails(fmt.Sprintf("cut at %d of %d", cut, len(whole)), whole[:cut])
		}
		fails("foreign", []byte("Dear reader,\nthis is a letter.\n"))
		for i := 1; i < len(whole); i += 1 + len(whole)/60 { // may be read, may not panic
			changed := bytes.Clone(whole)
			changed[i] ^= 0x55
			if err := os.WriteFile(name, changed, 0o666); err != nil {
				t.Fatal(err)
			}
			_, _ = texts(from)
		}
		if err := os.WriteFile(name, whole, 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := texts(NewFolder(from.Dir, other.layout)); err == nil && format != CSV {
			t.Errorf("%s of bodies was read as that of a mesh", format)
		}
	}
}

// TestFolderKilled exports a run that was killed: what all tables have.
func TestFolderKilled(t *testing.T) {
	run := motionRun(t, 9)
	want, err := texts(run)
	if err != nil {
		t.Fatal(err)
	}
	s := Summary{Status: Interrupted}
	if err := s.Write(run.Dir); err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(want[VelocitiesFile], "\n")
	if err := os.WriteFile(filepath.Join(run.Dir, VelocitiesFile), []byte(strings.Join(lines[:6], "")+lines[6][:9]), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, format := range []Format{NPZ, Parquet, VTU} {
		to := NewFolder(t.TempDir(), run.layout)
		if n, err := run.Export(context.Background(), format, ExportOptions{To: to.Dir}); err != nil || n != 5 {
			t.Errorf("%s: %d rows, want 5 (%v)", format, n, err)
		}
		got, err := texts(to)
		if err != nil || got[TrajectoryFile] != strings.Join(strings.SplitAfter(want[TrajectoryFile], "\n")[:6], "") {
			t.Errorf("%s: %v\n%s", format, err, got[TrajectoryFile])
		}
	}
}

// TestFolderPeers lets NumPy, VTK and hyparquet read what was written.
func TestFolderPeers(t *testing.T) {
	for name, run := range map[string]*Folder{"bodies": motionRun(t, 9), "elastic": elasticRun(t, 30)} {
		for _, f := range []Format{NPZ, VTU, Parquet} {
			if _, err := run.Export(context.Background(), f, ExportOptions{To: filepath.Join(run.Dir, string(f))}); err != nil {
				t.Fatal(err)
			}
		}
		peer.Run(t, "..", name+": numpy, vtk", "tables.py", run.Dir, "/usr/bin/python3", run.Dir,
			filepath.Join(run.Dir, "npz"), filepath.Join(run.Dir, "vtu"), "displacement")
		peers := os.Getenv("QUASISTATIC_PEERS") // a folder with node_modules/hyparquet
		if peers == "" {
			peers = run.Dir
		}
		peer.Run(t, "..", name+": hyparquet", "tables.mjs", peers, "node", run.Dir, filepath.Join(run.Dir, "parquet"))
	}
}

// FuzzVTUField: field data of any text are read or refused.
func FuzzVTUField(f *testing.F) {
	f.Add([]byte(`<VTKFile byte_order="LittleEndian" header_type="UInt64"><UnstructuredGrid><FieldData><DataArray type="Float64" Name="x_t" NumberOfComponents="1" NumberOfTuples="1" format="binary">CAAAAAAAAAAAAAAAAAAAAA==</DataArray></FieldData></UnstructuredGrid></VTKFile>`))
	f.Fuzz(func(t *testing.T, text []byte) {
		dir := t.TempDir()
		pvd := `<VTKFile type="Collection"><Collection><DataSet timestep="0" file="a.vtu"/></Collection></VTKFile>`
		if os.WriteFile(filepath.Join(dir, VTU.File()), []byte(pvd), 0o666) != nil ||
			os.WriteFile(filepath.Join(dir, "a.vtu"), text, 0o666) != nil {
			t.Fatal("cannot write")
		}
		s := &Sheet{File: "x.csv", Columns: []string{"a", "b"}, Words: []string{"w"}}
		r, err := openVTURows(dir, &Layout{Vocabulary: []string{"one"}}, s)
		if err != nil {
			t.Fatal(err)
		}
		row := s.newRow()
		for r.next(row) == nil {
		}
	})
}

// TestFilesOfTwoRuns: an export names the file that ends before the trajectory, goes on after it,
// or has other times.
func TestFilesOfTwoRuns(t *testing.T) {
	for want, change := range map[string]func(lines []string) []string{
		"the trajectory goes on":          func(lines []string) []string { return lines[:len(lines)-1] },
		"after the end of the trajectory": func(lines []string) []string { return append(lines, lines[len(lines)-1]) },
		"0.0625, but 0 in the trajectory": func(lines []string) []string {
			return append(lines[:1],
				"0.0625"+strings.TrimPrefix(lines[1], "0"))
		},
	} {
		run := motionRun(t, 8)
		name := filepath.Join(run.Dir, ForcesFile)
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		lines := change(strings.Split(strings.TrimSpace(string(text)), "\n"))
		if err := os.WriteFile(name, []byte(strings.Join(lines, "\n")+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := run.Export(t.Context(), Parquet, ExportOptions{To: t.TempDir(), Every: 2}); err == nil ||
			!strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), ForcesFile) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

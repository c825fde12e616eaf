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

	"github.com/quasistatic/quasistatic/dynamics"
	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/elastic"
	"github.com/quasistatic/quasistatic/fem"
)

// motionRun leaves the files of a run of n rows of a point, a box and a capsule in
// space, with contacts at some times, and returns what reads them.
func motionRun(t *testing.T, n int) *Folder {
	t.Helper()
	w, err := bodies.NewWorld(3, [3]float64{0, 0, -10})
	if err != nil {
		t.Fatal(err)
	}
	for i, s := range []bodies.Shape{bodies.Point{}, bodies.Box{Size: [3]float64{1, 2, 3}}, bodies.Capsule{Length: 2, R: 0.5}, bodies.Sphere{R: 1}} {
		if _, err := w.Add(bodies.Body{Shape: s, Mass: 1, Position: [3]float64{float64(i), 0, 5}}); err != nil {
			t.Fatal(err)
		}
	}
	c := MotionColumns{World: w, IDs: []string{"p", "box·1", "capsule", "ball"}, Obstacles: []string{"floor"}, Elements: []string{"p/floor", "box·1/floor.2"},
		Certificates: []string{"residual", "rounds"}}
	dir := t.TempDir()
	out, err := CreateMotion(dir, c, Options{})
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	q, v := w.Start()
	for k := range n {
		for _, list := range [][]float64{q, v, out.Forces()} {
			for i := range list {
				list[i] = random.NormFloat64() * math.Pow(10, 300*random.Float64()-200)
			}
		}
		v[0] = math.Copysign(0, -1)
		for i := range k % 3 {
			out.Contact(&ContactRow{A: c.IDs[i+1], B: []string{"floor", "p"}[i], State: dynamics.Slide - dynamics.ContactState(i), At: [3]float64{random.Float64()}, N: [3]float64{0, 0, 1}, Normal: 1 / 3., Bound: 0.1})
		}
		out.Certify(math.Inf(1), float64(k))
		if err := out.Observe(k, &dynamics.State{T: float64(k) / 7, Q: q, V: v}, &dynamics.Energy{Kinetic: 1 / 3.}); err != nil {
			t.Fatal(err)
		}
		if k == 2 {
			if err := out.Event(0.25, "p/floor", dynamics.Open, dynamics.Stick); err != nil {
				t.Fatal(err)
			}
		}
	}
	return closeRun(t, dir, out.Close, c.Layout())
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

// elasticRun leaves the files of a run of n steps of a small block that falls.
func elasticRun(t *testing.T, n int) *Folder {
	t.Helper()
	mesh, err := fem.Box{Corner: []float64{0, 0}, Size: []float64{1, 1}, Cells: []int{2, 2}}.Mesh()
	if err != nil {
		t.Fatal(err)
	}
	bottom, err := mesh.Group("bottom")
	if err != nil {
		t.Fatal(err)
	}
	contacts, err := fem.Contacts(mesh, bottom.Nodes(), fem.HalfSpace{Point: []float64{0, -0.01}, Normal: []float64{0, 1}})
	if err != nil {
		t.Fatal(err)
	}
	v := make([]float64, len(mesh.X))
	for i := range v {
		v[i] = 0.5 - float64(i%2)
	}
	m := &elastic.Model{Mesh: mesh, Material: fem.Elastic{Young: 1000, Poisson: 0.3, Density: 1}, Contacts: contacts, Friction: []float64{0.2, 0.2, 0.2}, V0: v}
	s, err := elastic.New(context.Background(), m, elastic.Options{Step: 0.002})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	w, err := CreateElastic(dir, m, 1000*0.002, Options{}) // pairs, then nothing for six steps
	if err != nil {
		t.Fatal(err)
	}
	for k := range n + 1 {
		if k > 0 {
			if err := s.Step(context.Background()); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Observe(k, k == n, s); err != nil {
			t.Fatal(err)
		}
	}
	return closeRun(t, dir, w.Close, ElasticLayout(m))
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
	for _, format := range Formats {
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
			if _, err := FormatOf(to); err == nil {
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
	if _, _, err := NewFolder(run.Dir, other.layout).Table(TrajectoryFile); err == nil || !strings.Contains(err.Error(), `column 2 is "p.x", want "0.ux"`) {
		t.Errorf("another model: %v", err)
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
		peer(t, name+": numpy, vtk", "tables.py", run.Dir, "/usr/bin/python3", run.Dir, filepath.Join(run.Dir, "npz"), filepath.Join(run.Dir, "vtu"))
		peers := os.Getenv("QUASISTATIC_PEERS") // a folder with node_modules/hyparquet
		if peers == "" {
			peers = run.Dir
		}
		peer(t, name+": hyparquet", "tables.mjs", peers, "node", run.Dir, filepath.Join(run.Dir, "parquet"))
	}
}

// FuzzVTUField: field data of any text are read or refused.
func FuzzVTUField(f *testing.F) {
	f.Add([]byte(`<VTKFile byte_order="LittleEndian" header_type="UInt64"><UnstructuredGrid><FieldData><DataArray type="Float64" Name="x_t" NumberOfComponents="1" NumberOfTuples="1" format="binary">CAAAAAAAAAAAAAAAAAAAAA==</DataArray></FieldData></UnstructuredGrid></VTKFile>`))
	f.Fuzz(func(t *testing.T, text []byte) {
		dir := t.TempDir()
		pvd := `<VTKFile type="Collection"><Collection><DataSet timestep="0" file="a.vtu"/></Collection></VTKFile>`
		if os.WriteFile(filepath.Join(dir, VTU.File()), []byte(pvd), 0o666) != nil || os.WriteFile(filepath.Join(dir, "a.vtu"), text, 0o666) != nil {
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

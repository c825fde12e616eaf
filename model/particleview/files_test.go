package particleview

import (
	"context"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/internal/peer"
	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/table"
)

// two is a particle on a slope of 3:4:5 through (0, 0, 1) and one in the air.
func two(t *testing.T) *particles.System {
	t.Helper()
	h, err := particles.NewHalfSpace([3]float64{0, 0, 1}, [3]float64{-3, 0, 4})
	if err != nil {
		t.Fatal(err)
	}
	sys, err := particles.NewSystem([]particles.Frame{h.Frame(), particles.NoObstacle()})
	if err != nil {
		t.Fatal(err)
	}
	return sys
}

func node(k int, z ...float64) *energetic.Node {
	n := &energetic.Node{K: k, T: float64(k) / 8, Z: z, Grad: []float64{1, 2, 3, 1e-17, 0, 0}}
	n.States = []incremental.ContactState{incremental.Stick, incremental.Free}
	n.Before = n.States
	n.Energy, n.Gap.Upper, n.SinceEvent = 0.1, 1e-20, k
	return n
}

func read(t *testing.T, elements ...string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(elements...))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// smallRun leaves the files of n nodes of two particles in a new folder.
func smallRun(t *testing.T, n int) (string, *Scene) {
	t.Helper()
	sys, ids, dir := two(t), []string{"a", "zwei·2"}, t.TempDir()
	scene := &Scene{IDs: ids, System: sys, Anchors: []Anchor{{ID: "hook", Path: particles.At(1, 2, 3)}},
		Links: []Link{{A: 0, B: 1, Kind: Bond}, {A: 1, B: 2, Kind: Spring}}}
	w, err := table.Start(dir, scene.Layout(), table.Options{})
	if err != nil {
		t.Fatal(err)
	}
	at, forces := make([]float64, 6), make([]float64, 6)
	before := []incremental.ContactState{incremental.Stick, incremental.Free}
	for k := range n {
		x := float64(k)
		nd := node(k, math.Sin(x)/3, -x*1e-300, 0, math.Pi*x, 1e17, -0.1)
		nd.Before, nd.States = before, []incremental.ContactState{incremental.Stick + incremental.ContactState(k/2%2), incremental.Free}
		for j, s := range nd.States {
			if from := nd.Before[j]; k > 0 && s != from {
				if err := w.Write(table.EventsFile, nd.T, []string{ids[j], from.String(), s.String()}, 0); err != nil {
					t.Fatal(err)
				}
			}
			r := Reaction(nd, j)
			copy(forces[3*j:], r[:])
		}
		before = nd.States
		sys.ToGlobal(at, nd.Z)
		if err := w.Row(k, nd.T, at, forces, []float64{nd.Energy, 0, 0, 0, nd.Gap.Upper, 0, float64(nd.SinceEvent)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	s := table.Summary{Status: table.Done}
	if err := s.Write(dir); err != nil {
		t.Fatal(err)
	}
	return dir, scene
}

// allFrames reads all frames of a folder.
func allFrames(t *testing.T, dir string, scene *Scene) ([]frame, error) {
	t.Helper()
	src, err := openFrames(table.NewFolder(dir, scene.Layout()), scene)
	if err != nil {
		return nil, err
	}
	defer src.close()
	var list []frame
	for {
		f := newFrame(len(scene.IDs))
		if err := src.next(f); err == io.EOF {
			return list, nil
		} else if err != nil {
			return list, err
		}
		list = append(list, *f)
	}
}

func TestFormatsKeepEveryBit(t *testing.T) {
	dir, scene := smallRun(t, 7)
	want, err := allFrames(t, dir, scene)
	if err != nil || len(want) != 7 || want[2].Status[0] != incremental.Slip || want[1].Status[0] != incremental.Stick {
		t.Fatalf("%v: %v", err, want)
	}
	from := dir
	for _, format := range []table.Format{table.NPZ, table.Parquet, table.VTU, table.CSV} {
		to := t.TempDir()
		if n, err := table.NewFolder(from, scene.Layout()).Export(context.Background(), format,
			table.ExportOptions{To: to}); err != nil || n != 7 {
			t.Fatalf("%s: %d nodes, %v", format, n, err)
		}
		if format == table.CSV { // status is in the events
			for _, name := range []string{table.TrajectoryFile, table.ForcesFile} {
				if got := read(t, to, name); got != read(t, dir, name) {
					t.Errorf("%s back from table.VTU differs:\n%s", name, got)
				}
			}
			break
		}
		if err := table.CopyFile(to, table.EventsFile, filepath.Join(dir, table.EventsFile)); err != nil { // which has the states
			t.Fatal(err)
		}
		got, err := allFrames(t, to, scene)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v\n%v\nwant\n%v", format, err, got, want)
		}
		if left, _ := filepath.Glob(filepath.Join(to, ".*")); len(left) > 0 {
			t.Errorf("%s left %v", format, left)
		}
		from = to
	}
}

func TestExportThins(t *testing.T) {
	dir, scene := smallRun(t, 8)
	for every, want := range map[int]int{1: 8, 3: 4, 7: 2, 50: 2} {
		to := t.TempDir()
		if n, err := table.NewFolder(dir, scene.Layout()).Export(context.Background(), table.NPZ,
			table.ExportOptions{To: to, Every: every}); err != nil || n != want {
			t.Errorf("every %d: %d nodes, want %d (%v)", every, n, want, err)
		}
		list, err := allFrames(t, to, scene)
		if err != nil || len(list) != want || list[len(list)-1].T != 7./8 {
			t.Errorf("every %d: %v %v", every, list, err)
		}
	}
}

// TestPeers lets NumPy, VTK and hyparquet read what was written.
func TestPeers(t *testing.T) {
	dir, scene := smallRun(t, 20)
	for _, f := range []table.Format{table.NPZ, table.VTU, table.Parquet} {
		if _, err := table.NewFolder(dir, scene.Layout()).Export(context.Background(), f,
			table.ExportOptions{To: filepath.Join(dir, string(f))}); err != nil {
			t.Fatal(err)
		}
	}
	peer.Run(t, "../..", "numpy, vtk", "formats.py", dir, "/usr/bin/python3", dir, filepath.Join(dir, "npz"), filepath.Join(dir, "vtu"))
	peers := os.Getenv("QUASISTATIC_PEERS") // a folder with node_modules/hyparquet
	if peers == "" {
		peers = dir
	}
	peer.Run(t, "../..", "hyparquet", "parquet.mjs", peers, "node", dir, filepath.Join(dir, "parquet", table.Parquet.File()))
}

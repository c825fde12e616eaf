package table

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/particles"
)

// smallRun leaves the files of n nodes of two particles in a new folder.
func smallRun(t *testing.T, n int) (string, *Scene) {
	t.Helper()
	sys, ids, dir := two(t), []string{"a", "zwei·2"}, t.TempDir()
	w, err := Create(dir, sys, ids, Options{})
	if err != nil {
		t.Fatal(err)
	}
	before := []incremental.ContactState{incremental.Stick, incremental.Free}
	for k := range n {
		x := float64(k)
		nd := node(k, math.Sin(x)/3, -x*1e-300, 0, math.Pi*x, 1e17, -0.1)
		nd.Before, nd.States = before, []incremental.ContactState{incremental.Stick + incremental.ContactState(k/2%2), incremental.Free}
		before = nd.States
		if err := w.Observe(nd); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	s := Summary{Status: Done}
	if err := s.Write(dir); err != nil {
		t.Fatal(err)
	}
	spring := Link{A: 1, B: 2, Kind: Spring}
	return dir, &Scene{IDs: ids, System: sys, Anchors: []Anchor{{ID: "hook", Path: particles.At(1, 2, 3)}}, Links: []Link{{A: 0, B: 1, Kind: Bond}, spring}}
}

// frames reads all frames of a folder.
func frames(t *testing.T, dir string, scene *Scene) ([]Frame, error) {
	t.Helper()
	src, err := Open(dir, scene)
	if err != nil {
		return nil, err
	}
	defer src.Close()
	var list []Frame
	for {
		f := NewFrame(len(scene.IDs))
		if err := src.Next(f); err == io.EOF {
			return list, nil
		} else if err != nil {
			return list, err
		}
		list = append(list, *f)
	}
}

func TestFormatsKeepEveryBit(t *testing.T) {
	dir, scene := smallRun(t, 7)
	want, err := frames(t, dir, scene)
	if err != nil || len(want) != 7 || want[2].Status[0] != incremental.Slip || want[1].Status[0] != incremental.Stick {
		t.Fatalf("%v: %v", err, want)
	}
	from := dir
	for _, format := range []Format{NPZ, Parquet, VTU, CSV} {
		to := t.TempDir()
		if n, err := Export(context.Background(), from, scene, format, ExportOptions{To: to}); err != nil || n != 7 {
			t.Fatalf("%s: %d nodes, %v", format, n, err)
		}
		if format == CSV { // status is in the events
			for _, name := range []string{TrajectoryFile, ForcesFile} {
				if got := read(t, to, name); got != read(t, dir, name) {
					t.Errorf("%s back from VTU differs:\n%s", name, got)
				}
			}
			break
		}
		got, err := frames(t, to, scene)
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
		if n, err := Export(context.Background(), dir, scene, NPZ, ExportOptions{To: to, Every: every}); err != nil || n != want {
			t.Errorf("every %d: %d nodes, want %d (%v)", every, n, want, err)
		}
		list, err := frames(t, to, scene)
		if err != nil || len(list) != want || list[len(list)-1].T != 7./8 {
			t.Errorf("every %d: %v %v", every, list, err)
		}
	}
}

// TestPeers lets NumPy, VTK and hyparquet read what was written.
func TestPeers(t *testing.T) {
	dir, scene := smallRun(t, 20)
	for _, f := range []Format{NPZ, VTU, Parquet} {
		if _, err := Export(context.Background(), dir, scene, f, ExportOptions{To: filepath.Join(dir, string(f))}); err != nil {
			t.Fatal(err)
		}
	}
	peer(t, "numpy, vtk", "formats.py", dir, "/usr/bin/python3", dir, filepath.Join(dir, "npz"), filepath.Join(dir, "vtu"))
	peers := os.Getenv("QUASISTATIC_PEERS") // a folder with node_modules/hyparquet
	if peers == "" {
		peers = dir
	}
	peer(t, "hyparquet", "parquet.mjs", peers, "node", dir, filepath.Join(dir, "parquet", Parquet.File()))
}

// peer runs a script of scripts/peers in a folder, if the peer is there.
func peer(t *testing.T, name, script, folder string, args ...string) {
	t.Helper()
	t.Run(name, func(t *testing.T) {
		script, err := filepath.Abs("../scripts/peers/" + script)
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(args[0], append([]string{script}, args[1:]...)...)
		cmd.Dir = folder
		text, err := cmd.CombinedOutput()
		for _, missing := range []string{"ModuleNotFoundError", "MODULE_NOT_FOUND"} {
			if bytes.Contains(text, []byte(missing)) {
				t.Skipf("the peer is not installed: %s", missing)
			}
		}
		if errors.Is(err, exec.ErrNotFound) || errors.Is(err, os.ErrNotExist) {
			t.Skip(err)
		}
		if err != nil {
			t.Errorf("%v: %s", err, text)
		}
	})
}

// TestDamage cuts and changes files of every format: an error, never a panic.
func TestDamage(t *testing.T) {
	dir, scene := smallRun(t, 9)
	for _, format := range []Format{CSV, NPZ, Parquet, VTU} {
		to := t.TempDir()
		from := dir
		if format != CSV {
			if _, err := Export(context.Background(), dir, scene, format, ExportOptions{To: to}); err != nil {
				t.Fatal(err)
			}
			from = to
		}
		name := filepath.Join(from, format.File())
		if format == VTU {
			name = filepath.Join(vtuFolder(name), vtuName(4))
		}
		whole, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, cut := range []int{0, 1, len(whole) / 3, len(whole) / 2, len(whole) - 20} {
			damaged(t, fmt.Sprintf("%s cut at %d of %d", format, cut, len(whole)), name, whole[:cut], from, scene)
		}
		damaged(t, string(format)+" foreign", name, []byte("Dear reader,\nthis is a letter.\n"), from, scene)
		for i := 1; i < len(whole); i += 1 + len(whole)/200 { // may be read, may not panic
			other := bytes.Clone(whole)
			other[i] ^= 0x55
			if err := os.WriteFile(name, other, 0o666); err != nil {
				t.Fatal(err)
			}
			_, _ = frames(t, from, scene)
		}
	}
}

func damaged(t *testing.T, what, name string, text []byte, dir string, scene *Scene) {
	t.Helper()
	if err := os.WriteFile(name, text, 0o666); err != nil {
		t.Fatal(err)
	}
	if list, err := frames(t, dir, scene); err == nil || !strings.Contains(err.Error(), filepath.Base(name)) {
		t.Errorf("%s: %d frames, error %v", what, len(list), err)
	}
}

func TestForeignParticles(t *testing.T) {
	dir, scene := smallRun(t, 3)
	other := *scene
	other.IDs = []string{"a", "c"}
	for _, format := range []Format{NPZ, Parquet, CSV} {
		to := t.TempDir()
		if _, err := Export(context.Background(), dir, scene, format, ExportOptions{To: to, Every: 2}); err != nil {
			t.Fatal(err)
		}
		if format == CSV {
			to = dir
		}
		if _, err := frames(t, to, &other); err == nil || !strings.Contains(err.Error(), "zwei·2") {
			t.Errorf("%s: error %v", format, err)
		}
	}
}

// TestGrowing reads a run while it is written, in pieces that end anywhere.
func TestGrowing(t *testing.T) {
	dir, scene := smallRun(t, 6)
	want, err := frames(t, dir, scene)
	if err != nil {
		t.Fatal(err)
	}
	full := map[string]string{}
	for _, name := range []string{TrajectoryFile, ForcesFile, EventsFile} {
		full[name] = read(t, dir, name)
	}
	live := t.TempDir()
	var src Source
	f, got := NewFrame(2), 0
	for part := 1; part <= 40; part++ {
		for i, name := range []string{EventsFile, ForcesFile, TrajectoryFile} {
			text := full[name]
			share := len(text) * min(40, part+5*i*(part%2)) / 40
			if i == 0 || part == 1 { // events are never later than their node
				share = max(share, len(text)*min(part+8, 40)/40)
			}
			if err := os.WriteFile(filepath.Join(live, name), []byte(text[:share]), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if part < 24 { // the headers are not there yet
			continue
		}
		if src == nil {
			if src, err = openCSV(live, scene, false); err != nil {
				t.Fatal(err)
			}
			defer src.Close()
		}
		for src.Next(f) == nil {
			if !reflect.DeepEqual(f.X, want[got].X) || f.T != want[got].T {
				t.Errorf("node %d: %v, want %v", got, f, want[got])
			}
			got++
		}
	}
	if got != len(want) {
		t.Errorf("read %d nodes, want %d", got, len(want))
	}
}

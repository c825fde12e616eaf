package files_test

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/assembly"
	"github.com/quasistatic/quasistatic/assembly/files"
)

// TestWrite: what is written for COMPAS is read back as the same assembly, and its forces, along the axes of
// the frames, balance the weight; so do those of the table. In space and for a prism of the plane.
func TestWrite(t *testing.T) {
	for _, text := range []string{
		`{"name": "two", "friction": 0.6, "blocks": [{"name": "floor", "support": true, "box": [[-3,-3,-1],[3,3,0]]}, {"name": "a", "density": 2, "box": [[0,0,0],[1,1,1]]}]}`,
		`{"name": "two", "friction": 0.6, "plane": true, "blocks": [{"name": "floor", "support": true, "box": [[-3,0,-1],[3,0,0]]}, {"name": "a", "density": 2, "box": [[0,0,0],[1,0,1]]}]}`,
	} {
		a := decode(t, text)
		v, err := assembly.Judge(t.Context(), a, nil)
		if err != nil {
			t.Fatal(err)
		}
		written, err := files.COMPAS(a, v.Reactions)
		if err != nil {
			t.Fatal(err)
		}
		again, err := files.Decode(written, "")
		if err != nil {
			t.Fatal(err)
		}
		again.Friction = .6
		if err := again.Prepare(assembly.Finding{}); err != nil {
			t.Fatal(err)
		}
		if len(again.Blocks) != 2 || !again.Blocks[0].Support || len(again.Interfaces) != 1 {
			t.Errorf("%d blocks, %d interfaces, want 2 and 1", len(again.Blocks), len(again.Interfaces))
		}
		near(t, "mass", again.Blocks[1].Mass(), 2, 1e-12)
		var top struct {
			Data struct {
				Graph struct {
					Data struct {
						Edge map[string]map[string]struct {
							Interfaces []struct {
								Data struct {
									Points [][3]float64
									Forces []map[string]float64
									Frame  struct {
										Data struct{ XAxis, YAxis [3]float64 }
									}
								}
							}
						}
					}
				}
			}
		}
		if err := json.Unmarshal(written, &top); err != nil {
			t.Fatal(err)
		}
		f := top.Data.Graph.Data.Edge["0"]["1"].Interfaces[0].Data
		sum, side := 0., 0.
		u, w := f.Frame.Data.XAxis, f.Frame.Data.YAxis
		for _, c := range f.Forces {
			sum += (c["c_np"] - c["c_nn"]) * (u[0]*w[1] - u[1]*w[0])
			side += math.Abs(c["c_u"]) + math.Abs(c["c_v"])
		}
		if len(f.Forces) != len(f.Points) || len(f.Points) != 4 {
			t.Errorf("%d forces at %d points, want 4", len(f.Forces), len(f.Points))
		}
		near(t, "force along z", sum, 2*9.81, 1e-7)
		near(t, "friction", side, 0, 1e-7)
		rows, err := csv.NewReader(strings.NewReader(string(files.CSV(a, v.Reactions, nil)))).ReadAll()
		if err != nil || len(rows) != 2 {
			t.Fatalf("%v, %v, want a head and a row", rows, err)
		}
		var fz, use float64
		fmt.Sscan(rows[1][8], &fz)
		fmt.Sscan(rows[1][11], &use)
		near(t, "fz of the table", fz, 2*9.81, 1e-7)
		near(t, "use of friction", use, 0, 1e-7)
	}
}

// TestVaultAndDome: generated blocks fit, their volumes sum to the closed form up to chords, and the
// interfaces are those of the bond.
func TestVaultAndDome(t *testing.T) {
	volume := func(a *assembly.Assembly) (v float64) {
		for i := range a.Blocks {
			if !a.Blocks[i].Support {
				v += a.Blocks[i].Volume
			}
		}
		return v
	}
	a := decode(t, `{"friction": 0.7, "generate": {"vault": {"radius": 1, "thickness": 0.2, "voussoirs": 9, "half_angle": 1, "length": 2, "rows": 3, "staggered": true}}}`)
	chord := math.Sin(1./9) / (1. / 9) * math.Cos(1./9) // of the area of a ring in 9 straight parts
	near(t, "volume of the vault", volume(a), 2*.2*2*chord, 1e-9)
	if n := len(a.Blocks); n != 2+5*3+4*4 {
		t.Errorf("%d blocks, want 5 voussoirs of 3, 4 of 4 and 2 supports", n)
	}
	if n := len(a.Interfaces); n != 5*2+4*3+8*6+2*3 {
		t.Errorf("%d interfaces, want 22 in voussoirs, 6 at each of 8 joints, 6 at the supports", n)
	}
	a = decode(t, `{"friction": 0.7, "generate": {"dome": {"radius": 1, "thickness": 0.2, "rings": 6, "segments": 24}}}`)
	want := 2 * math.Pi * math.Cos(.15*math.Pi/2) * (math.Pow(1.1, 3) - math.Pow(.9, 3)) / 3
	near(t, "volume of the dome", volume(a), want, .03*want)
	if n := len(a.Interfaces); n != 6*24+6*24+24 { // meridians of the rings and of the supports, parallels
		t.Errorf("%d interfaces, want 312", n)
	}
	v, err := assembly.Judge(t.Context(), a, &assembly.Options{Limit: 1})
	if err != nil || v.Word == assembly.Falls {
		t.Errorf("a hemisphere of t/R = .2 falls, want not") // it stands from t/R = .042 (Lau 2006)
	}
}

// TestFolder: each mesh of a folder is a block; what is no mesh is noted.
func TestFolder(t *testing.T) {
	dir := t.TempDir()
	cube := func(z float64) string {
		text := ""
		for k := range 8 {
			text += fmt.Sprintf("v %d %d %v\n", k&1, k>>1&1, z+float64(k>>2&1))
		}
		return text + "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n"
	}
	for name, text := range map[string]string{"below.obj": cube(0), "upper.OBJ": cube(1), "readme.txt": "x"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	a, err := files.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	a.Blocks[0].Support, a.Friction = true, .5
	if err := a.Prepare(assembly.Finding{}); err != nil {
		t.Fatal(err)
	}
	if len(a.Blocks) != 2 || len(a.Interfaces) != 1 || len(a.Interfaces[0].Points) != 4 || len(a.Notes) != 1 ||
		word(t, a) != assembly.Stands {
		t.Errorf("%d blocks, interfaces %v, notes %q", len(a.Blocks), a.Interfaces, a.Notes)
	}
	if _, err := files.Read(t.TempDir()); err == nil || !strings.Contains(err.Error(), "no file .obj or .stl") {
		t.Errorf("%v, want a fault of an empty folder", err)
	}
}

package files_test

import (
	"fmt"
	"testing"

	"github.com/quasistatic/quasistatic/assembly"
	"github.com/quasistatic/quasistatic/assembly/files"
)

func decode(t *testing.T, text string) *assembly.Assembly {
	t.Helper()
	a, err := files.Decode([]byte(text), "")
	if err == nil {
		err = a.Prepare(assembly.Finding{})
	}
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestWalls(t *testing.T) {
	for _, courses := range []int{5, 6, 7, 10} {
		for _, bricks := range []int{3, 4, 5, 6} {
			for _, h := range []bool{false, true} {
				a := decode(t, fmt.Sprintf(`{"friction": 0.65, "plane": true, "generate": {"wall": {"courses": %d, "bricks": %d, "length": 0.4, "height": 0.175, "halves_first": %v, "sideways": true}}}`, courses, bricks, h))
				m, err := assembly.LoadFactor(t.Context(), a, 0)
				if err != nil {
					t.Fatal(err)
				}
				t.Log(courses, bricks, h, len(a.Blocks)-1, len(a.Interfaces), m.Value)
			}
		}
	}
}

func TestArches(t *testing.T) {
	for _, th := range []float64{.107, .1074, .1075, .108} {
		for _, n := range []int{25, 50, 100, 200} {
			a := decode(t, fmt.Sprintf(`{"friction": 0.7, "generate": {"arch": {"radius": 1, "thickness": %v, "voussoirs": %d}}}`, th, n))
			v, err := assembly.Judge(t.Context(), a, &assembly.Options{Limit: 1})
			if err != nil {
				t.Fatal(err)
			}
			t.Log(th, n, v.Word, v.Reason)
		}
	}
}

package files_test

import (
	"fmt"
	"testing"

	"github.com/quasistatic/quasistatic/assembly"
	"github.com/quasistatic/quasistatic/assembly/files"
)

// bricks are boxes in running bond, three a course, on a plate, of joints that hold a tension.
func bricks(b *testing.B, courses int) *assembly.Assembly {
	var blocks []string
	for c := range courses {
		for k := range 3 {
			blocks = append(blocks, fmt.Sprintf(`{"name": "%d/%d", "box": [[%g, 0, %g], [%g, 0.2, %g]]}`, c, k,
				.4*float64(k)+.2*float64(c%2), .1*float64(c), .4*float64(k+1)+.2*float64(c%2), .1*float64(c+1)))
		}
	}
	text := `{"friction": 0.6, "tensile_strength": 100, "blocks": [{"name": "plate", "support": true, "box": [[-1, -1, -0.1], [3, 1, 0]]}`
	for _, x := range blocks {
		text += "," + x
	}
	a, err := files.Decode([]byte(text+"]}"), "")
	if err == nil {
		err = a.Prepare(assembly.Finding{})
	}
	if err != nil {
		b.Fatal(err)
	}
	return a
}

// BenchmarkBricks is the verdict of bricks with mortar in space, the assembly being prepared.
func BenchmarkBricks(b *testing.B) {
	for _, courses := range []int{10, 50} {
		a := bricks(b, courses)
		b.Run(fmt.Sprint(3*courses), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				v, err := assembly.Judge(b.Context(), a, nil)
				if err != nil || v.Word != assembly.Stands {
					b.Fatal(v, err)
				}
			}
		})
	}
}

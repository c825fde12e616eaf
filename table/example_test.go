package table_test

import (
	"fmt"
	"strings"

	"github.com/quasistatic/quasistatic/table"
)

func ExampleReader() {
	text := "t,a.x,a.y,a.z\n0,0,0,0\n0.5,0.25,0,0\n"
	r, err := table.NewReader(strings.NewReader(text), "trajectory.csv", []string{"a"})
	for err == nil {
		var t float64
		var x []float64
		if t, x, err = r.Next(); err == nil {
			fmt.Println(t, x)
		}
	}
	fmt.Println(err)
	// Output:
	// 0 [0 0 0]
	// 0.5 [0.25 0 0]
	// EOF
}

package fem_test

import (
	"fmt"

	"github.com/quasistatic/quasistatic/fem"
)

func ExampleStiffness() {
	m, _ := fem.Box{Corner: []float64{0}, Size: []float64{2}, Cells: []int{2}}.Mesh()
	a, _ := fem.Stiffness(m, fem.Elastic{Young: 10})
	fmt.Println(a.Val)
	// Output: [10 -10 20 -10 10]
}

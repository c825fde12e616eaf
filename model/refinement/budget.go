package refinement

import "math"

// Budget is the work [operations] up to which a run on a finer mesh is made beside another: one or
// two seconds of one processor. A coarser one costs less than a third of the run, and is always
// made.
const Budget = 1e9

// Work predicts the operations of a run in steps of a body with a number of degrees of freedom:
// each step a few solutions with a factor, factorisations now and then. The sizes of factors are
// those of nested dissection: about 31/4 n log₂ n entries in the plane and 4 n^{4/3} in space, with
// 10 n^{3/2} and 10 n² operations (George 1973; measured here on blocks within a factor of 2).
func Work(dim int, dofs, steps float64) float64 {
	const solutions, factorisations = 4 * 4, 3 // of a step, with both halves and two operations an entry; of a run
	switch dim {
	case 1:
		return dofs * (2*solutions*steps + factorisations)
	case 2:
		return solutions*steps*Entries(dim, dofs) + factorisations*10*math.Pow(dofs, 1.5)
	}
	return solutions*steps*Entries(dim, dofs) + factorisations*10*dofs*dofs
}

// Entries predicts those of the factor, see [Work].
func Entries(dim int, dofs float64) float64 {
	switch dim {
	case 1:
		return 2 * dofs
	case 2:
		return 31. / 4 * dofs * math.Log2(dofs+1)
	}
	return 4 * math.Pow(dofs, 4./3)
}

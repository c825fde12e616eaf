package local

import "github.com/quasistatic/quasistatic/contact/form"

// run is the work of a method; Lemke's has a form of its own. (A function and no variable: the
// regions of [form.MethodWarm] are problems of their own, which choose their methods here.)
func run(m form.Method) localMethod {
	switch m {
	case form.MethodAuto:
		return (*localRun).auto
	case form.MethodGaussSeidel:
		return (*localRun).gaussSeidel
	case form.MethodNewton:
		return (*localRun).newtonThenNatural
	case form.MethodInterior:
		return (*localRun).interiorThenNewton
	case form.MethodADMM:
		return (*localRun).admm
	case form.MethodTresca:
		return (*localRun).fixedPoint
	case form.MethodCone:
		return (*localRun).coneFixedPoint
	case form.MethodProximal:
		return (*localRun).proximal
	case form.MethodPath:
		return (*localRun).centralPath
	case form.MethodWarm:
		return (*localRun).warm
	case form.MethodSwept:
		return (*localRun).swept
	}
	return nil
}

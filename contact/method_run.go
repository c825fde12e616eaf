package contact

// run is the work of a method; Lemke's has a form of its own. (A function and no variable: the
// regions of [MethodWarm] are problems of their own, which choose their methods here.)
func run(m Method) localMethod {
	switch m {
	case MethodAuto:
		return (*localRun).auto
	case MethodGaussSeidel:
		return (*localRun).gaussSeidel
	case MethodNewton:
		return (*localRun).newtonThenNatural
	case MethodInterior:
		return (*localRun).interiorThenNewton
	case MethodADMM:
		return (*localRun).admm
	case MethodTresca:
		return (*localRun).fixedPoint
	case MethodCone:
		return (*localRun).coneFixedPoint
	case MethodProximal:
		return (*localRun).proximal
	case MethodPath:
		return (*localRun).centralPath
	case MethodWarm:
		return (*localRun).warm
	case MethodSwept:
		return (*localRun).swept
	}
	return nil
}

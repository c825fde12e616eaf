package local

import "github.com/quasistatic/quasistatic/contact/form"

// methods are the work of each method; Lemke's has a form of its own.
var methods = [...]localMethod{
	form.MethodAuto:        (*localRun).auto,
	form.MethodGaussSeidel: (*localRun).gaussSeidel,
	form.MethodNewton:      (*localRun).newtonThenNatural,
	form.MethodInterior:    (*localRun).interiorThenNewton,
	form.MethodADMM:        (*localRun).admm,
	form.MethodTresca:      (*localRun).fixedPoint,
	form.MethodCone:        (*localRun).coneFixedPoint,
	form.MethodProximal:    (*localRun).proximal,
	form.MethodPath:        (*localRun).centralPath,
	form.MethodLemke:       nil,
	form.MethodWarm:        (*localRun).warm,
	form.MethodSwept:       (*localRun).swept,
}

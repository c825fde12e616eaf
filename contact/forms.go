package contact

import (
	"github.com/quasistatic/quasistatic/contact/delassus"
	"github.com/quasistatic/quasistatic/contact/form"
)

// The forms of problems and what a solve is asked and answers: package form, by the names under
// which programs know them.
type (
	Local     = form.Local
	Global    = form.Global
	Jacobian  = form.Jacobian
	Columns   = form.Columns
	Operator  = form.Operator
	Blocks    = form.Blocks
	Dense     = form.Dense
	Options   = form.Options
	Iteration = form.Iteration
	Result    = form.Result
	Stage     = form.Stage
	Error     = form.Error
	Status    = form.Status
	Method    = form.Method
)

// The verdicts, see [form.Status].
const (
	Unsolved         = form.Unsolved
	Converged        = form.Converged
	IterationLimit   = form.IterationLimit
	NoProgress       = form.NoProgress
	Infeasible       = form.Infeasible
	NumericalFailure = form.NumericalFailure
	Canceled         = form.Canceled
)

// The methods, see [form.Method].
const (
	MethodAuto        = form.MethodAuto
	MethodGaussSeidel = form.MethodGaussSeidel
	MethodNewton      = form.MethodNewton
	MethodInterior    = form.MethodInterior
	MethodADMM        = form.MethodADMM
	MethodTresca      = form.MethodTresca
	MethodCone        = form.MethodCone
	MethodProximal    = form.MethodProximal
	MethodPath        = form.MethodPath
	MethodLemke       = form.MethodLemke
	MethodWarm        = form.MethodWarm
	MethodSwept       = form.MethodSwept
)

// Methods returns all methods, [MethodAuto] first.
func Methods() []Method { return form.Methods() }

// ParseMethod returns the method of that name; the empty name is [MethodAuto].
func ParseMethod(name string) (Method, error) { return form.ParseMethod(name) }

// IndefiniteError, DependentError and Delassus, by the names under which programs know them.
type (
	IndefiniteError = form.IndefiniteError
	DependentError  = delassus.DependentError
	Delassus        = delassus.Delassus
)

// NewDelassus is [delassus.NewDelassus].
func NewDelassus(p *Global) (*Delassus, error) { return delassus.NewDelassus(p) }

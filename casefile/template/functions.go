package template

import (
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/internal/elementary"
)

// functions are those that an expression may call, of numbers; angles are in radians.
var functions = map[string]func(...any) (any, error){
	"abs":   of1("abs", math.Abs),
	"sqrt":  of1("sqrt", math.Sqrt),
	"exp":   of1("exp", elementary.Exp),
	"log":   of1("log", elementary.Log),
	"sin":   of1("sin", math.Sin),
	"cos":   of1("cos", math.Cos),
	"tan":   of1("tan", math.Tan),
	"asin":  of1("asin", math.Asin),
	"acos":  of1("acos", math.Acos),
	"atan":  of1("atan", math.Atan),
	"floor": of1("floor", math.Floor),
	"ceil":  of1("ceil", math.Ceil),
	"round": of1("round", math.Round),
	"atan2": of2("atan2", math.Atan2),
	"mod":   of2("%", floorMod),
	"pow":   of2("**", elementary.Pow),
	"min":   of2("min", math.Min),
	"max":   of2("max", math.Max),
}

// constants have a value in all expressions.
var constants = map[string]any{"pi": math.Pi}

// meaning is what a name is in all expressions; "": nothing yet.
func meaning(name string) string {
	if _, ok := constants[name]; ok {
		return "a constant"
	}
	if _, ok := functions[name]; ok {
		return "a function"
	}
	return ""
}

// floorMod is the remainder with the sign of b, so that (i-1) % n is an index of a ring.
func floorMod(a, b float64) float64 {
	r := math.Mod(a, b)
	if r != 0 && (r < 0) != (b < 0) {
		r += b
	}
	return r
}

func of1(name string, f func(float64) float64) func(...any) (any, error) {
	return func(args ...any) (any, error) {
		x, err := numbers(name, args, 1)
		if err != nil {
			return nil, err
		}
		return f(x[0]), nil
	}
}

func of2(name string, f func(a, b float64) float64) func(...any) (any, error) {
	return func(args ...any) (any, error) {
		x, err := numbers(name, args, 2)
		if err != nil {
			return nil, err
		}
		return f(x[0], x[1]), nil
	}
}

// numbers are the arguments of a function.
func numbers(name string, args []any, n int) ([]float64, error) {
	if len(args) != n {
		return nil, fmt.Errorf("%s has %d arguments, want %d", name, len(args), n)
	}
	list := make([]float64, n)
	for i, a := range args {
		x, ok := a.(float64)
		if !ok {
			return nil, fmt.Errorf("%s of %v, want a number", name, a)
		}
		list[i] = x
	}
	return list, nil
}

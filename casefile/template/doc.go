// Package template writes out what a case says by rule: numbers that have a name, expressions in
// place of values, and parts that are repeated.
//
//	"parameters": {"h": 0.2, "n": 10}              numbers with names
//	"=2*h"                                         an expression, where any value may stand
//	{"repeat": {"i": "=n"}, "id": "block{i}", …}  n copies of an entry of a list, i = 0 … n−1
//
// A tree is what encoding/json makes of a text: maps, slices, float64, string, bool and nil.
//
// # Conventions
//
// All numbers of an expression are float64. It knows + - * / % and ** (or ^), comparisons, and, or,
// not, the choice c ? a : b, the functions of functions.go and pi; its value is a number, a
// boolean, a text or a list of them. In copies, {expression} within a text or a key stands for its
// value, elsewhere within a text where it is one of parameters. Nothing else can be called, and no expression loops: a case may come from anybody.
//
// # Limits
//
// Indices of a repetition that depend on each other are those before, in the order of the text.
// A case has at most [MostValues] values after it was written out.
package template

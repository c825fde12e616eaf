package template

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/parser"
	"github.com/expr-lang/expr/vm"

	"github.com/quasistatic/quasistatic/internal/nearest"
)

// largestExpression bounds the text of an expression [bytes]: a line.
const largestExpression = 1000

// An expression is the text after = or between braces, ready to be evaluated.
type expression struct {
	program *vm.Program
	names   []string // that it refers to, each once
}

// compile reads an expression.
func compile(text string) (*expression, error) {
	if len(text) > largestExpression {
		return nil, fmt.Errorf("an expression of %d bytes, at most %d", len(text), largestExpression)
	}
	tree, err := parser.Parse(text)
	if err != nil {
		return nil, missing(fault(err))
	}
	var e expression
	ast.Walk(&tree.Node, collect{&e.names})
	options := []expr.Option{expr.AllowUndefinedVariables(), expr.DisableAllBuiltins(), expr.Patch(real{})}
	for name, f := range functions {
		options = append(options, expr.Function(name, f))
	}
	e.program, err = expr.Compile(text, options...)
	return &e, fault(err)
}

// unexpected are the words of the parser for a token that cannot stand where it is, and its place.
var unexpected = regexp.MustCompile(`^unexpected token (\w+)(?:\("(.*)"\))?(?: \(1:(\d+)\))?$`)

// missing says of such a token what there is none of.
func missing(err error) error {
	switch m := unexpected.FindStringSubmatch(err.Error()); {
	case m == nil:
		return err
	case m[1] == "EOF":
		return errors.New("a value or a closing bracket is missing at its end")
	default:
		return fmt.Errorf("found %q at character %s, where a value or an operator is missing", m[2], m[3])
	}
}

// fault is the first line of a message of the parser: the lines after it draw the place.
func fault(err error) error {
	if err == nil {
		return nil
	}
	first, _, _ := strings.Cut(err.Error(), "\n")
	return errors.New(first)
}

// value evaluates an expression whose names have values.
func (e *expression) value(names map[string]any) (any, error) {
	v, err := expr.Run(e.program, names)
	if err != nil {
		return nil, fault(err)
	}
	return plain(v)
}

// plain is a value as JSON has it, or an error.
func plain(v any) (any, error) {
	switch v := v.(type) {
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("its value is %g, want a finite number", v)
		}
		return v, nil
	case bool, string:
		return v, nil
	case []any:
		list := make([]any, len(v))
		for i, part := range v {
			var err error
			if list[i], err = plain(part); err != nil {
				return nil, err
			}
		}
		return list, nil
	}
	return nil, fmt.Errorf("its value is %v, want a number, a text or a list", v)
}

// collect gathers the names that an expression refers to.
type collect struct{ names *[]string }

// Visit implements ast.Visitor.
func (c collect) Visit(node *ast.Node) {
	if n, ok := (*node).(*ast.IdentifierNode); ok && !slices.Contains(*c.names, n.Value) && functions[n.Value] == nil {
		*c.names = append(*c.names, n.Value)
	}
}

// real makes all numbers of an expression float64, so that none overflows, and % and ** functions
// whose last digit does not depend on the processor.
type real struct{}

// Visit implements ast.Visitor.
func (real) Visit(node *ast.Node) {
	switch n := (*node).(type) {
	case *ast.IntegerNode:
		ast.Patch(node, &ast.FloatNode{Value: float64(n.Value)})
	case *ast.BinaryNode:
		if name := map[string]string{"%": "mod", "**": "pow", "^": "pow"}[n.Operator]; name != "" {
			ast.Patch(node, &ast.CallNode{Callee: &ast.IdentifierNode{Value: name}, Arguments: []ast.Node{n.Left, n.Right}})
		}
	}
}

// unknown says that an expression refers to a name without a value.
func unknown(name string, valid []string) error {
	slices.Sort(valid)
	switch guess := nearest.Word(name, valid); {
	case guess != "":
		return fmt.Errorf("unknown name %q, the nearest one is %q", name, guess)
	case len(valid) == 0:
		return fmt.Errorf("unknown name %q: the case has no \"parameters\"", name)
	}
	return fmt.Errorf("unknown name %q, want one of %s", name, strings.Join(valid, ", "))
}

// Function compiles an expression of one number that has a name, and constants. The function that it
// returns is NaN where the expression has no finite number as its value.
func Function(text, name string) (func(x float64) float64, error) {
	e, err := compile(text)
	if err != nil {
		return nil, err
	}
	for _, n := range e.names {
		if n != name && constants[n] == nil {
			return nil, unknown(n, append(slices.Collect(maps.Keys(constants)), name))
		}
	}
	return func(x float64) float64 {
		names := maps.Clone(constants)
		names[name] = x
		v, err := e.value(names)
		if y, ok := v.(float64); ok && err == nil {
			return y
		}
		return math.NaN()
	}, nil
}

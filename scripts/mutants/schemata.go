package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// schemata rewrites the files of a package such that one program holds many mutants, of
// which mutantOn(number) says which is alive (see helper).
type schemata struct {
	s     *source
	edits map[string][]edit // by file, outer ones before what they hold
}

// edit replaces a node by an expression of all its mutants. inner gives the text of a
// part of the node, with the edits inside it.
type edit struct {
	start, end int
	text       func(inner func(n ast.Node) string) string
}

// newSchemata takes sites; number k of them is mutant k.
func newSchemata(s *source, sites []*site) *schemata {
	m := &schemata{s: s, edits: map[string][]edit{}}
	constants := map[ast.Expr][]int{}
	var order []ast.Expr
	for k, x := range sites {
		if whole := m.constantAround(x); whole != nil { // all sites of a constant expression at once
			if constants[whole] == nil {
				order = append(order, whole)
			}
			constants[whole] = append(constants[whole], k)
			continue
		}
		m.add(x.file, x.node, func(inner func(ast.Node) string) string { return mutantOf(k, x, inner) })
	}
	for _, whole := range order {
		numbers := constants[whole]
		file, t := sites[numbers[0]].file, types.TypeString(types.Default(s.info.Types[whole].Type), types.RelativeTo(nil))
		m.add(file, whole, func(func(ast.Node) string) string {
			start, end := m.offset(whole.Pos()), m.offset(whole.End())
			text := string(s.texts[file][start:end])
			plain := text
			for _, k := range numbers {
				x := sites[k]
				text = fmt.Sprintf("mutantPick[%s](%d, %s, %s)", short(t, s.name), k, text, plain[:x.start-start]+x.new+plain[x.end-start:])
			}
			return text
		})
	}
	for _, list := range m.edits {
		slices.SortStableFunc(list, func(a, b edit) int {
			if a.start != b.start {
				return a.start - b.start
			}
			return b.end - a.end
		})
	}
	return m
}

// short writes a type as files of the package do: the last part of an import path names it.
func short(t, own string) string {
	if slash := strings.LastIndexByte(t, '/'); slash >= 0 {
		t = t[slash+1:]
	}
	return strings.TrimPrefix(t, own+".")
}

func (m *schemata) offset(p token.Pos) int { return m.s.set.Position(p).Offset }

func (m *schemata) add(file string, n ast.Node, text func(inner func(ast.Node) string) string) {
	m.edits[file] = append(m.edits[file], edit{m.offset(n.Pos()), m.offset(n.End()), text})
}

// constantAround returns the largest constant expression that holds a site, nil if none does.
func (m *schemata) constantAround(x *site) (whole ast.Expr) {
	ast.Inspect(m.s.trees[x.file], func(n ast.Node) bool {
		if n == nil || whole != nil || m.offset(n.Pos()) > x.start || m.offset(n.End()) < x.end {
			return false
		}
		if e, ok := n.(ast.Expr); ok && m.s.info.Types[e].Value != nil {
			whole = e
		}
		return true
	})
	return whole
}

// calls are the functions of the helper for operators.
var calls = map[token.Token]string{
	token.ADD: "mutantAdd", token.SUB: "mutantSub", token.MUL: "mutantMul", token.QUO: "mutantQuo",
	token.ADD_ASSIGN: "mutantAdd", token.SUB_ASSIGN: "mutantSub", token.MUL_ASSIGN: "mutantMul", token.QUO_ASSIGN: "mutantQuo",
	token.LSS: "mutantLss", token.LEQ: "mutantLeq", token.GTR: "mutantGtr", token.GEQ: "mutantGeq",
}

// mutantOf is the text for a node: what it was, or what mutant k makes of it.
func mutantOf(k int, x *site, inner func(ast.Node) string) string {
	if x.kind == "index" {
		if b, ok := x.node.(*ast.BinaryExpr); ok {
			return fmt.Sprintf("mutantPick(%d, %s, %s)", k, inner(b), inner(b.X))
		}
		return fmt.Sprintf("mutantNext(%d, %s)", k, inner(x.node))
	}
	switch n := x.node.(type) {
	case *ast.BinaryExpr:
		a, b := inner(n.X), inner(n.Y)
		switch n.Op {
		case token.EQL, token.NEQ:
			return fmt.Sprintf("((%s %v %s) != mutantOn(%d))", a, n.Op, b, k)
		case token.LAND, token.LOR: // x ∨ y = ¬(¬x ∧ ¬y)
			return fmt.Sprintf("((((%s) != mutantOn(%d)) %v ((%s) != mutantOn(%d))) != mutantOn(%d))", a, k, n.Op, b, k, k)
		}
		return fmt.Sprintf("%s(%d, %s, %s)", calls[n.Op], k, a, b)
	case *ast.AssignStmt:
		left := inner(n.Lhs[0])
		return fmt.Sprintf("%s = %s(%d, %s, %s)", left, calls[n.Tok], k, left, inner(n.Rhs[0]))
	case *ast.UnaryExpr:
		if n.Op == token.NOT {
			return fmt.Sprintf("((%s) == mutantOn(%d))", inner(n.X), k)
		}
		return fmt.Sprintf("mutantNeg(%d, %s)", k, inner(n.X))
	case *ast.CallExpr:
		text := fmt.Sprintf("mutant%s(%d", map[string]string{"min": "Min", "max": "Max"}[x.old], k)
		for _, a := range n.Args {
			text += ", " + inner(a)
		}
		return text + ")"
	}
	return "?" // does not compile: such a mutant is made by itself
}

// files returns the texts of the files that are changed, and of the helper.
func (m *schemata) files() map[string][]byte {
	out := map[string][]byte{helperName(m.s.dir): helper(m.s.name)}
	for name := range m.edits {
		out[name] = []byte(m.render(name, 0, len(m.s.texts[name]), 0))
	}
	return out
}

// render is the text of a file between two offsets with the edits from a number on.
func (m *schemata) render(file string, from, to, first int) string {
	var b strings.Builder
	list := m.edits[file]
	for k := first; k < len(list); k++ {
		e := &list[k]
		if e.start < from || e.end > to {
			continue
		}
		b.Write(m.s.texts[file][from:e.start])
		b.WriteString(e.text(func(n ast.Node) string { return m.render(file, m.offset(n.Pos()), m.offset(n.End()), k+1) }))
		from = e.end
	}
	b.Write(m.s.texts[file][from:to])
	return b.String()
}

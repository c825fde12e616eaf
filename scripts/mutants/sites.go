package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/token"
	"sort"
	"strconv"
	"strings"
)

// site is one place of a file with what stands there and what could.
type site struct {
	file       string
	line       int
	start, end int // offsets [byte]
	old, new   string
	kind       string
	text       string   // of the line
	node       ast.Node // that is changed: an expression, or an assignment
}

func (s *site) String() string {
	return fmt.Sprintf("%s:%d: %s: %s → %s in %s", s.file, s.line, s.kind, s.old, s.new, s.text)
}

// apply returns the text of a file with the site changed.
func (s *site) apply(text []byte) []byte {
	changed := append([]byte(nil), text[:s.start]...)
	changed = append(changed, s.new...)
	return append(changed, text[s.end:]...)
}

// finder walks one file.
type finder struct {
	name string
	text []byte
	set  *token.FileSet
	list []site
	sign map[*ast.BasicLit]string // of an infinity: any other number of its sign is the same
}

// sitesOf lists the sites of a file in the order of their offsets.
func sitesOf(set *token.FileSet, file *ast.File, name string, text []byte) []site {
	f := &finder{name: name, text: text, set: set, sign: map[*ast.BasicLit]string{}}
	for _, d := range file.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil {
			ast.Inspect(fn.Body, f.visit)
		}
	}
	sort.SliceStable(f.list, func(i, j int) bool { return f.list[i].start < f.list[j].start })
	return f.list
}

func (f *finder) offset(p token.Pos) int { return f.set.Position(p).Offset }

func (f *finder) add(kind string, node ast.Node, from, to token.Pos, replacement string) {
	start, end := f.offset(from), f.offset(to)
	first, last := bytes.LastIndexByte(f.text[:start], '\n')+1, len(f.text)
	if k := bytes.IndexByte(f.text[start:], '\n'); k >= 0 {
		last = start + k
	}
	f.list = append(f.list, site{file: f.name, line: f.set.Position(from).Line, start: start, end: end,
		old: string(f.text[start:end]), new: replacement,
		kind: kind, text: strings.TrimSpace(string(f.text[first:last])), node: node})
}

// operators are the binary operators and assignments that are exchanged.
var operators = map[token.Token]struct {
	kind string
	to   token.Token
}{
	token.ADD: {"arithmetic", token.SUB}, token.SUB: {"arithmetic", token.ADD}, token.MUL: {"arithmetic", token.QUO},
	token.QUO:        {"arithmetic", token.MUL},
	token.ADD_ASSIGN: {"arithmetic", token.SUB_ASSIGN}, token.SUB_ASSIGN: {"arithmetic", token.ADD_ASSIGN},
	token.MUL_ASSIGN: {"arithmetic", token.QUO_ASSIGN}, token.QUO_ASSIGN: {"arithmetic", token.MUL_ASSIGN},
	token.LSS: {"comparison", token.LEQ}, token.LEQ: {"comparison", token.LSS}, token.GTR: {"comparison", token.GEQ},
	token.GEQ: {"comparison", token.GTR},
	token.EQL: {"comparison", token.NEQ}, token.NEQ: {"comparison", token.EQL},
	token.LAND: {"logic", token.LOR}, token.LOR: {"logic", token.LAND},
}

// visit notes the sites at a node. Calls that make messages or panic are passed over.
func (f *finder) visit(n ast.Node) bool {
	switch x := n.(type) {
	case *ast.CallExpr:
		return f.call(x)
	case *ast.BinaryExpr:
		if isText(x.X) || isText(x.Y) {
			return false
		}
		if o, ok := operators[x.Op]; ok && !isNil(x.Y) {
			f.add(o.kind, x, x.OpPos, x.OpPos+token.Pos(len(x.Op.String())), o.to.String())
		}
	case *ast.AssignStmt:
		if o, ok := operators[x.Tok]; ok {
			f.add(o.kind, x, x.TokPos, x.TokPos+token.Pos(len(x.Tok.String())), o.to.String())
		}
	case *ast.UnaryExpr:
		switch x.Op {
		case token.SUB:
			f.add("sign", x, x.OpPos, x.OpPos+1, "")
		case token.NOT:
			f.add("logic", x, x.OpPos, x.OpPos+1, "")
		}
	case *ast.BasicLit:
		f.constant(x)
	case *ast.IndexExpr:
		f.index(x)
	}
	return true
}

func isText(e ast.Expr) bool {
	l, ok := e.(*ast.BasicLit)
	return ok && l.Kind == token.STRING
}

func isNil(e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == "nil"
}

// call exchanges min and max, and says whether the arguments are of interest.
func (f *finder) call(x *ast.CallExpr) bool {
	switch fun := x.Fun.(type) {
	case *ast.Ident:
		switch fun.Name {
		case "panic", "make", "append":
			return fun.Name == "append"
		case "min":
			f.add("bound", x, fun.Pos(), fun.End(), "max")
		case "max":
			f.add("bound", x, fun.Pos(), fun.End(), "min")
		}
	case *ast.SelectorExpr:
		pkg, ok := fun.X.(*ast.Ident)
		switch {
		case ok && (pkg.Name == "fmt" || pkg.Name == "errors"):
			return false
		case ok && pkg.Name == "math" && (fun.Sel.Name == "Inf" || fun.Sel.Name == "IsInf"):
			f.signOf(x.Args[len(x.Args)-1])
		}
	}
	return true
}

// signOf notes the number that says which infinity: 1 becomes −1, −1 becomes −0.
func (f *finder) signOf(e ast.Expr) {
	to := "-1"
	if u, ok := e.(*ast.UnaryExpr); ok {
		e, to = u.X, "0"
	}
	if l, ok := e.(*ast.BasicLit); ok && l.Value == "1" {
		f.sign[l] = to
	}
}

func (f *finder) constant(x *ast.BasicLit) {
	if to := f.sign[x]; to != "" {
		f.add("constant", x, x.Pos(), x.End(), to)
		return
	}
	switch x.Kind {
	case token.INT:
		if v, err := strconv.ParseInt(x.Value, 0, 62); err == nil {
			f.add("constant", x, x.Pos(), x.End(), strconv.FormatInt(v+1, 10))
		}
	case token.FLOAT:
		if v, err := strconv.ParseFloat(x.Value, 64); err == nil {
			to := 2 * v
			if v == 0 {
				to = 1
			}
			f.add("constant", x, x.Pos(), x.End(), strconv.FormatFloat(to, 'g', -1, 64))
		}
	}
}

func (f *finder) index(x *ast.IndexExpr) {
	switch i := x.Index.(type) {
	case *ast.Ident:
		f.add("index", i, i.Pos(), i.End(), i.Name+"+1")
	case *ast.BinaryExpr:
		if i.Op == token.ADD || i.Op == token.SUB {
			start, end := f.offset(i.X.Pos()), f.offset(i.X.End())
			f.add("index", i, i.Pos(), i.End(), string(f.text[start:end]))
		}
	}
}

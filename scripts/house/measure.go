package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"
)

// measured parses and checks a package together with the tests inside it.
func measured(details io.Writer, fset *token.FileSet, imports types.Importer, r room) (measure, error) {
	m := measure{name: strings.TrimPrefix(r.ImportPath, "github.com/quasistatic/quasistatic/"), files: len(r.GoFiles)}
	var files []*ast.File
	for _, name := range slices.Concat(r.GoFiles, r.TestGoFiles, r.XTestGoFiles) {
		path := filepath.Join(r.Dir, name)
		text, err := os.ReadFile(path)
		if err != nil {
			return m, err
		}
		file, err := parser.ParseFile(fset, path, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return m, err
		}
		if strings.HasSuffix(name, "_test.go") {
			m.tests += bytes.Count(text, []byte("\n"))
		} else {
			m.lines += bytes.Count(text, []byte("\n"))
			m.constants += constants(file)
		}
		m.comment = max(m.comment, longest(fset, file, text))
		if !slices.Contains(r.XTestGoFiles, name) {
			files = append(files, file)
		}
	}
	info := &types.Info{Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}}
	conf := types.Config{Importer: imports}
	pkg, err := conf.Check(r.ImportPath, fset, files, info)
	if err != nil {
		return m, err
	}

	at := func(p token.Pos) string { return filepath.Base(fset.Position(p).Filename) }
	names := map[types.Object]bool{} // those of the package without its tests: is it exported?
	for object, isExported := range members(pkg) {
		if strings.HasSuffix(at(object.Pos()), "_test.go") {
			continue
		}
		names[object] = isExported
		if t, ok := object.(*types.TypeName); ok && !t.IsAlias() {
			named := t.Type().(*types.Named)
			fields := 0
			if s, ok := named.Underlying().(*types.Struct); ok {
				fields = s.NumFields()
			}
			if fields+named.NumMethods() > m.fields+m.methods {
				m.largest, m.fields, m.methods = t.Name(), fields, named.NumMethods()
			}
		}
	}
	arrows, touched := map[[2]string]bool{}, map[string]bool{}
	used := map[types.Object]bool{}
	for id, object := range info.Uses {
		object = origin(object)
		isExported, ours := names[object]
		from, to := at(id.Pos()), at(object.Pos())
		switch {
		case !ours:
		case strings.HasSuffix(from, "_test.go"):
			if !isExported && !object.Exported() {
				used[object] = true
				touched[object.Name()] = true
			}
		case from != to:
			arrows[[2]string{from, to}] = true
		}
	}
	for object, isExported := range names {
		if isExported {
			m.exported++
		} else if !object.Exported() {
			m.unexported++
		}
	}
	m.used = len(used)
	back := backwards(arrows)
	m.arrows, m.back = len(arrows), len(back)
	if m.back+m.used > 0 {
		fmt.Fprintf(details, "\n%s: arrows that run back: %s\n", m.name, strings.Join(back, ", "))
		fmt.Fprintf(details, "%s: touched by tests: %s\n", m.name, strings.Join(slices.Sorted(maps.Keys(touched)), ", "))
	}
	return m, nil
}

// members are the names of a package, and the fields and methods of its types: is each exported,
// and its type too?
func members(pkg *types.Package) map[types.Object]bool {
	all := map[types.Object]bool{}
	for _, name := range pkg.Scope().Names() {
		object := pkg.Scope().Lookup(name)
		all[object] = object.Exported()
		named, ok := object.Type().(*types.Named)
		if t, isType := object.(*types.TypeName); !isType || t.IsAlias() || !ok {
			continue
		}
		for method := range named.Methods() {
			all[method] = object.Exported() && method.Exported()
		}
		if s, ok := named.Underlying().(*types.Struct); ok {
			for field := range s.Fields() {
				all[field] = object.Exported() && field.Exported()
			}
		}
	}
	return all
}

// origin is what a method or field of an instance of a generic type was written as.
func origin(object types.Object) types.Object {
	switch o := object.(type) {
	case *types.Func:
		return o.Origin()
	case *types.Var:
		return o.Origin()
	}
	return object
}

// constants counts the names in declarations of constants, but for blanks and enumerations: groups
// with iota, and words of a type of the package.
func constants(file *ast.File) int {
	n := 0
	ast.Inspect(file, func(node ast.Node) bool {
		group, ok := node.(*ast.GenDecl)
		if !ok || group.Tok != token.CONST {
			return true
		}
		names, enumerated := 0, false
		ast.Inspect(group, func(node ast.Node) bool {
			switch node := node.(type) {
			case *ast.ValueSpec:
				if word(node) {
					return false
				}
				names += len(slices.DeleteFunc(slices.Clone(node.Names), func(id *ast.Ident) bool { return id.Name == "_" }))
			case *ast.Ident:
				enumerated = enumerated || node.Name == "iota"
			}
			return true
		})
		if !enumerated {
			n += names
		}
		return false
	})
	return n
}

// word reports whether constants are text of a named type, as Screw Kind = "screw".
func word(x *ast.ValueSpec) bool {
	id, named := x.Type.(*ast.Ident)
	if !named || id.Name == "string" || len(x.Values) == 0 {
		return false
	}
	value, literal := x.Values[0].(*ast.BasicLit)
	return literal && value.Kind == token.STRING
}

// longest is the length of the longest line that has a comment, but for directives.
func longest(fset *token.FileSet, file *ast.File, text []byte) int {
	lines := bytes.Split(text, []byte("\n"))
	n := 0
	for _, group := range file.Comments {
		for _, c := range group.List {
			if strings.HasPrefix(c.Text, "//go:") {
				continue
			}
			for i := fset.Position(c.Pos()).Line; i <= fset.Position(c.End()).Line; i++ {
				n = max(n, utf8.RuneCount(lines[i-1]))
			}
		}
	}
	return n
}

package api

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// documented are the packages of which every exported name has a comment; true: and every field.
var documented = map[string]bool{"energetic": false, "energetic/assume": false, "energetic/global": false, "energetic/proof": false,
	"events": true, "incremental": true, "sensitivity": true}

// TestDocumented: each exported function, method, type, constant, variable and field has a comment:
// its own, that of its group, or one behind it on its line.
func TestDocumented(t *testing.T) {
	for room, fields := range documented {
		files, err := filepath.Glob(filepath.Join("../..", room, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d files, %v", room, len(files), err)
		}
		for _, name := range files {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			fset := token.NewFileSet()
			file, err := parser.ParseFile(fset, name, nil, parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range file.Decls {
				for _, id := range undocumented(d, fields) {
					t.Errorf("%s: %s has no comment", fset.Position(id.Pos()), id.Name)
				}
			}
		}
	}
}

// undocumented are the exported names of a declaration without a comment.
func undocumented(d ast.Decl, withFields bool) (bare []*ast.Ident) {
	add := func(ids []*ast.Ident, comments ...*ast.CommentGroup) {
		for _, c := range comments {
			if c != nil {
				return
			}
		}
		for _, id := range ids {
			if id.IsExported() {
				bare = append(bare, id)
			}
		}
	}
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil || exportedType(d.Recv.List[0].Type) {
			add([]*ast.Ident{d.Name}, d.Doc)
		}
	case *ast.GenDecl:
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.ValueSpec:
				add(s.Names, d.Doc, s.Doc, s.Comment)
			case *ast.TypeSpec:
				add([]*ast.Ident{s.Name}, d.Doc, s.Doc, s.Comment)
				if !s.Name.IsExported() || !withFields {
					continue
				}
				var fields *ast.FieldList
				switch x := s.Type.(type) {
				case *ast.StructType:
					fields = x.Fields
				case *ast.InterfaceType:
					fields = x.Methods
				default:
					continue
				}
				// The comment of a type tells its fields too where it names them.
				for _, f := range fields.List {
					for _, id := range f.Names {
						if !mentions(d.Doc, id.Name) && !mentions(s.Doc, id.Name) {
							add([]*ast.Ident{id}, f.Doc, f.Comment)
						}
					}
				}
			}
		}
	}
	return bare
}

func mentions(c *ast.CommentGroup, name string) bool {
	return c != nil && strings.Contains(c.Text(), name)
}

// exportedType reports whether a receiver is of an exported type.
func exportedType(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.StarExpr:
		return exportedType(e.X)
	case *ast.IndexExpr:
		return exportedType(e.X)
	case *ast.Ident:
		return e.IsExported()
	}
	return false
}

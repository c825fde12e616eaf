package api

import (
	"encoding/json"
	"errors"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
)

const module = "github.com/quasistatic/quasistatic"

// listed is a package as `go list` prints it.
type listed struct{ ImportPath, Name, Export string }

// packages returns the packages that ./... needs, with their compiled types.
func packages(t *testing.T) map[string]listed {
	cmd := exec.Command("go", "list", "-export", "-deps", "-json=ImportPath,Name,Export", "./...")
	cmd.Dir, cmd.Stderr = "../..", os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	all := map[string]listed{}
	for d := json.NewDecoder(out); ; {
		var p listed
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		all[p.ImportPath] = p
	}
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	return all
}

// TestNoInternalTypeIsExported walks all that another module can reach by name, and the
// fields of its structs that have none: what an exported type is made of can be read without
// a package that its reader cannot import.
func TestNoInternalTypeIsExported(t *testing.T) {
	all := packages(t)
	load := importer.ForCompiler(token.NewFileSet(), "gc", func(path string) (io.ReadCloser, error) {
		return os.Open(all[path].Export)
	})
	walked := 0
	for path, p := range all {
		if !strings.HasPrefix(path, module) || internal(path) || p.Name == "main" {
			continue
		}
		pkg, err := load.Import(path)
		if err != nil {
			t.Fatal(err)
		}
		walked++
		for _, name := range pkg.Scope().Names() {
			if o := pkg.Scope().Lookup(name); o.Exported() {
				w := walk{t: t, seen: map[types.Type]bool{}}
				w.object(path+"."+name, o)
			}
		}
	}
	if walked < 10 {
		t.Fatalf("only %d packages were walked", walked)
	}
}

// internal reports whether a path lies under an internal folder of the module.
func internal(path string) bool {
	return strings.HasPrefix(path, module) && strings.Contains(path+"/", "/internal/")
}

// walk follows the types of one identifier.
type walk struct {
	t    *testing.T
	seen map[types.Type]bool
}

func (w *walk) object(where string, o types.Object) {
	named, isType := o.Type().(*types.Named)
	if _, ok := o.(*types.TypeName); !ok || !isType {
		w.visit(where, o.Type())
		return
	}
	w.visit(where, named)
	if w.seen[named.Underlying()] {
		return
	}
	w.seen[named.Underlying()] = true
	w.parts(where, named.Underlying())
	if s, ok := named.Underlying().(*types.Struct); ok && o.Exported() {
		for f := range s.Fields() {
			if text := types.TypeString(f.Type(), nil); strings.Contains(text, module+"/internal/") {
				w.t.Errorf("%s.%s is of type %s", where, f.Name(), text)
			}
		}
	}
	for m := range named.Methods() {
		if m.Exported() {
			w.visit(where+"."+m.Name(), m.Type())
		}
	}
}

// visit reports an internal name in x; an exported type is walked where it is
// declared.
func (w *walk) visit(where string, x types.Type) {
	if w.seen[x] {
		return
	}
	w.seen[x] = true
	switch x := x.(type) {
	case *types.Named:
		if pkg := x.Obj().Pkg(); pkg != nil && internal(pkg.Path()) {
			w.t.Errorf("%s mentions %s", where, x)
		}
		if pkg := x.Obj().Pkg(); pkg != nil && strings.HasPrefix(pkg.Path(), module) && !x.Obj().Exported() {
			w.object(where, x.Obj()) // what it has is reached through the identifier alone
		}
		for a := range x.TypeArgs().Types() {
			w.visit(where, a)
		}
	case *types.Alias:
		w.visit(where, types.Unalias(x))
	default:
		w.parts(where, x)
	}
}

// parts visits what a type that has no name is made of.
func (w *walk) parts(where string, x types.Type) {
	switch x := x.(type) {
	case *types.Named, *types.Alias:
		w.visit(where, x)
	case *types.Struct:
		for f := range x.Fields() {
			if f.Exported() || f.Embedded() {
				w.visit(where+"."+f.Name(), f.Type())
			}
		}
	case *types.Interface:
		for m := range x.Methods() {
			w.visit(where+"."+m.Name(), m.Type())
		}
	case *types.Signature:
		for v := range x.Params().Variables() {
			w.visit(where, v.Type())
		}
		for v := range x.Results().Variables() {
			w.visit(where, v.Type())
		}
	case interface{ Elem() types.Type }: // pointers, slices, arrays, channels, maps
		w.visit(where, x.Elem())
		if m, ok := x.(*types.Map); ok {
			w.visit(where, m.Key())
		}
	}
}

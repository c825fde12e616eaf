package api

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/internal/thorough"
)

// unread are exported names that no file of another package uses, each with the reason why
// it is there all the same.
var unread = map[string]string{
	// Programs of others: what the Examples have no room for.
	"sensitivity.Change":                        derivatives,
	"contact.Delassus.Change":                   derivatives,
	"contact.Delassus.ForceGradient":            derivatives,
	"sensitivity.Sensitivity.Forward":           derivatives,
	"contact.Cohesive":                          "a law",
	"contact.Compliant":                         "a law",
	"lcp.Lemke":                                 "one attempt by pivots, which SolveLCP follows by others",
	"contact.Residual":                          "judges a solution that came from anywhere",
	"contact/problemfile.ErrNoHDF5":             "an error that callers tell from others",
	"contact/problemfile.Global.Contact":        "a problem of a file, for SolveGlobal",
	"dissipation.Coulomb.Restricted":            "(3.4)-(3.5)",
	"dissipation.Internal":                      "an energy of another module implements it",
	"dynamics.NewGeneral":                       "a patch whose springs depend on the state",
	"dynamics.StiffnessFunc":                    "its springs",
	"dynamics.Smallness.Unique":                 reading,
	"dynamics.Stepper.Creation":                 reading,
	"dynamics.Stepper.Restart":                  "the same memory for another run",
	"dynamics/elastic.Stepper.Certify":          "Certificate under a context",
	"dynamics/elastic.Stepper.Creation":         reading,
	"dynamics/elastic.Stepper.Momentum":         reading,
	"dynamics/elastic.Stepper.Resultant":        reading,
	"dynamics/rigid.Dissipative":                "a force of another module implements it",
	"dynamics/rigid.Reaction":                   reading,
	"dynamics/rigid.Stepper.Cone":               reading,
	"dynamics/rigid.Stepper.Reaction":           reading,
	"energetic/assume.Assumptions.Members":      reading,
	"energetic.Certifier.Residuals":             reading,
	"energetic.Evolution.Residuals":             reading,
	"energetic.Converge":                        "the study of an evolution that a program made",
	"energetic/global.Evolution.Jump":           reading,
	"energetic/global.NewProver":                "a search of its own for better states",
	"energetic/global.Proof":                    reading,
	"energetic/global.Prover":                   "a search of its own for better states",
	"energetic/assume.Subset.Margin":            reading,
	"events.NewRational":                        "how a rational walk gets its numbers",
	"events.Number":                             "what a walk computes with",
	"events.Rational.Rat":                       reading,
	"events.Integrator.Solutions":               reading,
	"fem.Mesh.CheckTopology":                    "checks a mesh of another program",
	"fem.Mesh.Element":                          reading,
	"fem.Simplex":                               reading,
	"fem.Strain":                                reading,
	"halfspace.NewSolver":                       "one problem, without an evolution",
	"halfspace.Solver":                          "one problem, without an evolution",
	"halfspace.Operator.Entry":                  "one coefficient of influence, in closed form",
	"halfspace.Subsurface.Peak":                 reading,
	"incremental.Stepper.Frozen":                reading,
	"incremental.Stepper.Switching":             reading,
	"particles.Frame.ToLocal":                   "the way back of ToGlobal",
	"particles.HalfSpace.FrameAlong":            "a frame along an axis",
	"particles.Pattern.Particles":               reading,
	"signal.Fixed":                              "a vector that does not change",
	"internal/factor.NewSchur":                  "plan and factor in one",
	"internal/factor.SchurPlan.ComplementBytes": reading,

	// What the templates of pages call.
	"report.Page.CSS":       template,
	"report.Page.JS":        template,
	"report.Page.SceneJSON": template,
	"report.Row.Note":       template,
	"study.Table.Figures":   template,

	// The models, which Build returns as interfaces.
	"model/elastic.Run":    model,
	"model/elastic.Solid":  "embedded in a document",
	"model/energetic.Run":  model,
	"model/halfspace.Case": model,
	"model/halfspace.Run":  model,
	"model/patch.Run":      model,
	"model/rigid.Run":      model,

	// What a study found.
	"study.Server":           "a server inside of another program",
	"study.Server.URL":       "a server inside of another program",
	"study.StartServer":      "a server inside of another program",
	"study.Plan.Parameters":  reading,
	"study.Spec.Paths":       reading,
	"view.Viewer.Handler":    "a page inside of another server",
	"study.Spec.Labels":      reading,
	"study.Table.Orders":     reading,
	"study.Table.Sobol":      reading,
	"study.Table.Statistics": reading,
	"study.Table.Verdicts":   reading,
	"report.Scene.Film":      "one film in memory",
}

const (
	derivatives = "derivatives of a solution in given directions, beside Backward, which has an Example"
	reading     = "read off a result, by who wants to know"
	template    = "called by the template of a page"
	model       = "what Build returns as an interface"
)

// TestNeeded walks the exported functions, types, variables and methods of all packages. A
// name is needed if a file of another package uses it, an Example does, or what is needed
// mentions it in its type; an interface also if a type of another package implements it, a
// method if an interface asks for one of its name, an error since callers tell it by its
// type. Constants and fields go with their types.
func TestNeeded(t *testing.T) {
	thorough.Only(t, "seconds, to read the types of all files")
	all := packages(t)
	s := &survey{t: t, names: map[string]types.Object{}, needed: map[string]bool{}, files: token.NewFileSet(),
		asked: map[string]bool{"Error": true, "String": true, "Unwrap": true, "IsZero": true}} // of fmt, errors and json
	s.load = importer.ForCompiler(s.files, "gc", func(path string) (io.ReadCloser, error) { return os.Open(all[path].Export) })
	for path, p := range all {
		if pkg, err := s.load.Import(path); path != "unsafe" && err != nil {
			t.Fatal(err)
		} else if err == nil && p.Name != "main" {
			s.declare(pkg)
		}
	}
	s.folders("../..")
	s.implemented()
	for len(s.queue) > 0 {
		o := s.queue[len(s.queue)-1]
		s.queue = s.queue[:len(s.queue)-1]
		s.mention(o.Type(), map[types.Type]bool{})
	}
	list := s.absent()
	for _, name := range list {
		if unread[name] == "" {
			t.Errorf("%s: nobody outside of its package uses it", name)
		}
	}
	for name := range unread {
		if !slices.Contains(list, name) {
			t.Errorf("%s is in the list, but is used or gone", name)
		}
	}
	if len(s.names) < 1000 {
		t.Errorf("%d exported names, want those of the whole module", len(s.names))
	}
}

// survey is what is known of the exported names of the module.
type survey struct {
	t      *testing.T
	files  *token.FileSet
	load   types.Importer
	names  map[string]types.Object // exported, by their path
	needed map[string]bool
	queue  []types.Object  // needed, of which is to be followed what they mention
	asked  map[string]bool // methods of interfaces
}

// need marks an object of the module.
func (s *survey) need(o types.Object) {
	name := pathOf(o)
	if s.names[name] != nil && !s.needed[name] {
		s.needed[name] = true
		s.queue = append(s.queue, s.names[name])
	}
}

// declare takes the exported names of a package of the module, and of any package the
// methods that its interfaces ask for.
func (s *survey) declare(pkg *types.Package) {
	ours := strings.HasPrefix(pkg.Path(), module)
	for _, name := range pkg.Scope().Names() {
		o := pkg.Scope().Lookup(name)
		if x, ok := o.Type().Underlying().(*types.Interface); ok {
			for m := range x.Methods() {
				s.asked[m.Name()] = true
			}
		}
		if _, constant := o.(*types.Const); constant || !ours {
			continue
		}
		if o.Exported() {
			s.names[pathOf(o)] = o
		}
		if named, ok := o.Type().(*types.Named); ok && o.Exported() && isType(o) {
			for m := range named.Methods() {
				if m.Exported() {
					s.names[pathOf(m)] = m
				}
			}
		}
	}
}

func isType(o types.Object) bool { _, ok := o.(*types.TypeName); return ok }

// implemented marks the interfaces that types of other packages implement, and errors.
func (s *survey) implemented() {
	problem := types.Universe.Lookup("error").Type().Underlying().(*types.Interface)
	for _, o := range s.names {
		if !isType(o) {
			continue
		}
		if pointer := types.NewPointer(o.Type()); !types.IsInterface(o.Type()) && types.Implements(pointer, problem) {
			s.need(o)
		}
		asked, ok := o.Type().Underlying().(*types.Interface)
		if !ok {
			continue
		}
		for _, x := range s.names {
			if isType(x) && x.Pkg() != o.Pkg() && types.Implements(types.NewPointer(x.Type()), asked) {
				s.need(o)
				break
			}
		}
	}
}

// pathOf is the path of an exported object: package, receiver, name; "" of what is not
// reached by a name of its own.
func pathOf(o types.Object) string {
	if o.Pkg() == nil || !o.Exported() {
		return ""
	}
	path := strings.TrimSuffix(o.Pkg().Path(), "_test")
	if f, ok := o.(*types.Func); ok {
		if r := f.Signature().Recv(); r != nil {
			x := r.Type()
			if p, ok := x.(*types.Pointer); ok {
				x = p.Elem()
			}
			if named, ok := x.(*types.Named); ok {
				return path + "." + named.Obj().Name() + "." + o.Name()
			}
			return ""
		}
	}
	if o.Parent() != o.Pkg().Scope() {
		return ""
	}
	return path + "." + o.Name()
}

// folders reads the files of all folders below root.
func (s *survey) folders(root string) {
	err := filepath.WalkDir(root, func(dir string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		if name := d.Name(); strings.HasPrefix(name, ".") && dir != root || name == "testdata" {
			return filepath.SkipDir
		}
		rel, err := filepath.Rel(root, dir)
		if err != nil {
			return err
		}
		s.folder(dir, path.Join(module, filepath.ToSlash(rel)))
		return nil
	})
	if err != nil {
		s.t.Fatal(err)
	}
}

// folder notes what the files of one folder use of other packages, and its Examples of its own.
func (s *survey) folder(dir, path string) {
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		s.t.Fatal(err)
	}
	byPackage := map[string][]*ast.File{}
	for _, name := range names {
		f, err := parser.ParseFile(s.files, name, nil, parser.SkipObjectResolution)
		if err != nil {
			s.t.Fatal(err)
		}
		byPackage[f.Name.Name] = append(byPackage[f.Name.Name], f)
	}
	s.interfaces(byPackage)
	for name, files := range byPackage {
		info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
		// What export_test.go adds is not there, nor are modules that tests alone import:
		// what depends on these has no type, all else has.
		c := types.Config{Importer: s.load, Error: func(error) {}, FakeImportC: true}
		_, _ = c.Check(path+strings.TrimPrefix(name, filepath.Base(path)), s.files, files, info)
		for id, o := range info.Uses {
			if o.Pkg() == nil || o.Pkg().Path() == path && !s.example(files, id) {
				continue
			}
			if f, ok := o.(*types.Func); ok {
				o = f.Origin()
			}
			s.need(o)
		}
	}
}

// interfaces notes the methods that the interfaces of files ask for.
func (s *survey) interfaces(byPackage map[string][]*ast.File) {
	for _, files := range byPackage {
		for _, f := range files {
			ast.Inspect(f, func(n ast.Node) bool {
				if x, ok := n.(*ast.InterfaceType); ok {
					for _, m := range x.Methods.List {
						for _, name := range m.Names {
							s.asked[name.Name] = true
						}
					}
				}
				return true
			})
		}
	}
}

// example reports whether an identifier stands in an Example.
func (s *survey) example(files []*ast.File, id *ast.Ident) bool {
	for _, f := range files {
		if id.Pos() < f.FileStart || id.Pos() > f.FileEnd {
			continue
		}
		if !strings.HasSuffix(s.files.Position(f.Pos()).Filename, "_test.go") {
			return false
		}
		for _, d := range f.Decls {
			if x, ok := d.(*ast.FuncDecl); ok && strings.HasPrefix(x.Name.Name, "Example") && x.Pos() <= id.Pos() && id.Pos() < x.End() {
				return true
			}
		}
	}
	return false
}

// absent lists the names that nobody needs.
func (s *survey) absent() (list []string) {
	for name, o := range s.names {
		f, isFunc := o.(*types.Func)
		if s.needed[name] || isFunc && f.Signature().Recv() != nil && s.asked[f.Name()] {
			continue
		}
		list = append(list, strings.TrimPrefix(name, module+"/"))
	}
	slices.Sort(list)
	return list
}

// mention marks the types that a type mentions.
func (s *survey) mention(x types.Type, seen map[types.Type]bool) {
	if seen[x] {
		return
	}
	seen[x] = true
	visit := func(x types.Type) { s.mention(x, seen) }
	switch x := x.(type) {
	case *types.Named:
		s.need(x.Obj())
		if pkg := x.Obj().Pkg(); pkg != nil && strings.HasPrefix(pkg.Path(), module) {
			visit(x.Underlying())
		}
		for a := range x.TypeArgs().Types() {
			visit(a)
		}
	case *types.Alias:
		s.need(x.Obj())
		visit(types.Unalias(x))
	case *types.Struct:
		for f := range x.Fields() {
			if f.Exported() || f.Embedded() {
				visit(f.Type())
			}
		}
	case *types.Interface:
		for m := range x.Methods() {
			visit(m.Type())
		}
	case *types.Signature:
		for v := range x.Params().Variables() {
			visit(v.Type())
		}
		for v := range x.Results().Variables() {
			visit(v.Type())
		}
	case interface{ Elem() types.Type }: // pointers, slices, arrays, channels, maps
		visit(x.Elem())
		if m, ok := x.(*types.Map); ok {
			visit(m.Key())
		}
	}
}

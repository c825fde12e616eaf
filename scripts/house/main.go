// Command house measures how well the rooms of this repository can be owned: it prints a table in Markdown,
// a row for each package and one for all of them.
//
//	go run ./scripts/house                      all packages
//	go run ./scripts/house ./contact/...        some of them
//	go run ./scripts/house -detail ./energetic  and what is behind the two shares
//
// What the columns count:
//
//	lines      of Go files without tests;  tests: of _test.go files
//	files      without tests
//	exported   names of the package, and methods and fields of its exported types
//	constants  named constants, in functions too, but for enumerations: those of a group with iota,
//	           and words of a type of the package
//	largest    the struct with most fields and methods: name, fields, methods
//	back       Files are drawn as dots, with an arrow from each to those whose names it uses (the
//	           file of a method is where it is written). In the best order of the files that is
//	           found, which share of the arrows runs back up? 0 where there is no cycle.
//	touched    which share of the unexported names (functions, methods, types, constants,
//	           variables, fields) is used in a _test.go file of the same package
//	comment    the longest line that ends in a comment or is in one, in runes
//
// Types are those of export data of `go list`, so what does not compile is not measured.
package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"go/importer"
	"go/token"
	"io"
	"os"
	"os/exec"
	"slices"
)

// A room is a package as `go list` describes it.
type room struct {
	ImportPath, Dir, Export            string
	GoFiles, TestGoFiles, XTestGoFiles []string
	TestImports                        []string
}

// A measure is a row of the table. Counts are kept, their quotients are printed.
type measure struct {
	name                           string
	lines, tests, files            int
	exported, constants            int
	largest                        string
	fields, methods                int
	arrows, back, unexported, used int
	comment                        int
}

func main() {
	detail := flag.Bool("detail", false, "print the arrows that run back and the names that tests touch")
	flag.Parse()
	if err := run(os.Stdout, flag.Args(), *detail); err != nil {
		fmt.Fprintln(os.Stderr, "house:", err)
		os.Exit(1)
	}
}

func run(w io.Writer, patterns []string, detail bool) error {
	if len(patterns) == 0 {
		patterns = []string{"./..."}
	}
	rooms, err := list(patterns...)
	if err != nil {
		return err
	}
	// The packages that tests import are none of the dependencies: their types are asked for too.
	wanted := slices.Clone(patterns)
	for _, r := range rooms {
		wanted = append(wanted, r.TestImports...)
	}
	slices.Sort(wanted)
	wanted = slices.DeleteFunc(slices.Compact(wanted), func(p string) bool { return p == "C" || p == "unsafe" })
	compiled, err := list(append([]string{"-export", "-deps"}, wanted...)...)
	if err != nil {
		return err
	}
	exports := map[string]string{}
	for _, r := range compiled {
		exports[r.ImportPath] = r.Export
	}
	fset := token.NewFileSet()
	imports := importer.ForCompiler(fset, "gc", func(p string) (io.ReadCloser, error) { return os.Open(exports[p]) })

	fmt.Fprintln(w, "| package | lines | tests | files | exported | constants | largest type: fields, methods | back | touched | comment |")
	fmt.Fprintln(w, "|---|---|---|---|---|---|---|---|---|---|")
	whole := measure{name: "all"}
	var details bytes.Buffer
	for _, r := range rooms {
		m, err := measured(&details, fset, imports, r)
		if err != nil {
			return err
		}
		m.print(w)
		whole.add(m)
	}
	whole.print(w)
	if detail {
		_, err = details.WriteTo(w)
	}
	return err
}

// list asks `go list` for packages of the patterns.
func list(args ...string) ([]room, error) {
	const fields = "-json=ImportPath,Dir,Export,GoFiles,TestGoFiles,XTestGoFiles,TestImports"
	cmd := exec.Command("go", append([]string{"list", fields}, args...)...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	var rooms []room
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var r room
		if err := d.Decode(&r); err == io.EOF {
			return rooms, nil
		} else if err != nil {
			return nil, err
		}
		rooms = append(rooms, r)
	}
}

func (m *measure) add(o measure) {
	m.lines, m.tests, m.files = m.lines+o.lines, m.tests+o.tests, m.files+o.files
	m.exported, m.constants = m.exported+o.exported, m.constants+o.constants
	m.arrows, m.back = m.arrows+o.arrows, m.back+o.back
	m.unexported, m.used = m.unexported+o.unexported, m.used+o.used
	m.comment = max(m.comment, o.comment)
	if o.fields+o.methods > m.fields+m.methods {
		m.largest, m.fields, m.methods = o.largest, o.fields, o.methods
	}
}

func (m *measure) print(w io.Writer) {
	const row = "| %s | %d | %d | %d | %d | %d | %s: %d, %d | %.0f %% | %.0f %% | %d |\n"
	fmt.Fprintf(w, row, m.name, m.lines, m.tests, m.files, m.exported, m.constants,
		cmp.Or(m.largest, "none"), m.fields, m.methods, percent(m.back, m.arrows), percent(m.used, m.unexported), m.comment)
}

func percent(part, whole int) float64 { return 100 * float64(part) / float64(max(1, whole)) }

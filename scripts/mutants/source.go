package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
)

// source is a package with its types.
type source struct {
	path  string // to import it
	name  string
	dir   string
	files []string // as they are named by who asks, without tests
	texts map[string][]byte
	trees map[string]*ast.File
	set   *token.FileSet
	info  *types.Info
	sites []site

	imports types.Importer
}

// openSource reads the package in a folder and checks its types.
func openSource(ctx context.Context, dir string) (*source, error) {
	out, err := exec.CommandContext(ctx, "go", "list", "-export", "-deps", "-json=ImportPath,Export,GoFiles,Name", dir).Output()
	if err != nil {
		return nil, fmt.Errorf("go list %s: %w", dir, err)
	}
	s := &source{dir: dir, texts: map[string][]byte{}, trees: map[string]*ast.File{}, set: token.NewFileSet()}
	exports := map[string]string{}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct {
			ImportPath, Export, Name string
			GoFiles                  []string
		}
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		exports[p.ImportPath] = p.Export
		s.path, s.name, s.files = p.ImportPath, p.Name, p.GoFiles // the last is the one asked for
	}
	s.imports = importer.ForCompiler(s.set, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
	for i, base := range s.files {
		name := filepath.Join(dir, base)
		s.files[i] = name
		if s.texts[name], err = os.ReadFile(name); err != nil {
			return nil, err
		}
		if s.trees[name], err = parser.ParseFile(s.set, name, s.texts[name], 0); err != nil {
			return nil, err
		}
		s.sites = append(s.sites, sitesOf(s.set, s.trees[name], name, s.texts[name])...)
	}
	s.info = &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	return s, s.check(s.trees, s.info)
}

// check checks the types of the package with these files.
func (s *source) check(trees map[string]*ast.File, info *types.Info) error {
	var list []*ast.File
	for _, name := range s.files {
		list = append(list, trees[name])
	}
	for name, tree := range trees {
		if !slices.Contains(s.files, name) {
			list = append(list, tree)
		}
	}
	_, err := (&types.Config{Importer: s.imports}).Check(s.path, s.set, list, info)
	return err
}

// compiles reports whether the package does with other texts of some files.
func (s *source) compiles(texts map[string][]byte) error {
	trees := map[string]*ast.File{}
	for name, tree := range s.trees {
		trees[name] = tree
	}
	for name, text := range texts {
		tree, err := parser.ParseFile(s.set, name, text, 0)
		if err != nil {
			return err
		}
		trees[name] = tree
	}
	return s.check(trees, nil)
}

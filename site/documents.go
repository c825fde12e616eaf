package site

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// markdown reads the documents as GitHub does: tables, and headings that have ids. HTML in them is
// left out.
var markdown = goldmark.New(goldmark.WithExtensions(extension.Table), goldmark.WithParserOptions(parser.WithAutoHeadingID()),
	goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(tabsRenderer{}, 100))))

// document is a file of the documents and the page that it becomes.
type document struct {
	file, page, title string
}

// pageOf is the page of a document: README.md is the index of its folder.
func pageOf(file string) string {
	if path.Base(file) == "README.md" {
		return path.Join(path.Dir(file), "index.html")
	}
	return strings.TrimSuffix(file, path.Ext(file)) + ".html"
}

// text is a document as CommonMark; nil without an error: the file is none.
func (s *site) text(file string) ([]byte, error) {
	ext := path.Ext(file)
	if ext != ".md" && ext != ".ipynb" {
		return nil, nil
	}
	raw, err := fs.ReadFile(s.Documents, file)
	if err == nil && ext == ".ipynb" {
		raw, err = markdownOf(raw)
	}
	return raw, err
}

// documents makes a page of each document, and an index of each folder without a README.
func (s *site) documents() error {
	var list []document
	folders := map[string][]document{}
	err := fs.WalkDir(s.Documents, ".", func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		raw, err := s.text(file)
		if raw == nil && err == nil {
			if raw, err = fs.ReadFile(s.Documents, file); err == nil {
				err = s.write(file, raw)
			}
			return err
		}
		if err != nil {
			return fmt.Errorf("site: %s: %w", file, err)
		}
		x := document{file, pageOf(file), title(raw, file)}
		list, folders[path.Dir(file)] = append(list, x), append(folders[path.Dir(file)], x)
		return nil
	})
	if err != nil {
		return err
	}
	for _, x := range list {
		s.pages[x.file] = x.page
	}
	for dir := range folders {
		s.pages[dir] = path.Join(dir, "index.html")
	}
	for _, x := range list {
		if err := s.document(x); err != nil {
			return fmt.Errorf("site: %s: %w", x.file, err)
		}
	}
	for dir, inside := range folders {
		if slices.ContainsFunc(inside, func(x document) bool { return x.page == s.pages[dir] }) {
			continue
		}
		if err := s.index(dir, inside); err != nil {
			return err
		}
	}
	return nil
}

// title is the first heading of a document.
func title(raw []byte, file string) string {
	for line := range strings.Lines(string(raw)) {
		if name, ok := strings.CutPrefix(line, "# "); ok {
			return strings.ReplaceAll(strings.TrimSpace(name), "`", "")
		}
	}
	return path.Base(file)
}

// document makes the page of a document.
func (s *site) document(x document) error {
	raw, err := s.text(x.file)
	if err != nil {
		return err
	}
	tree := markdown.Parser().Parse(text.NewReader(raw))
	s.relink(tree, path.Dir(x.file))
	tabbed(tree, raw)
	var body bytes.Buffer
	if err := markdown.Renderer().Render(&body, raw, tree); err != nil {
		return err
	}
	return s.page(x.page, &shell{Title: x.title, Body: template.HTML(body.String()), Text: true}) // goldmark escapes, and leaves out HTML
}

// index makes the page that lists the documents of a folder.
func (s *site) index(dir string, inside []document) error {
	slices.SortFunc(inside, func(a, b document) int { return cmp.Compare(a.file, b.file) })
	x := shell{Title: path.Base(dir), Text: true}
	for _, d := range inside {
		x.List = append(x.List, entry{d.title, path.Base(d.page)})
	}
	for other := range s.pages {
		if path.Dir(other) == dir && path.Ext(other) == "" {
			x.List = append(x.List, entry{path.Base(other) + "/", path.Base(other) + "/index.html"})
		}
	}
	slices.SortStableFunc(x.List, func(a, b entry) int { return cmp.Compare(a.Link, b.Link) })
	return s.page(s.pages[dir], &x)
}

// relink makes the links of a document lead to pages; what the site does not have is text.
func (s *site) relink(tree ast.Node, dir string) {
	var lost []ast.Node
	_ = ast.Walk(tree, func(n ast.Node, entering bool) (ast.WalkStatus, error) { // no error is made here
		var to *[]byte
		switch x := n.(type) {
		case *ast.Link:
			to = &x.Destination
		case *ast.Image:
			to = &x.Destination
		}
		if !entering || to == nil {
			return ast.WalkContinue, nil
		}
		target, err := s.target(dir, string(*to))
		if *to = []byte(target); err != nil {
			lost = append(lost, n)
		}
		return ast.WalkContinue, nil
	})
	for _, n := range lost {
		parent := n.Parent()
		for c := n.FirstChild(); c != nil; c = n.FirstChild() {
			parent.InsertBefore(parent, n, c) // moves it
		}
		parent.RemoveChild(parent, n)
	}
}

// errNotHere says that the site does not have the target of a link.
var errNotHere = errors.New("not in the site")

// target is where a link of a document in a folder leads, relative to that folder.
func (s *site) target(dir, link string) (string, error) {
	u, err := url.Parse(link)
	if err != nil || u.Scheme != "" || u.Host != "" || u.Path == "" {
		return link, err
	}
	file := path.Join(dir, u.Path)
	if page, ok := s.pages[file]; ok {
		file = page
	} else if _, err := fs.Stat(s.Documents, file); err != nil {
		return link, errNotHere
	}
	to := relative(dir, file)
	if u.Fragment != "" {
		to += "#" + u.EscapedFragment()
	}
	return to, nil
}

// relative is the path of a file as seen from a folder, both in the site.
func relative(dir, file string) string {
	if dir == "." {
		return file
	}
	from, to := strings.Split(dir, "/"), strings.Split(file, "/")
	for len(from) > 0 && len(to) > 1 && from[0] == to[0] {
		from, to = from[1:], to[1:]
	}
	return strings.Repeat("../", len(from)) + strings.Join(to, "/")
}

package site

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"html/template"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"sync"
	"time"

	"github.com/quasistatic/quasistatic/playground"
	"github.com/quasistatic/quasistatic/report"
	"github.com/quasistatic/quasistatic/table"
)

// Options say what the site has.
type Options struct {
	Documents fs.FS         // README.md, docs/ and what they show
	Cases     []string      // names of built-in cases
	Studies   []string      // names of built-in studies that have pages
	Patience  time.Duration // that a case or a study may take
	Workers   int           // that run cases; 0: one
	Version   string
	Engine    string                  // folder with the engine of the playground; "": there is none
	OnCase    func(name, what string) // told of each case when it is done; nil: nobody
}

//go:embed shell.html
var shellHTML string

var shellTemplate = sync.OnceValue(func() *template.Template { return template.Must(template.New("shell").Parse(shellHTML)) })

// shell is what surrounds each page.
type shell struct {
	Title, Version string
	Root           string // path to the folder of the site: "", "../"
	Playground     bool   // there is one
	Body           template.HTML
	Text           bool    // the width of lines that are read
	List           []entry // a list of links
	Cards          []card  // of the gallery
}

type entry struct{ Title, Link string }

// CSS is the style of all pages.
func (s *shell) CSS() template.CSS { return report.CSS() }

// site is what is made.
type site struct {
	Options
	dir   string
	pages map[string]string      // of documents, folders and cases, by their paths in the repository
	sums  map[string][]table.Sum // of the tables of the cases, by those of their texts
}

// Write makes the site in a folder that is new, empty, or a site.
func Write(ctx context.Context, dir string, o Options) error {
	if err := claim(dir); err != nil {
		return err
	}
	s := &site{Options: o, dir: dir, pages: map[string]string{}, sums: map[string][]table.Sum{}}
	// First of all, so that a site that is stopped can be made anew.
	if err := s.page("index.html", &shell{Title: "Not finished", Body: "<h1>This site is not finished</h1>"}); err != nil {
		return err
	}
	if err := s.gallery(ctx); err != nil {
		return err
	}
	if s.Engine != "" {
		if err := s.playground(); err != nil {
			return err
		}
	}
	return s.documents()
}

// playground leaves the page in which cases are changed and run, with the sums of what was run here.
func (s *site) playground() error {
	sums, err := json.Marshal(s.sums)
	if err != nil {
		return fmt.Errorf("site: %w", err)
	}
	if err := s.write("playground/native.json", sums); err != nil {
		return err
	}
	p := playground.Page{Version: s.Version, Native: "native.json",
		Links: []report.Link{{Text: "quasistatic", Address: "../index.html"},
			{Text: "Gallery", Address: "../cases/index.html"}, {Text: "Case format", Address: "../docs/case-format.html"}}}
	return p.Write(s.Engine, func(name string, content []byte) error { return s.write("playground/"+name, content) })
}

// claim refuses a folder with files that no site wrote.
func claim(dir string) error {
	list, err := os.ReadDir(dir)
	if os.IsNotExist(err) || err == nil && len(list) == 0 {
		return os.MkdirAll(dir, 0o777)
	}
	if err != nil {
		return fmt.Errorf("site: %w", err)
	}
	if text, err := os.ReadFile(filepath.Join(dir, "index.html")); err == nil &&
		bytes.Contains(text, []byte(`<meta name="generator" content="quasistatic site">`)) {
		return nil
	}
	return fmt.Errorf("site: %s has files that no site wrote, want a new or an empty folder", dir)
}

// write leaves a file of the site.
func (s *site) write(file string, text []byte) error {
	name := filepath.Join(s.dir, filepath.FromSlash(file))
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return fmt.Errorf("site: %w", err)
	}
	return table.WriteFile(name, text)
}

// page leaves a page in its shell.
func (s *site) page(file string, x *shell) error {
	x.Version, x.Root, x.Playground = s.Version, relative(path.Dir(file), ""), s.Engine != ""
	var b bytes.Buffer
	if err := shellTemplate().Execute(&b, x); err != nil {
		return fmt.Errorf("site: %s: %w", file, err)
	}
	return s.write(file, b.Bytes())
}

package playground

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"os"
	"path/filepath"
	"sync"

	"github.com/quasistatic/quasistatic/internal/release"
	"github.com/quasistatic/quasistatic/report"
)

//go:embed page.html *.js
var files embed.FS

var pageTemplate = sync.OnceValue(func() *template.Template { return template.Must(template.ParseFS(files, "page.html")) })

// Page is what surrounds the engine.
type Page struct {
	Version string // of the program
	Links   []report.Link
	// Native is where the page asks for the sums of the tables: a file of all of them by the sum of
	// their case, .json, or what makes them of a case that is sent there; "": nowhere.
	Native string
}

// CSS is the style of all pages.
func (Page) CSS() template.CSS { return report.CSS() }

// Write leaves the files of the page by write, those of the engine from a folder of [FindEngine].
func (p Page) Write(engine string, write func(name string, content []byte) error) error {
	var b bytes.Buffer
	if err := pageTemplate().Execute(&b, p); err != nil {
		return fmt.Errorf("playground: %w", err)
	}
	if err := write("index.html", b.Bytes()); err != nil {
		return err
	}
	for _, name := range []string{"main.js", "worker.js", "files.js"} {
		content, err := files.ReadFile(name)
		if err != nil {
			panic("playground: " + err.Error()) // it is part of the program
		}
		if err := write(name, content); err != nil {
			return err
		}
	}
	for _, name := range release.EngineFiles {
		content, err := os.ReadFile(filepath.Join(engine, name))
		if err != nil {
			return fmt.Errorf("playground: %w", err)
		}
		if err := write(name, content); err != nil {
			return err
		}
	}
	return nil
}

// FindEngine returns the folder with the engine: the one given, or else quasistatic-engine beside the
// program.
func FindEngine(dir string) (string, error) {
	if dir == "" {
		program, err := os.Executable()
		if err != nil {
			return "", fmt.Errorf("playground: %w", err)
		}
		dir = filepath.Join(filepath.Dir(program), release.EngineFolder)
	}
	for _, name := range release.EngineFiles {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			return "", fmt.Errorf("playground: %s has no engine (%s): a release has it beside the program, and in the sources go run ./scripts/engine %s makes it",
				dir, name, dir)
		}
	}
	return dir, nil
}

package mcp

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/quasistatic/quasistatic/cases"
	"github.com/quasistatic/quasistatic/internal/nearest"
)

// in returns the path of a name in the folder. What is there, and the folders above what is not
// there yet, is below the folder with all links followed.
func (s *Server) in(name string) (string, error) {
	if s.Folder == "" {
		return "", fmt.Errorf("%q: this server has no folder to read from or to write to: start it as quasistatic mcp --folder DIR", name)
	}
	if !filepath.IsLocal(name) {
		return "", fmt.Errorf("%q: want a name within the folder of this server, without .. and not from the root", name)
	}
	root, err := filepath.EvalSymlinks(s.Folder)
	if err != nil {
		return "", err
	}
	path := filepath.Join(root, name)
	for there := path; ; there = filepath.Dir(there) {
		real, err := filepath.EvalSymlinks(there)
		if errors.Is(err, fs.ErrNotExist) && there != root {
			if _, err := os.Lstat(there); err == nil {
				return "", fmt.Errorf("%q: is a link to what is not there", name)
			}
			continue
		}
		if err != nil {
			return "", err
		}
		if rel, err := filepath.Rel(root, real); err != nil || !filepath.IsLocal(rel) {
			return "", fmt.Errorf("%q: leads out of the folder of this server", name)
		}
		return path, nil
	}
}

// source is the case of a call as package serve takes it: an object is passed on, with the folder for
// the files that it names; a text is a file in the folder, or else the name of a built-in case.
func (s *Server) source(text json.RawMessage, set []string) (map[string]any, error) {
	args := map[string]any{"set": set}
	var name string
	if err := json.Unmarshal(text, &name); err != nil {
		args["case"], args["dir"] = text, s.Folder
		if s.Folder == "" {
			args["dir"] = nowhere
		}
		return args, nil
	}
	if s.Folder != "" {
		if path, err := s.in(name); err != nil {
			return nil, err
		} else if info, err := os.Stat(path); err == nil && !info.IsDir() {
			args["case"] = path
			return args, nil
		}
	}
	raw, ok := cases.Read(strings.TrimSuffix(name, ".json"))
	if !ok {
		return nil, fmt.Errorf("%q: neither a file in the folder of this server nor a built-in case%s", name,
			nearest.Hint(name, cases.Names()))
	}
	args["case"], args["dir"] = json.RawMessage(raw), nowhere
	return args, nil
}

// nowhere is where files of a case are that names none: a path that nothing can be at.
var nowhere = filepath.Join(os.DevNull, "files")

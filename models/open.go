package models

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/cases"
	"github.com/quasistatic/quasistatic/internal/nearest"
)

// OpenCase reads a case, a file or else a built-in one by its name, and changes it as the
// lines PATH=VALUE say. It may take so much memory [byte]; 0: what is free.
func OpenCase(file string, sets []string, limit int64) (*casefile.Case, error) {
	c, err := find(file, limit)
	if err != nil {
		return nil, err
	}
	if len(sets) > 0 {
		text, err := setAll(c.Raw, sets)
		if err != nil {
			return nil, err
		}
		if c, err = Grammar().Decode(c.File, text); err != nil {
			return nil, err
		}
	}
	c.Memory = limit
	return c, nil
}

// find reads a case; a folder that is called like a built-in one does not hide it.
func find(file string, limit int64) (*casefile.Case, error) {
	c, err := Grammar().LoadWithin(file, limit)
	folder := IsFolder(file)
	switch {
	case !errors.Is(err, fs.ErrNotExist) && !folder:
		return c, err
	case filepath.Base(file) == file && filepath.Ext(file) == "":
		c, err := BuiltIn(file)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("%s: no such file, nor a built-in case%s", file, nearest.Hint(file, cases.Names()))
		}
		return c, err
	case folder:
		return nil, err
	}
	return nil, fmt.Errorf("%s: no such file", file)
}

// BuiltIn decodes a built-in case; the error wraps fs.ErrNotExist if there is none.
func BuiltIn(name string) (*casefile.Case, error) {
	text, ok := cases.Read(name)
	if !ok {
		return nil, fmt.Errorf("%s: %w", name, fs.ErrNotExist)
	}
	return Grammar().Decode(name+".json", text)
}

// Listed is a built-in case in the list of them.
type Listed struct {
	Name        string `json:"name"`
	Model       string `json:"model"`
	Description string `json:"description"`
}

// Listing describes the built-in cases.
func Listing() (list []Listed, err error) {
	for _, name := range cases.Names() {
		c, err := BuiltIn(name)
		if err != nil {
			return nil, err
		}
		list = append(list, Listed{name, c.Model, c.Description})
	}
	return list, nil
}

// setAll is [casefile.SetAll], which knows no grammar, without names that are not there.
func setAll(text []byte, sets []string) ([]byte, error) {
	return casefile.SetAll(text, sets, Grammar().CheckPath)
}

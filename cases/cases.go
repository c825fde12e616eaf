// Package cases holds the case files of this folder, one phenomenon each, inside
// the program, so that it can run them by name wherever it is installed.
//
// # Limits
//
// Case files only: what a case refers to (matrices) would have to be inline.
package cases

import (
	"embed"
	"path"
	"slices"
	"strings"
)

//go:embed *.json studies/*.json starters/*.json
var files embed.FS

// Names returns the names of the cases, sorted.
func Names() []string { return names(".") }

// Studies returns the names of the studies, sorted.
func Studies() []string { return names("studies") }

// names lists the files of a folder that is part of the program.
func names(folder string) []string {
	entries, err := files.ReadDir(folder)
	if err != nil {
		panic("cases: Names: " + err.Error()) // the folder is part of the program
	}
	var names []string
	for _, e := range entries {
		if !e.IsDir() {
			names = append(names, strings.TrimSuffix(e.Name(), path.Ext(e.Name())))
		}
	}
	slices.Sort(names)
	return names
}

// Read returns the file of a case; false if there is none of that name.
func Read(name string) ([]byte, bool) {
	text, err := files.ReadFile(name + ".json")
	return text, err == nil
}

// Study returns the file of a study; false if there is none of that name.
func Study(name string) ([]byte, bool) {
	text, err := files.ReadFile("studies/" + name + ".json")
	return text, err == nil
}

// Package docs holds the tests of the documentation. The one of case-format.md, which
// follows from the JSON Schema of the case format, fails if the file is not current; go
// generate writes it anew. It has no code of its own.
//
// # Limits
//
// It knows the words of JSON Schema that the schema uses.
package docs

//go:generate go test -run TestCaseFormatIsCurrent -update

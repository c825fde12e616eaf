// Package docs holds the tests of the documentation. Those of case-format.md, which
// follows from the JSON Schema of the case format, and of columns.md fail if the
// file is not current; go generate writes both anew. It has no code of its own.
//
// # Limits
//
// It knows the words of JSON Schema that the schema uses.
package docs

//go:generate go test -run (Is|Are)Current -update

// Package docs writes the parts of the documentation that follow from the code:
// case-format.md from the JSON Schema of the case format. Its test fails if the
// file is not current; go generate writes it anew.
//
// # Limits
//
// It knows the words of JSON Schema that the schema uses.
package docs

//go:generate go test -run TestCaseFormatIsCurrent -update

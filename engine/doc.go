// Package engine runs a case that is given as a text, and gives back what the run leaves: the
// verdict, the columns of its tables, and its page.
//
//	text → casefile.Case → run.Task → folder → Summary, Columns, Page
//
// It needs no terminal, no network and no other program. Below engine/wasm it is the program of a web
// page, whose file system is in memory; TestPlaygroundBytes of cmd/quasistatic compares the bytes of the
// tables with those of this machine.
//
// # Conventions
//
// The tables are CSV, whatever the format that a case wants of its folder. A case that is wrong is an
// error of [casefile.Error]; a step that is not solved is in the summary.
//
// # Limits
//
// A page has one processor, and 4 GB at most, of which wasm leaves the half to what is alive.
package engine

// Package engine runs a case that is given as a text, and gives back what the run leaves.
//
//	text → casefile.Case → run.Task → summary, sums of the tables, page
//
// engine/wasm is the same for a web page, where the files are in memory.
package engine

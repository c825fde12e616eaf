// Package playground is a page in which cases are changed and run: the engine is the program of the
// page, in a worker, with its files in memory. Nothing is asked of other machines.
//
//	engine.wasm.gz, wasm_exec.js    the engine, of a folder that scripts/engine or a release made
//	page.html, main.js              text, sliders, the page of the run
//	worker.js, files.js             what starts the engine, its files
//
// [Handler] serves it to this machine, with the sums of the tables that this program makes of the
// same case; [Write] leaves it in a static folder, with the sums of those that were run before.
//
// # Why the engine is no part of the program
//
// It would be a quarter of it, and of each commit that changes it, and the program could not be built
// by go build alone, for it would have to be built before itself. A release has it beside the program.
//
// # Limits
//
// A browser runs no engine in a page that was opened as a file. What reads other files cannot run.
package playground

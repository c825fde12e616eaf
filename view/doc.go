// Package view serves the page of a run on this machine while the run goes on, and that of a study with
// the pages of its runs.
//
//	GET /             the page, which asks for its parts once a second
//	GET /live.json    the parts that are new since a tag, 204 if there are none, or what it waits for
//
// [Viewer] reads what is new in the files when somebody asks; the run does not notice. A state
// is drawn once, whoever asks for it how often.
//
// # Limits
//
// It answers requests that name this machine only, and shows one folder. Runs of studies of assemblies have
// no pages.
package view

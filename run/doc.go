// Package run is the life of a run of any model: it is built, marches, saves checkpoints,
// goes on from them, is judged, certified again from its files, and refined.
//
//	case → Case → Run → rows of tables, facts of a verdict → summary
//
// A [Model] builds a [Case], a Case starts a [Run]; what a model may leave out is an
// interface of its own in model.go. [Task] makes a run into a folder, [Loosely] without one.
//
// # Limits
//
// The package knows no model, and no command line.
package run

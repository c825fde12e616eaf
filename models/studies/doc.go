// Package studies gives studies what they know nothing of: cases of any model, and assemblies of
// blocks.
//
// [Open] reads a study, [BaseCase] what it varies, [PlanOf] lists its runs, and a [Runner] makes them.
//
// # Limits
//
// Of an assembly the margins are observed, and no folder is kept.
package studies

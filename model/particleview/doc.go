// Package particleview shows runs of particles: tables, pictures, scenes and figures of the
// model energetic.
//
// # Limits
//
// It reads the files of a run and never its state.
package particleview

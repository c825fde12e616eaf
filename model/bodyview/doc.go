// Package bodyview shows runs of rigid bodies: tables, pictures, scenes and figures of the
// models rigid, compliant and theta.
//
// # Limits
//
// It reads the files of a run and never its state.
package bodyview

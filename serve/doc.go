// Package serve answers calls of other programs: cases are run, checked and differentiated, contact
// problems solved, with arrays in and arrays out, in one process that lives as long as its client.
//
//	frame = length of head (uint32), length of body (uint64), both little-endian; head; body
//	head  = JSON: {"id": 7, "call": "lcp", "args": {…}, "arrays": [{"name": "M", "type": "f8", "shape": [2, 2]}, …]}
//	body  = the arrays one after the other, little-endian, row by row: f8 (float64), i8 (int64)
//
// An answer has the id of its call and either "result", with arrays, or "error". Calls run side by
// side; answers come as they are done. docs/protocol.md is the reference.
//
// # Limits
//
// Who can write to the pipe can read and write what the user of the process can: it is for a client
// that started the process, and no network protocol.
package serve

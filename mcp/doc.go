// Package mcp lets agents use the program by the Model Context Protocol: tools that list and show
// cases, check and run them, certify files, differentiate, and explain a fault.
//
//	call → place (files are in one folder) → serve.Server.Call within a time → result, or what is wrong
//
// What a call computes, and within which memory, is package serve. The text of a case is given to it
// as it came, so that a key that is there twice is a fault and no silent choice.
//
// # Limits
//
// Without a folder nothing is read but built-in cases and what a call brings, and nothing is written.
// With one, names of files and of run folders are relative to it and stay in it, symbolic links
// followed; a case names files beside or below itself, see package casefile. A link that somebody
// else puts there during a call is not defended against.
package mcp

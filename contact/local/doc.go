// Package local solves contact problems in the reactions alone, u = W r + q with a law at each contact:
// one method a file, and the plan that tries what fits (auto.go).
package local

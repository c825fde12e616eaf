// Package api holds the tests of the module's face: what another module can name.
//
//	exported identifier of a public package  ⇒  no type of an internal package in it
//
// It has no code of its own.
package api

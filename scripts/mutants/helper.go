package main

import (
	"path/filepath"
	"strings"
)

// Environment of a program with mutants: which is alive, and the file in which it notes
// those that would have changed a value, a byte for each.
const (
	aliveVariable = "QUASISTATIC_MUTANT"
	notesVariable = "QUASISTATIC_MUTANT_NOTES"
)

func helperName(dir string) string { return filepath.Join(dir, "mutants_generated.go") }

// helper is a file of a package with mutants.
func helper(name string) []byte {
	text := strings.NewReplacer("PACKAGE", name, "ALIVE", aliveVariable, "NOTES", notesVariable).Replace(helperHead)
	for _, f := range []struct{ name, of, was, is string }{
		{"Add", "number", "a + b", "a - b"}, {"Sub", "number", "a - b", "a + b"}, {"Mul", "number", "a * b", "a / b"},
		{"Quo", "number", "a / b", "a * b"},
	} {
		text += strings.NewReplacer("NAME", f.name, "WAS", f.was, "IS", f.is).Replace(arithmeticText)
	}
	for _, f := range []struct{ name, was, is string }{{"Lss", "<", "<="}, {"Leq", "<=", "<"}, {"Gtr", ">", ">="}, {"Geq", ">=", ">"}} {
		text += strings.NewReplacer("NAME", f.name, "WAS", f.was, "IS", f.is).Replace(comparisonText)
	}
	for _, f := range []struct{ name, was, is string }{{"Min", "min", "max"}, {"Max", "max", "min"}} {
		text += strings.NewReplacer("NAME", f.name, "WAS", f.was, "IS", f.is).Replace(boundText)
	}
	return []byte(text)
}

const (
	helperHead = `package PACKAGE

import (
	"cmp"
	"os"
	"strconv"
	"syscall"
)

type mutantNumber interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr | ~float32 | ~float64 | ~complex64 | ~complex128
}

type mutantInteger interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr
}

var mutantAlive = mutantNumberAlive()

func mutantNumberAlive() int {
	k, err := strconv.Atoi(os.Getenv("ALIVE"))
	if err != nil {
		return -1
	}
	return k
}

// mutantNotes is shared memory: it outlives a panic.
var mutantNotes = mutantFile()

func mutantFile() []byte {
	file, err := os.OpenFile(os.Getenv("NOTES"), os.O_RDWR, 0)
	if err != nil {
		return nil
	}
	info, err := file.Stat()
	if err != nil {
		panic(err)
	}
	notes, err := syscall.Mmap(int(file.Fd()), 0, int(info.Size()), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	if err != nil {
		panic(err)
	}
	return notes
}

func mutantNote(k int) { mutantNotes[k] = 1 }

func mutantOn(k int) bool {
	if mutantNotes != nil {
		mutantNote(k)
	}
	return k == mutantAlive
}

func mutantPick[T any](k int, a, b T) T {
	if mutantOn(k) {
		return b
	}
	return a
}

func mutantNext[T mutantInteger](k int, i T) T {
	if mutantOn(k) {
		return i + 1
	}
	return i
}

func mutantNeg[T mutantNumber](k int, x T) T {
	if mutantOn(k) {
		return x
	}
	return -x
}
`
	arithmeticText = `
func mutantNAME[T mutantNumber](k int, a, b T) T {
	if mutantOn(k) {
		return IS
	}
	return WAS
}
`
	comparisonText = `
func mutantNAME[T cmp.Ordered](k int, a, b T) bool {
	if k == mutantAlive {
		return a IS b
	}
	if mutantNotes != nil && a == b {
		mutantNote(k)
	}
	return a WAS b
}
`
	boundText = `
func mutantNAME[T cmp.Ordered](k int, x T, more ...T) T {
	on := mutantOn(k)
	for _, y := range more {
		if on {
			x = IS(x, y)
		} else {
			x = WAS(x, y)
		}
	}
	return x
}
`
)

// Package relay brings a panic from the goroutine in which it happened to the one that
// waits for it, so that a program can end in order whatever fails where.
package relay

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"time"
)

// Panic is a panic that was caught, with the stack on which it happened.
type Panic struct {
	Value any
	Stack []byte
}

func (p *Panic) Error() string { return fmt.Sprintf("a fault of the program: %v", p.Value) }

// mostReports is the number of reports that are kept: of more the oldest go. Who runs a faulty case
// ten thousand times has ten thousand of the same.
const mostReports = 20

// Save leaves a head, the value and the stack in a file of its own, and returns its name and text.
// Of more than [mostReports] it removes the oldest, and returns how many.
func (p *Panic) Save(head string) (name, text string, removed int, err error) {
	text = fmt.Sprintf("%spanic: %v\n\n%s", head, p.Value, p.Stack)
	removed = removeOldest(filepath.Join(os.TempDir(), reports))
	f, err := os.CreateTemp("", reports)
	if err != nil {
		return "", text, removed, err
	}
	_, err = f.WriteString(text)
	return f.Name(), text, removed, errors.Join(err, f.Close())
}

const reports = "quasistatic-fault-*.txt"

// removeOldest makes room for one more report.
func removeOldest(pattern string) (removed int) {
	names, _ := filepath.Glob(pattern) // the pattern is right
	type report struct {
		name string
		at   time.Time
	}
	var list []report
	for _, name := range names {
		if info, err := os.Lstat(name); err == nil && info.Mode().IsRegular() {
			list = append(list, report{name, info.ModTime()})
		}
	}
	slices.SortFunc(list, func(a, b report) int { return a.at.Compare(b.at) })
	for i := range max(0, len(list)-mostReports+1) {
		if os.Remove(list[i].name) == nil { // those of others stay
			removed++
		}
	}
	return removed
}

// Caught makes a Panic of what recover returned, nil of nil; one that was caught before
// keeps its stack. Call it where recover is called: the stack is still that of the panic.
func Caught(value any) *Panic {
	switch v := value.(type) {
	case nil:
		return nil
	case *Panic:
		return v
	}
	return &Panic{value, debug.Stack()}
}

// Catch sets err to a [*Panic] if there is one. Defer it.
func Catch(err *error) {
	if p := Caught(recover()); p != nil {
		*err = p
	}
}

// Package relay brings a panic from the goroutine in which it happened to the one that
// waits for it, so that a program can end in order whatever fails where.
package relay

import (
	"errors"
	"fmt"
	"os"
	"runtime/debug"
)

// Panic is a panic that was caught, with the stack on which it happened.
type Panic struct {
	Value any
	Stack []byte
}

func (p *Panic) Error() string { return fmt.Sprintf("a fault of the program: %v", p.Value) }

// Save leaves a head, the value and the stack in a file of its own, and returns its name and text.
func (p *Panic) Save(head string) (name, text string, err error) {
	text = fmt.Sprintf("%spanic: %v\n\n%s", head, p.Value, p.Stack)
	f, err := os.CreateTemp("", "quasistatic-fault-*.txt")
	if err != nil {
		return "", text, err
	}
	_, err = f.WriteString(text)
	return f.Name(), text, errors.Join(err, f.Close())
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

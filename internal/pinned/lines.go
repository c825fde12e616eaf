package pinned

import (
	"errors"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/internal/processor"
)

// Lines compares a text with that of a file, line by line and so to the last bit of its numbers; if
// remake, it is written instead. Programs that fuse operations have other last bits: there it says
// nothing.
func Lines(t testing.TB, file string, remake bool, text string) {
	t.Helper()
	if processor.Kind() != processor.Rounded || runtime.GOARCH != "amd64" {
		return
	}
	if remake {
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o777), os.WriteFile(file, []byte(text), 0o666)); err != nil {
			t.Fatal(err)
		}
		return
	}
	kept, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	got, want := strings.Split(text, "\n"), strings.Split(string(kept), "\n")
	for i := range min(len(got), len(want)) {
		if got[i] != want[i] {
			t.Fatalf("line %d of %s:\n got %s\nwant %s\ngo test -remake, if that is meant", i+1, file, got[i], want[i])
		}
	}
	if len(got) != len(want) {
		t.Fatalf("%s: %d lines, want %d: go test -remake, if that is meant", file, len(got), len(want))
	}
}

// Text writes a value to the last bit, of structures the fields that are not zero, with their
// names: a field that is new and not set changes nothing.
func Text(x any) string {
	var b strings.Builder
	write(&b, reflect.ValueOf(x))
	return b.String()
}

func write(b *strings.Builder, v reflect.Value) {
	switch v.Kind() {
	case reflect.Invalid:
		b.WriteString("none")
	case reflect.Pointer, reflect.Interface:
		write(b, v.Elem())
	case reflect.Struct:
		b.WriteByte('{')
		for i := range v.NumField() {
			if f := v.Field(i); !f.IsZero() {
				fmt.Fprintf(b, " %s:", v.Type().Field(i).Name)
				write(b, f)
			}
		}
		b.WriteString(" }")
	case reflect.Slice, reflect.Array:
		b.WriteByte('[')
		for i := range v.Len() {
			b.WriteByte(' ')
			write(b, v.Index(i))
		}
		b.WriteString(" ]")
	default:
		fmt.Fprint(b, v)
	}
}

// Bits is a short name of the text of values, another one for others.
func Bits(values ...any) string {
	h := fnv.New64a()
	for _, v := range values {
		h.Write([]byte(Text(v)))
	}
	return fmt.Sprintf("%016x", h.Sum64())
}

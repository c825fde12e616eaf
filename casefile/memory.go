package casefile

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/quasistatic/quasistatic/memory"
)

// MemoryDocument is the key solver.memory: a size like "4GB", or a number of bytes.
type MemoryDocument string

// UnmarshalJSON decodes what the schema has checked.
func (m *MemoryDocument) UnmarshalJSON(text []byte) error {
	if text[0] == '"' {
		return json.Unmarshal(text, (*string)(m))
	}
	*m = MemoryDocument(text)
	return nil
}

// SetLimit sets what a run may take: by [Case.Memory], else by the key solver.memory, else
// by [Case.Share], else what is free now.
func (b *Builder) SetLimit(key MemoryDocument) {
	switch {
	case b.Case.Memory > 0:
		b.Limit = memory.Limit{Bytes: b.Case.Memory, Source: "the limit given"}
	case key != "":
		bytes, err := memory.Parse(string(key))
		if err != nil {
			b.Add(Path{"solver", "memory"}, "%v", err)
			return
		}
		b.Limit = memory.Limit{Bytes: bytes, Source: "the key solver.memory"}
	case b.Case.Share > 0:
		b.Limit = memory.Limit{Bytes: b.Case.Share, Source: "the budget of the study"}
	case b.Limit.Source == "": // else it has been asked for already
		b.Limit = memory.Free()
	}
}

// sideBytes bounds what a byte of a mesh, a matrix or a table of numbers beside a case takes
// while it is read [bytes]: "1 0 0 0" and its line end are a tag, three numbers, and their
// places in lists and maps.
const sideBytes = 16

// Readable refuses a file beside the case that is none, or that takes more than the limit.
func (b *Builder) Readable(name string) error {
	info, err := os.Stat(name)
	if err != nil {
		return fmt.Errorf("cannot read the file %q", name)
	}
	if !info.Mode().IsRegular() {
		return notRegular(name)
	}
	if info.Size() < certainlyRead {
		return nil
	}
	var need memory.Estimate
	need.Add("reading "+filepath.Base(name), memory.Product(info.Size(), sideBytes))
	return b.Limit.Check(need, "")
}

// notRegular is the fault of a pipe, a device or a folder where a file is named.
func notRegular(name string) error {
	return fmt.Errorf("cannot read the file %q: it is a pipe, a device or a folder", name)
}

// Exceeded words the refusal of a stepper that would take more than the limit; false: it
// is another error.
func (b *Builder) Exceeded(p Path, err error) bool {
	_, is := errors.AsType[*memory.ExceededError](err)
	if is {
		b.Add(p, "the run %v", err)
	}
	return is
}

package casefile

import (
	"encoding/json"
	"errors"

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
		b.Limit = memory.Limit{Bytes: b.Case.Share, Source: "the share of a worker in what is free"}
	default:
		b.Limit = memory.Free()
	}
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

package study

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"github.com/quasistatic/quasistatic/casefile"
)

// blanks is the text of a base case with a hole for each path of a study, so that a run is
// expanded without reading the case again.
type blanks struct {
	parts [][]byte // before, between and after the holes
	holes []int    // which value goes between parts k and k+1
}

// newBlanks cuts the holes; nil: a path lies below another one, so that there is no text
// in which both have a place.
func newBlanks(base []byte, paths []string) (*blanks, error) {
	var parsed []casefile.Path
	for _, text := range paths {
		p, err := casefile.ParsePath(text)
		if err != nil {
			return nil, fmt.Errorf("study: %w", err)
		}
		for _, q := range parsed {
			if n := min(len(p), len(q)); slices.Equal(p[:n], q[:n]) {
				return nil, nil
			}
		}
		parsed = append(parsed, p)
	}
	text, holes := base, marks(len(paths))
	for j, where := range paths {
		var err error
		if text, err = casefile.Set(text, where, holes[j]); err != nil {
			return nil, fmt.Errorf("study: %w", err)
		}
	}
	return cut(text, holes), nil
}

// marks are values that no text has.
func marks(n int) []json.RawMessage {
	list, mark := make([]json.RawMessage, n), rand.Text()
	for j := range list {
		list[j] = fmt.Appendf(nil, "%q", fmt.Sprint(mark, " ", j))
	}
	return list
}

// canonical cuts the same holes into the text without what has no meaning, as [Plan.ID] takes
// it; nil: the holes are not all there once.
func (b *blanks) canonical() *blanks {
	holes := marks(len(b.holes))
	text, err := meaning(b.fill(holes))
	if err != nil {
		return nil
	}
	for _, h := range holes {
		if bytes.Count(text, h) != 1 {
			return nil
		}
	}
	return cut(text, holes)
}

// meaning returns a text in JSON without what has no meaning: white space, order of keys,
// ways to write a number.
func meaning(text []byte) ([]byte, error) {
	if v, err := strconv.ParseFloat(string(text), 64); err == nil && json.Valid(text) {
		return json.Marshal(v)
	}
	var tree any
	if err := json.Unmarshal(text, &tree); err != nil {
		return nil, err
	}
	return json.Marshal(tree)
}

// cut takes the holes, which are all there, out of a text.
func cut(text []byte, holes []json.RawMessage) *blanks {
	b := &blanks{holes: make([]int, len(holes))}
	place := make([]int, len(holes))
	for j := range holes {
		b.holes[j], place[j] = j, bytes.Index(text, holes[j])
	}
	slices.SortFunc(b.holes, func(j, k int) int { return place[j] - place[k] })
	from := 0
	for _, j := range b.holes {
		b.parts = append(b.parts, text[from:place[j]])
		from = place[j] + len(holes[j])
	}
	b.parts = append(b.parts, text[from:])
	return b
}

// digest is that of the text with values in the holes.
func (b *blanks) digest(values []json.RawMessage) key {
	h := sha256.New()
	for k, j := range b.holes {
		h.Write(b.parts[k])
		h.Write(values[j])
	}
	h.Write(b.parts[len(b.holes)])
	var sum [sha256.Size]byte
	return key(h.Sum(sum[:0]))
}

// fill puts values into the holes.
func (b *blanks) fill(values []json.RawMessage) []byte {
	n := 0
	for _, p := range b.parts {
		n += len(p)
	}
	for _, v := range values {
		n += len(v)
	}
	text := make([]byte, 0, n)
	for k, j := range b.holes {
		text = append(append(text, b.parts[k]...), values[j]...)
	}
	return append(text, b.parts[len(b.holes)]...)
}

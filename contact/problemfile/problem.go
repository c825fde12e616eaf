package problemfile

import (
	"bytes"
	"errors"
	"fmt"
	"os"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/contact/lcp"
)

// Kind is the form of a problem.
type Kind int

// The forms.
const (
	Unknown Kind = iota
	LocalKind
	GlobalKind
	LCPKind
	MLCPKind
)

var kindNames = [...]string{"unknown", "local", "global", "lcp", "mlcp"}

func (k Kind) String() string {
	if k < 0 || int(k) >= len(kindNames) {
		return fmt.Sprintf("Kind(%d)", int(k))
	}
	return kindNames[k]
}

// Problem is what a file holds: one of the four forms, by Kind.
type Problem struct {
	Kind        Kind
	Title       string // optional
	Description string // optional

	Local  *contact.Local
	Global *Global
	LCP    *lcp.LCP
	MLCP   *lcp.MLCP

	// Reference is the solution that came with the problem, nil if none did.
	Reference *Reference
}

// Reference is a solution found in a file; any of the slices may be empty.
type Reference struct {
	R []float64 // reactions, dim·nc; z or x of an LCP or MLCP
	U []float64 // relative velocities, dim·nc
	V []float64 // global unknowns, nv
}

// Contacts returns the number of contacts, 0 for the complementarity forms.
func (p *Problem) Contacts() int {
	switch p.Kind {
	case LocalKind:
		return len(p.Local.Laws)
	case GlobalKind:
		return len(p.Global.Laws)
	}
	return 0
}

// Size returns the number of unknown reactions or complementary pairs.
func (p *Problem) Size() int {
	switch p.Kind {
	case LocalKind:
		return len(p.Local.Q)
	case GlobalKind:
		return len(p.Global.W)
	case LCPKind:
		return p.LCP.N()
	case MLCPKind:
		return len(p.MLCP.Equality)
	}
	return 0
}

// maxFileSize keeps a wrong path (a disk image) from filling the memory.
const maxFileSize = 1 << 31

// ReadFile reads the problem in the named file, in any of the formats.
func ReadFile(path string) (*Problem, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("problemfile: %w", err)
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("problemfile: %s is not a regular file", path)
	}
	if info.Size() > maxFileSize {
		return nil, fmt.Errorf("problemfile: %s has %d bytes, more than %d", path, info.Size(), maxFileSize)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("problemfile: %w", err)
	}
	p, err := Read(data)
	if err != nil {
		return nil, fmt.Errorf("problemfile: %s: %w", path, err)
	}
	return p, nil
}

// Read reads a problem from the whole content of a file.
func Read(data []byte) (*Problem, error) {
	trimmed := bytes.TrimLeft(data[len(byteOrderMark(data)):], " \t\r\n")
	switch {
	case len(trimmed) == 0:
		return nil, errors.New("the file is empty")
	case bytes.HasPrefix(data, []byte("\x89HDF\r\n\x1a\n")):
		return readHDF5(data)
	case trimmed[0] == '{':
		return readJSON(data[len(byteOrderMark(data)):])
	}
	return readText(data)
}

// readText tries every form and keeps the one that reads furthest: a global
// problem with as many unknowns as reactions also begins like a local one,
// with the rest for commentary. If all fail, the error is the furthest one.
func readText(data []byte) (*Problem, error) {
	var best *Problem
	var furthest *SyntaxError
	end, header := 0, 0
	for _, form := range []func(*scanner) *Problem{scanMLCP, scanLCP, scanLocal, scanGlobal, scanRolling, scanGlobalRolling} {
		s := newScanner(data)
		p := form(s)
		if s.err == nil && s.pos > end {
			best, end = p, s.pos
		} else if s.err != nil && (furthest == nil || s.err.Offset > furthest.Offset) {
			furthest = s.err
		}
		header = max(header, s.count)
	}
	if best == nil {
		if other := foreign(data); other != nil {
			return nil, other
		}
	}
	if best == nil && header <= 8 { // nothing but the first integers fitted: the old header
		s := newScanner(data)
		if p := scanOldMLCP(s); s.err == nil {
			best = p
		}
	}
	if best == nil {
		return nil, furthest
	}
	return best, nil
}

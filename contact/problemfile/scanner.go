package problemfile

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strconv"
)

// SyntaxError says where a text file is wrong.
type SyntaxError struct {
	Line   int // from 1
	Offset int // bytes from the start of the file
	Found  string
	Want   string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("line %d (offset %d): found %s, want %s", e.Line, e.Offset, e.Found, e.Want)
}

// scanner reads numbers separated by white space. The first error sticks:
// later calls return zeros, so that callers check err before they take memory
// and at the end.
type scanner struct {
	data  []byte
	pos   int
	line  int
	count int // tokens read
	err   *SyntaxError
}

// newScanner starts behind lines at the head that begin with '#', and behind the mark of UTF-8.
func newScanner(data []byte) *scanner {
	s := &scanner{data: data, line: 1}
	s.pos = len(byteOrderMark(data))
	for s.skipSpace(); s.pos < len(data) && data[s.pos] == '#'; s.skipSpace() {
		s.skipLine()
	}
	return s
}

// byteOrderMark returns the bytes by which some editors say that a text is UTF-8.
func byteOrderMark(data []byte) []byte {
	if mark := []byte("\xef\xbb\xbf"); bytes.HasPrefix(data, mark) {
		return mark
	}
	return nil
}

// parseNumber takes a D for the exponent too, as Fortran prints it.
func parseNumber(tok []byte) (float64, error) {
	v, err := strconv.ParseFloat(string(tok), 64)
	if at := bytes.IndexAny(tok, "dD"); errors.Is(err, strconv.ErrSyntax) && at > 0 && '.' <= tok[at-1] && tok[at-1] <= '9' {
		return strconv.ParseFloat(string(tok[:at])+"e"+string(tok[at+1:]), 64)
	}
	return v, err
}

func isSpace(c byte) bool {
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f'
}

func (s *scanner) skipSpace() {
	for s.pos < len(s.data) && isSpace(s.data[s.pos]) {
		if s.data[s.pos] == '\n' {
			s.line++
		}
		s.pos++
	}
}

// peek returns the next token without consuming it, nil at the end.
func (s *scanner) peek() []byte {
	s.skipSpace()
	end := s.pos
	for end < len(s.data) && !isSpace(s.data[end]) {
		end++
	}
	return s.data[s.pos:end]
}

func (s *scanner) fail(want string, args ...any) {
	if s.err != nil {
		return
	}
	tok := s.peek()
	found := "the end of the file"
	if len(tok) > 0 {
		found = strconv.Quote(string(tok[:min(len(tok), 40)]))
	}
	s.err = &SyntaxError{Line: s.line, Offset: s.pos, Found: found, Want: fmt.Sprintf(want, args...)}
}

// integer reads an integer in [lo, hi].
func (s *scanner) integer(what string, lo, hi int) int {
	if s.err != nil {
		return 0
	}
	tok := s.peek()
	v, err := strconv.Atoi(string(tok))
	if err != nil || v < lo || v > hi {
		if lo == hi {
			s.fail("%s, %d here", what, lo)
		} else {
			s.fail("%s, an integer from %d to %d", what, lo, hi)
		}
		return 0
	}
	s.pos += len(tok)
	s.count++
	return v
}

// size reads a count of things that take at least two bytes each further on.
func (s *scanner) size(what string) int { return s.integer(what, 0, s.room()) }

// room is the number of tokens that the rest of the file can hold.
func (s *scanner) room() int { return (len(s.data)-s.pos)/2 + 1 }

// number reads a finite number.
func (s *scanner) number(what string) float64 {
	if s.err != nil {
		return 0
	}
	tok := s.peek()
	v, err := parseNumber(tok)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		s.fail("%s, a finite number", what)
		return 0
	}
	s.pos += len(tok)
	s.count++
	return v
}

// numbers reads n finite numbers.
func (s *scanner) numbers(what string, n int) []float64 {
	if !s.holds(what, n) {
		return nil
	}
	x := make([]float64, n)
	for i := range x {
		if x[i] = s.number(what); s.err != nil {
			return nil
		}
	}
	return x
}

// integers reads n integers in [lo, hi].
func (s *scanner) integers(what string, n, lo, hi int) []int {
	if !s.holds(what, n) {
		return nil
	}
	x := make([]int, n)
	for i := range x {
		if x[i] = s.integer(what, lo, hi); s.err != nil {
			return nil
		}
	}
	return x
}

// holds checks that n more tokens fit into the rest of the file.
func (s *scanner) holds(what string, n int) bool {
	if s.err == nil && (n < 0 || n > s.room()) {
		s.fail("%d numbers for %s, more than the rest of the file can hold", n, what)
	}
	return s.err == nil
}

// numeric counts the numbers, infinite ones too, up to the next word, and consumes none.
func (s *scanner) numeric() (count int) {
	for ahead := *s; ; count++ {
		tok := ahead.peek()
		if _, err := parseNumber(tok); err != nil {
			return count
		}
		ahead.pos += len(tok)
	}
}

// matrixSize checks that rows·cols numbers fit; it guards the product.
func (s *scanner) matrixSize(what string, rows, cols int) bool {
	if s.err == nil && rows > 0 && cols > s.room()/rows {
		s.fail("%d×%d numbers for %s, more than the rest of the file can hold", rows, cols, what)
	}
	return s.err == nil
}

// word consumes the given token.
func (s *scanner) word(want string) {
	if s.err != nil {
		return
	}
	tok := s.peek()
	if string(tok) != want {
		s.fail("%q", want)
		return
	}
	s.pos += len(tok)
}

// skipLine moves to the start of the next line.
func (s *scanner) skipLine() {
	end := bytes.IndexByte(s.data[s.pos:], '\n')
	if end < 0 {
		s.pos = len(s.data)
		return
	}
	s.pos += end
}

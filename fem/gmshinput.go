package fem

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// gmshInput reads the values of a file of Gmsh: words of text, or bytes. After the first error there are zeros.
type gmshInput struct {
	ctx   context.Context
	in    *bufio.Reader
	line  int              // of text, from 1
	read  int              // values
	bytes binary.ByteOrder // nil: the file is text
	err   error
}

func (s *gmshInput) fail(err error) {
	if s.err == nil {
		s.err = err
	}
}

// tick counts a value; false if there are no more to be read.
func (s *gmshInput) tick() bool {
	if s.read++; s.read%4096 == 0 && s.ctx.Err() != nil { // some tenths of a millisecond
		s.fail(context.Cause(s.ctx))
	}
	return s.err == nil
}

// word returns the next word; empty at the end of the file.
func (s *gmshInput) word() string {
	var w []byte
	for s.tick() {
		c, err := s.in.ReadByte()
		switch space := c == ' ' || c == '\t' || c == '\r' || c == '\n'; {
		case err == io.EOF:
			return string(w)
		case err != nil:
			s.fail(err)
		case space && len(w) > 0:
			s.fail(s.in.UnreadByte())
			return string(w)
		case c == '\n':
			s.line++
		case !space:
			if w = append(w, c); len(w) > 4096 { // numbers and names of sections are shorter
				s.fail(errors.New("a word is longer than 4096 letters"))
			}
		}
	}
	return ""
}

// rest returns the rest of a line: its first part, as long as the reader's buffer, of a line that is longer.
func (s *gmshInput) rest() string {
	text, err := s.in.ReadSlice('\n')
	s.line++
	if err != nil && err != bufio.ErrBufferFull && (err != io.EOF || len(text) == 0) {
		s.fail(io.ErrUnexpectedEOF)
	}
	s.tick()
	return strings.TrimSpace(string(text))
}

// skipLine passes over the rest of a line of any length.
func (s *gmshInput) skipLine() {
	for s.tick() {
		if _, err := s.in.ReadSlice('\n'); err == nil {
			s.line++
			return
		} else if err != bufio.ErrBufferFull {
			s.fail(io.ErrUnexpectedEOF)
		}
	}
}

// raw reads bytes.
func (s *gmshInput) raw(n int) []byte {
	var b [8]byte
	if s.tick() {
		if _, err := io.ReadFull(s.in, b[:n]); err != nil {
			s.fail(io.ErrUnexpectedEOF)
		}
	}
	return b[:n]
}

// integer reads one, of bytes the number given.
func (s *gmshInput) integer(bytes int) int {
	switch {
	case s.bytes != nil && bytes == 4:
		return int(int32(s.bytes.Uint32(s.raw(4))))
	case s.bytes != nil:
		return int(s.bytes.Uint64(s.raw(8)))
	}
	w := s.word()
	if s.err != nil {
		return 0
	}
	n, err := strconv.Atoi(w)
	if w == "" {
		s.fail(io.ErrUnexpectedEOF)
	} else if err != nil {
		s.fail(fmt.Errorf("%q is not an integer", w))
	}
	return n
}

// count reads a number of things. No memory is taken for what it announces before that is there.
func (s *gmshInput) count(bytes int) int {
	n := s.integer(bytes)
	if n < 0 {
		s.fail(fmt.Errorf("a count is %d, want >= 0", n))
	}
	return n
}

// integers reads n of them and keeps what there is.
func (s *gmshInput) integers(n, bytes int) (list []int) {
	for i := 0; i < n && s.err == nil; i++ {
		list = append(list, s.integer(bytes))
	}
	return list
}

// real reads a finite number.
func (s *gmshInput) real() float64 {
	if s.bytes != nil {
		x := math.Float64frombits(s.bytes.Uint64(s.raw(8)))
		if math.IsNaN(x) || math.IsInf(x, 0) {
			s.fail(fmt.Errorf("a coordinate is %g, want a finite number", x))
		}
		return x
	}
	w := s.word()
	x, err := strconv.ParseFloat(w, 64)
	if w == "" {
		s.fail(io.ErrUnexpectedEOF)
	} else if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
		s.fail(fmt.Errorf("a coordinate is %q, which is not a finite number", w))
	}
	return x
}

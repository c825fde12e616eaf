package serve

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
)

const (
	// mostHead is the longest head [byte]: a case of some hundred thousand lines.
	mostHead = 256 << 20
	// mostBody is the longest body [byte]: what a machine of today may hold.
	mostBody = 1 << 40
)

// Array is a named array of numbers.
type Array struct {
	Name   string    `json:"name"`
	Type   string    `json:"type"` // f8 or i8
	Shape  []int     `json:"shape"`
	Floats []float64 `json:"-"` // of f8, row by row
	Ints   []int64   `json:"-"` // of i8
}

// floats is an array of float64.
func floats(name string, values []float64, shape ...int) Array {
	if values == nil {
		values = []float64{}
	}
	return Array{Name: name, Type: "f8", Shape: shape, Floats: values}
}

// count is the number of entries of an array; an error: the shape is none.
func (a *Array) count() (int, error) {
	n := 1
	for _, d := range a.Shape {
		if d < 0 || d > 0 && n > math.MaxInt/8/d {
			return 0, fmt.Errorf("array %q has the shape %v", a.Name, a.Shape)
		}
		n *= d
	}
	return n, nil
}

// request is the head of a call.
type request struct {
	ID     int64           `json:"id"`
	Call   string          `json:"call"`
	Args   json.RawMessage `json:"args"`
	Arrays []Array         `json:"arrays"`
}

// response is the head of an answer.
type response struct {
	ID     int64   `json:"id"`
	Result any     `json:"result,omitempty"`
	Error  *Fault  `json:"error,omitempty"`
	Arrays []Array `json:"arrays,omitempty"`
}

// errFrame is a stream that is no sequence of frames: nothing behind it can be understood.
var errFrame = errors.New("serve: not a frame")

// readFrame reads a call. io.EOF: there is none any more.
func readFrame(r io.Reader) (*request, error) {
	var lead [12]byte
	if _, err := io.ReadFull(r, lead[:]); err != nil {
		if errors.Is(err, io.ErrUnexpectedEOF) {
			err = fmt.Errorf("%w: it ends within the lengths", errFrame)
		}
		return nil, err
	}
	head, body := binary.LittleEndian.Uint32(lead[:]), binary.LittleEndian.Uint64(lead[4:])
	if head > mostHead || body > mostBody {
		return nil, fmt.Errorf("%w: lengths %d and %d, want at most %d and %d", errFrame, head, body, mostHead, int64(mostBody))
	}
	text, err := readExactly(r, int64(head))
	if err != nil {
		return nil, err
	}
	numbers, err := readExactly(r, int64(body))
	if err != nil {
		return nil, err
	}
	q := &request{}
	if err := json.Unmarshal(text, q); err != nil {
		return q, fmt.Errorf("serve: the head is no call: %w", err)
	}
	return q, q.fill(numbers)
}

// readExactly reads n bytes. Memory grows with what comes, not with what was promised.
func readExactly(r io.Reader, n int64) ([]byte, error) {
	var b bytes.Buffer
	if n <= 1<<20 {
		b.Grow(int(n))
	}
	if got, err := io.CopyN(&b, r, n); err != nil {
		return nil, fmt.Errorf("%w: it ends after %d of %d bytes", errFrame, got, n)
	}
	return b.Bytes(), nil
}

// fill gives the arrays of a call their numbers.
func (q *request) fill(body []byte) error {
	for i := range q.Arrays {
		a := &q.Arrays[i]
		n, err := a.count()
		if err != nil {
			return fmt.Errorf("serve: %w", err)
		}
		if len(body) < 8*n {
			return fmt.Errorf("serve: array %q has %d entries, and %d bytes are left of the body", a.Name, n, len(body))
		}
		switch a.Type {
		case "f8":
			a.Floats = make([]float64, n)
			for k := range a.Floats {
				a.Floats[k] = math.Float64frombits(binary.LittleEndian.Uint64(body[8*k:]))
			}
		case "i8":
			a.Ints = make([]int64, n)
			for k := range a.Ints {
				a.Ints[k] = int64(binary.LittleEndian.Uint64(body[8*k:]))
			}
		default:
			return fmt.Errorf("serve: array %q is of type %q, want f8 or i8", a.Name, a.Type)
		}
		body = body[8*n:]
	}
	if len(body) > 0 {
		return fmt.Errorf("serve: %d bytes of the body are of no array", len(body))
	}
	return nil
}

// appendFrame appends an answer.
func appendFrame(dst []byte, s *response) ([]byte, error) {
	head, err := json.Marshal(s)
	if err != nil {
		return dst, err
	}
	size := 0
	for i := range s.Arrays {
		size += 8 * (len(s.Arrays[i].Floats) + len(s.Arrays[i].Ints))
	}
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(head)))
	dst = binary.LittleEndian.AppendUint64(dst, uint64(size))
	dst = append(dst, head...)
	for i := range s.Arrays {
		for _, x := range s.Arrays[i].Floats {
			dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(x))
		}
		for _, x := range s.Arrays[i].Ints {
			dst = binary.LittleEndian.AppendUint64(dst, uint64(x))
		}
	}
	return dst, nil
}

package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// ServeLines answers messages of one line each, as standard input has them, until in ends or ctx is
// done. A line that is no message of JSON-RPC 2.0 is answered by the error that this asks for, with
// the id null; the transport of the SDK would end there.
func (s *Server) ServeLines(ctx context.Context, in io.ReadCloser, out io.WriteCloser) error {
	answers := &answers{WriteCloser: out, awaited: map[any]bool{}, idle: make(chan struct{}, 1)}
	return s.Serve(ctx, &sdk.IOTransport{Reader: &messages{Closer: in, ctx: ctx, lines: bufio.NewReader(in), answers: answers}, Writer: answers})
}

// answers is the output, on which one writes at a time, one message a call.
type answers struct {
	io.WriteCloser
	mu      sync.Mutex
	awaited map[any]bool  // ids of the requests that were read and are not answered
	idle    chan struct{} // has room for one: all that was awaited is answered
}

func (a *answers) Write(p []byte) (int, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	n, err := a.WriteCloser.Write(p)
	var m message
	if json.Unmarshal(p, &m) == nil && m.Method == "" {
		a.settle(m.ID)
	}
	return n, err
}

// message is what tells requests, which have an id and a method, from answers and notifications.
type message struct {
	ID     any
	Method string
	Params struct {
		RequestID any // of the request that a notification takes back, which may have no answer
	}
}

// expect takes note of what a message asks for.
func (a *answers) expect(line []byte) {
	a.mu.Lock()
	defer a.mu.Unlock()
	var m message
	_ = json.Unmarshal(line, &m) // what of it has other types is not one of these
	switch {
	case m.Method == "notifications/cancelled":
		a.settle(m.Params.RequestID)
	case m.Method != "" && m.ID != nil:
		a.awaited[m.ID] = true
	}
}

func (a *answers) settle(id any) {
	switch id.(type) {
	case string, float64:
		delete(a.awaited, id)
	}
	if len(a.awaited) == 0 {
		select {
		case a.idle <- struct{}{}:
		default:
		}
	}
}

// finish waits until all that was asked for is answered, or ctx is done: at the end of the input the SDK ends what it
// is about.
func (a *answers) finish(ctx context.Context) {
	for {
		a.mu.Lock()
		left := len(a.awaited)
		a.mu.Unlock()
		if left == 0 {
			return
		}
		select {
		case <-a.idle:
		case <-ctx.Done():
			return
		}
	}
}

// messages reads the lines that are messages.
type messages struct {
	io.Closer
	ctx     context.Context
	lines   *bufio.Reader
	answers *answers
	line    []byte            // what is left of the present one
	list    []json.RawMessage // the messages that follow it, of a line that was a list
}

func (m *messages) Read(p []byte) (int, error) {
	for len(m.line) == 0 {
		err := m.next()
		if refused, ok := errors.AsType[*jsonrpc.Error](err); ok {
			text, _ := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": nil, "error": refused}) // of texts and a number
			_, err = m.answers.Write(append(text, '\n'))
		}
		if err != nil {
			m.answers.finish(m.ctx)
			return 0, err
		}
	}
	n := copy(p, m.line)
	m.line = m.line[n:]
	return n, nil
}

// next reads a message. Those of a list are taken, and answered, one by one: protocol versions before
// 2025-06-18 have lists, and the SDK ends the session of a later one that sends any.
func (m *messages) next() error {
	if len(m.list) == 0 {
		line, err := readLine(m.lines)
		if line = bytes.TrimSpace(line); err != nil || len(line) == 0 {
			return err
		}
		m.list = []json.RawMessage{line}
		if line[0] == '[' || !json.Valid(line) {
			if err := json.Unmarshal(line, &m.list); err != nil {
				m.list = nil
				return &jsonrpc.Error{Code: jsonrpc.CodeParseError, Message: fmt.Sprintf("the line is not JSON: %v", err)}
			}
		}
		if len(m.list) == 0 {
			return &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: "the list has no message"}
		}
	}
	one := m.list[0]
	m.list = m.list[1:]
	if err := examine(one); err != nil {
		return &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: fmt.Sprintf("this is no message of JSON-RPC 2.0: %v", err)}
	}
	m.answers.expect(one)
	m.line = append(bytes.Clone(one), '\n')
	return nil
}

// examine says why a text is no message. An id is a text or an integer that a float64 holds, as the
// SDK keeps it; the protocol has no others.
func examine(text []byte) error {
	var message map[string]any
	if err := json.Unmarshal(text, &message); err != nil {
		return err
	}
	id, there := message["id"]
	number, isNumber := id.(float64)
	if _, isText := id.(string); there && !isText && !(isNumber && number == math.Trunc(number) && math.Abs(number) <= 1<<53) {
		return errors.New("its id is neither a text nor an integer")
	}
	_, err := jsonrpc.DecodeMessage(text)
	return err
}

// readLine reads up to the end of a line, which it leaves out. Of one that is longer than messages
// may be, nothing is kept.
func readLine(r *bufio.Reader) ([]byte, error) {
	var line []byte
	size := 0
	for {
		part, err := r.ReadSlice('\n')
		if size += len(part); size <= sdk.DefaultMaxLineLength {
			line = append(line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case size == 0 || err != nil && !errors.Is(err, io.EOF):
			return nil, err
		case size > sdk.DefaultMaxLineLength:
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: fmt.Sprintf("the line has more than %d bytes", sdk.DefaultMaxLineLength)}
		}
		return bytes.TrimRight(line, "\r\n"), nil
	}
}

package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// ServeLines answers messages of one line each, as standard input has them, until in ends or ctx is
// done. A line that is no message of JSON-RPC 2.0 is answered by the error that this asks for, with
// the id null; the transport of the SDK would end there.
func (s *Server) ServeLines(ctx context.Context, in io.ReadCloser, out io.WriteCloser) error {
	answers := &answers{WriteCloser: out}
	return s.Serve(ctx, &sdk.IOTransport{Reader: &messages{Closer: in, lines: bufio.NewReader(in), answers: answers}, Writer: answers})
}

// answers is the output, on which one writes at a time.
type answers struct {
	io.WriteCloser
	mu sync.Mutex
}

func (a *answers) Write(p []byte) (int, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.WriteCloser.Write(p)
}

// messages reads the lines that are messages.
type messages struct {
	io.Closer
	lines   *bufio.Reader
	answers io.Writer
	line    []byte // what is left of the present one
}

func (m *messages) Read(p []byte) (int, error) {
	for len(m.line) == 0 {
		line, err := readLine(m.lines)
		var refused *jsonrpc.Error
		switch {
		case errors.As(err, &refused):
		case err != nil:
			return 0, err
		case len(bytes.TrimSpace(line)) == 0:
			continue
		default:
			refused = refuse(line)
		}
		if refused == nil {
			m.line = append(line, '\n')
			break
		}
		text, _ := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": nil, "error": refused}) // of texts and a number
		if _, err := m.answers.Write(append(text, '\n')); err != nil {
			return 0, err
		}
	}
	n := copy(p, m.line)
	m.line = m.line[n:]
	return n, nil
}

// refuse says why a line is no message, nor a list of messages; nil: it is.
func refuse(line []byte) *jsonrpc.Error {
	if !json.Valid(line) {
		var any json.RawMessage
		return &jsonrpc.Error{Code: jsonrpc.CodeParseError, Message: fmt.Sprintf("the line is not JSON: %v", json.Unmarshal(line, &any))}
	}
	list := []json.RawMessage{line}
	if bytes.HasPrefix(bytes.TrimSpace(line), []byte("[")) {
		_ = json.Unmarshal(line, &list) // it is valid
	}
	for _, one := range list {
		if _, err := jsonrpc.DecodeMessage(one); err != nil {
			return &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: fmt.Sprintf("the line is no message of JSON-RPC 2.0: %v", err)}
		}
	}
	if len(list) == 0 {
		return &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: "the list has no message"}
	}
	return nil
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

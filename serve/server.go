package serve

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"slices"
	"sync"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/internal/nearest"
	"github.com/quasistatic/quasistatic/internal/processor"
	"github.com/quasistatic/quasistatic/internal/relay"
	"github.com/quasistatic/quasistatic/memory"
	"github.com/quasistatic/quasistatic/run"
)

// Protocol is the number of this protocol: a client refuses others.
const Protocol = 1

// Fault is why a call has no result.
type Fault struct {
	// Kind is case (the case is wrong: Faults), input, failed, memory, cancelled or program.
	Kind    string      `json:"kind"`
	Message string      `json:"message"`
	Faults  []caseFault `json:"faults,omitempty"`
}

// caseFault is a [casefile.Fault].
type caseFault struct {
	Line   int    `json:"line"` // from 1; 0 if it has no place
	Column int    `json:"column"`
	Path   string `json:"path"`
	Text   string `json:"text"`
}

func (f *Fault) Error() string { return f.Message }

func wrong(format string, args ...any) error {
	return &Fault{Kind: "input", Message: fmt.Sprintf(format, args...)}
}

// Server answers the calls of one client.
type Server struct {
	Memory int64 // the most that all calls at once may take [byte]; 0: what is free

	started sync.Once
	budget  *memory.Budget
	out     io.Writer
	mu      sync.Mutex // of what follows
	ends    map[int64]context.CancelCauseFunc
	buffer  []byte
	failed  error // of the first write
}

// Serve answers until its input ends, a frame cannot be read, or ctx is done; calls that are not
// answered by then are cancelled. Calls run at once, one a core.
func (s *Server) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	ctx, cancel := context.WithCancel(ctx)
	s.out, s.ends = out, map[int64]context.CancelCauseFunc{}
	s.start()
	room := make(chan struct{}, runtime.GOMAXPROCS(0))
	var calls sync.WaitGroup
	defer calls.Wait()
	defer cancel()
	frames := bufio.NewReaderSize(in, 1<<16)
	for {
		q, err := readFrame(frames)
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case q == nil:
			return err
		case err != nil:
			s.answer(&response{ID: q.ID, Error: faultOf(&Fault{Kind: "input", Message: err.Error()})})
			continue
		}
		if s.cancels(q) {
			continue
		}
		own, end := context.WithCancelCause(ctx)
		if !s.begin(q.ID, end) {
			s.answer(&response{ID: q.ID, Error: faultOf(wrong("call %d is still being answered", q.ID))})
			end(nil)
			continue
		}
		calls.Go(func() {
			defer s.end(q.ID)
			select {
			case room <- struct{}{}:
				defer func() { <-room }()
			case <-own.Done():
			}
			s.answer(s.call(own, q))
		})
		if err := s.fault(); err != nil {
			return err
		}
	}
}

// cancels ends the call that a call {"call": "cancel", "args": {"id": n}} names.
func (s *Server) cancels(q *request) bool {
	if q.Call != "cancel" {
		return false
	}
	var args struct {
		ID int64 `json:"id"`
	}
	err := decode(q.Args, &args)
	s.mu.Lock()
	if end := s.ends[args.ID]; err == nil && end != nil {
		end(context.Canceled)
	}
	s.mu.Unlock()
	s.answer(&response{ID: q.ID, Result: struct{}{}, Error: faultOf(err)})
	return true
}

func (s *Server) start() { s.started.Do(func() { s.budget = memory.BudgetWithin(s.Memory) }) }

// Call makes one call in this process, for other protocols: its result without the arrays, or an
// error that is a [Fault].
func (s *Server) Call(ctx context.Context, name string, args any) (any, error) {
	s.start()
	text, err := json.Marshal(args)
	if err != nil {
		return nil, faultOf(wrong("arguments: %v", err))
	}
	if a := s.call(ctx, &request{Call: name, Args: text}); a.Error != nil {
		return nil, a.Error
	} else {
		return a.Result, nil
	}
}

func (s *Server) begin(id int64, end context.CancelCauseFunc) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ends[id] != nil {
		return false
	}
	s.ends[id] = end
	return true
}

func (s *Server) end(id int64) {
	s.mu.Lock()
	end := s.ends[id]
	delete(s.ends, id)
	s.mu.Unlock()
	end(nil)
}

func (s *Server) fault() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.failed
}

// calls are those that there are.
var calls = map[string]func(s *Server, ctx context.Context, q *request) (result any, arrays []Array, err error){
	"hello":       (*Server).hello,
	"cases":       (*Server).cases,
	"case":        (*Server).caseText,
	"schema":      (*Server).schema,
	"run":         (*Server).run,
	"runs":        (*Server).runs,
	"read":        (*Server).read,
	"report":      (*Server).report,
	"check":       (*Server).check,
	"diagnose":    (*Server).diagnose,
	"sensitivity": (*Server).sensitivity,
	"lcp":         (*Server).lcp,
	"contact":     (*Server).contact,
	"solve":       (*Server).solve,
}

// call makes a call; a panic in it is an answer, and the server goes on.
func (s *Server) call(ctx context.Context, q *request) (answer *response) {
	answer = &response{ID: q.ID}
	defer func() {
		if p := relay.Caught(recover()); p != nil {
			name, _, _, _ := p.Save(fmt.Sprintf("quasistatic %s, serve, call %s\n", run.Version(), q.Call))
			*answer = response{ID: q.ID, Error: &Fault{Kind: "program",
				Message: fmt.Sprintf("a fault of the program, not of the input: %v (its stack is in %s)", p.Value, name)}}
		}
	}()
	f, ok := calls[q.Call]
	if !ok {
		answer.Error = faultOf(wrong("there is no call %q%s", q.Call, nearest.Hint(q.Call, names())))
		return answer
	}
	if ctx.Err() == nil {
		var err error
		if answer.Result, answer.Arrays, err = f(s, ctx, q); err == nil {
			return answer
		} else if ctx.Err() == nil {
			*answer = response{ID: q.ID, Error: faultOf(err)}
			return answer
		}
	}
	*answer = response{ID: q.ID, Error: &Fault{Kind: "cancelled", Message: "the call was cancelled"}}
	return answer
}

func names() []string {
	list := []string{"cancel"}
	for name := range calls {
		list = append(list, name)
	}
	slices.Sort(list)
	return list
}

// faultOf is an error as a client sees it.
func faultOf(err error) *Fault {
	if err == nil {
		return nil
	}
	if f, ok := errors.AsType[*Fault](err); ok {
		return f
	}
	if c, ok := errors.AsType[*casefile.Error](err); ok {
		if filepath.Base(c.File) == unnamed {
			c.File = unnamed
		}
		f := &Fault{Kind: "case", Message: c.Error()}
		for _, x := range c.Faults {
			f.Faults = append(f.Faults, caseFault{x.Line, x.Column, x.Path, x.Text})
		}
		return f
	}
	if m, ok := errors.AsType[*memory.ExceededError](err); ok {
		return &Fault{Kind: "memory", Message: m.Error()}
	}
	return &Fault{Kind: "failed", Message: err.Error()}
}

// answer writes an answer, whole.
func (s *Server) answer(a *response) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var err error
	if s.buffer, err = appendFrame(s.buffer[:0], a); err != nil {
		s.buffer, err = appendFrame(s.buffer[:0], &response{ID: a.ID,
			Error: &Fault{Kind: "failed", Message: "the answer cannot be written: " + err.Error()}})
	}
	if err == nil {
		_, err = s.out.Write(s.buffer)
	}
	if s.failed == nil {
		s.failed = err
	}
	if cap(s.buffer) > 64<<20 { // of a large answer: not kept
		s.buffer = nil
	}
}

// decode reads the arguments of a call: a key that is none is a fault.
func decode(args json.RawMessage, into any) error {
	if len(args) == 0 {
		args = []byte("{}")
	}
	d := json.NewDecoder(bytes.NewReader(args))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return wrong("arguments: %v", err)
	}
	return nil
}

func (s *Server) hello(_ context.Context, q *request) (any, []Array, error) {
	return map[string]any{"protocol": Protocol, "version": run.Version(), "processor": processor.Kind()}, nil, decode(q.Args, &struct{}{})
}

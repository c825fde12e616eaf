package mcp_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/quasistatic/quasistatic/mcp"
)

// serving, in the environment, makes the test program a server by standard input and output.
const serving = "QUASISTATIC_TEST_MCP"

func TestMain(m *testing.M) {
	if os.Getenv(serving) == "" {
		os.Exit(m.Run())
	}
	if err := (&mcp.Server{}).ServeLines(context.Background(), os.Stdin, os.Stdout); err != nil {
		os.Exit(1)
	}
}

// agent is a client of the SDK.
type agent struct {
	*testing.T
	*sdk.ClientSession
}

func connect(t *testing.T, s *mcp.Server) agent {
	t.Helper()
	server, client := sdk.NewInMemoryTransports()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, server) }()
	session, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), client, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = session.Close() // the server's end is what counts
		cancel()
		<-ended
	})
	return agent{t, session}
}

// call returns what a tool answers, and whether it says that something is wrong.
func (a agent) call(tool string, args any) (string, bool) {
	a.Helper()
	r, err := a.CallTool(a.Context(), &sdk.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		return err.Error(), true
	}
	var texts []string
	for _, c := range r.Content {
		texts = append(texts, c.(*sdk.TextContent).Text)
	}
	return strings.Join(texts, "\n"), r.IsError
}

// result reads the answer of a call that must succeed.
func (a agent) result(tool string, args, into any) {
	a.Helper()
	text, wrong := a.call(tool, args)
	if wrong {
		a.Fatalf("%s %v: %s", tool, args, text)
	}
	if err := json.Unmarshal([]byte(text), into); err != nil {
		a.Fatalf("%s: %v in %.200s", tool, err, text)
	}
}

type object = map[string]any

func TestTools(t *testing.T) {
	a := connect(t, &mcp.Server{})
	if !strings.Contains(a.InitializeResult().Instructions, "exit code") {
		t.Errorf("the instructions are %.100q", a.InitializeResult().Instructions)
	}
	list, err := a.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, x := range list.Tools {
		names = append(names, x.Name)
		if input, _ := x.InputSchema.(map[string]any); x.Description == "" || input["type"] != "object" {
			t.Errorf("%s: %q, %v", x.Name, x.Description, x.InputSchema)
		}
	}
	slices.Sort(names)
	if want := []string{"cases", "check", "diagnose", "explain", "run", "schema", "sensitivity"}; !slices.Equal(names, want) {
		t.Errorf("the tools are %v, want %v", names, want)
	}

	var found struct {
		Cases []struct{ Name, Model, Description string }
	}
	a.result("cases", object{"words": "energetic grazing"}, &found)
	if len(found.Cases) == 0 || len(found.Cases) > 20 ||
		!slices.ContainsFunc(found.Cases, func(c struct{ Name, Model, Description string }) bool { return c.Name == "grazing" }) {
		t.Errorf("%v", found)
	}
	var text struct{ Model string }
	if a.result("cases", object{"name": "grazing"}, &text); text.Model != "energetic" {
		t.Errorf("%v", text)
	}
	var schema struct{ Properties map[string]any }
	if a.result("schema", object{"name": "energetic"}, &schema); schema.Properties["particles"] == nil {
		t.Error("the schema has no particles")
	}
	if schema.Properties["parameters"] == nil || schema.Properties["include"] == nil {
		t.Error("the schema is not that of cases as they are written: it has no parameters and no include")
	}
	if text, wrong := a.call("schema", object{"name": "energetik"}); !wrong || !strings.Contains(text, "energetic") {
		t.Error(text)
	}
}

// play is a particle that follows a spring with play: the spring's end is at u = sin 2πt and at the
// height -.3, so that N = 5 · .3 = 1.5 N, and it slides where 2 N/m |u - x| = .4 · 1.5 N.
const play = `{"name": "play", "model": "energetic", "until": 0.25, "steps": 400, "friction": {"dry": {"mu": 0.4}},
	"particles": [{"id": "p", "at": [0, 0, 0], "friction": "dry"}],
	"anchors": [{"id": "u", "at": {"sine": {"amplitude": [1, 0, 0], "frequency": 1, "offset": [0, 0, -0.3]}}}],
	"energies": [{"type": "tether", "particle": "p", "anchor": "u", "stiffness": [2, 2, 5]}]}`

func TestRun(t *testing.T) {
	dir := t.TempDir()
	a := connect(t, &mcp.Server{Folder: dir, Patience: time.Minute})
	var s struct {
		Certified, Met bool
		Facts          []struct{ Name string }
		Expectations   []struct{ Found float64 }
	}
	with := strings.Replace(play, `{"name"`, `{"expect": [{"quantity": "position", "particle": "p", "axis": "x", "value": 0.7, "tolerance": 1e-3}], "name"`,
		1)
	if a.result("run", object{"case": json.RawMessage(with)}, &s); !s.Certified || !s.Met || len(s.Facts) == 0 {
		t.Errorf("%+v", s)
	}
	// μ is to be .5: x(¼) = 1 - .75/2 = .625, so the expectation is not met, which is no fault.
	if a.result("run", object{"case": json.RawMessage(with), "set": []string{"friction.dry.mu=0.5"}}, &s); !s.Certified || s.Met {
		t.Errorf("%+v", s)
	}
	if a.result("run", object{"case": json.RawMessage(play), "set": []string{"steps=3"}}, &s); s.Certified {
		t.Errorf("three steps are certified: %+v", s)
	}
	// The files are in the folder and nowhere else, and are certified by another call.
	if err := os.WriteFile(filepath.Join(dir, "mine.json"), []byte(play), 0o666); err != nil {
		t.Fatal(err)
	}
	if a.result("run", object{"case": "mine.json", "out": "runs/a"}, &s); !s.Certified {
		t.Errorf("%+v", s)
	}
	if _, err := os.Stat(filepath.Join(dir, "runs", "a", "trajectory.csv")); err != nil {
		t.Error(err)
	}
	if a.result("diagnose", object{"folder": "runs/a"}, &s); !s.Certified {
		t.Errorf("%+v", s)
	}
	f, err := os.OpenFile(filepath.Join(dir, "runs", "a", "trajectory.csv"), os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteAt([]byte("8"), 400); err != nil {
		t.Fatal(err)
	}
	f.Close()
	if text, wrong := a.call("diagnose", object{"folder": "runs/a"}); !wrong && strings.Contains(text, `"certified":true`) {
		t.Errorf("a changed file is certified: %.300s", text)
	}
	// x(¼) = 1 - 1.5 μ/2: its derivative by μ is -¾.
	var d []struct {
		Quantities []struct{ Value, Derivative float64 }
		From, To   *float64
	}
	a.result("sensitivity", object{"case": json.RawMessage(play),
		"of": []string{"position particle=p axis=x time=0.25"}, "by": []string{"friction.dry.mu"}}, &d)
	if len(d) != 1 || len(d[0].Quantities) != 1 || d[0].Quantities[0].Derivative+0.75 > 1e-9 || d[0].Quantities[0].Derivative+0.75 < -1e-9 {
		t.Errorf("%+v", d)
	}
}

// TestFaults: each is an answer that the agent can read, with its place, and can have explained.
func TestFaults(t *testing.T) {
	a := connect(t, &mcp.Server{})
	for _, c := range []struct{ text, want string }{
		{strings.Replace(play, `"mu": 0.4`, `"mu": -1`, 1), "$.friction.dry.mu"},
		{strings.Replace(play, `"steps": 400`, `"stepps": 400`, 1), `nearest valid one is "steps"`},
		{strings.Replace(play, `"until": 0.25`, `"until": 1, "until": 0.25`, 1), "until"},
	} {
		for _, tool := range []string{"check", "run"} {
			if text, wrong := a.call(tool, object{"case": json.RawMessage(c.text)}); !wrong ||
				!strings.Contains(text, c.want) || !strings.Contains(text, `"path"`) {
				t.Errorf("%s: %s, want %s", tool, text, c.want)
			}
		}
	}
	var x struct {
		Path  string
		Rules []struct {
			Description string
			Wanted      []string
			Keys        []string
		}
		Note    string
		Example *struct{ Case, Path string }
	}
	a.result("explain", object{"fault": `case:1:2: $.friction.dry.mu: found -1, want a number >= 0`, "model": "energetic"}, &x)
	if x.Path != "$.friction.dry.mu" || len(x.Rules) == 0 || x.Example == nil || !strings.HasSuffix(x.Example.Path, ".mu") {
		t.Errorf("%+v", x)
	}
	a.result("explain", object{"fault": "$.steps", "model": "energetic"}, &x)
	if len(x.Rules) == 0 || !strings.Contains(strings.ToLower(x.Rules[0].Description), "step") || x.Note != "" {
		t.Errorf("%+v", x)
	}
	a.result("explain", object{"fault": "$.particles[0].colour", "model": "energetic"}, &x)
	if x.Note == "" || x.Path != "$.particles[0]" || !slices.ContainsFunc(x.Rules, func(r struct {
		Description string
		Wanted      []string
		Keys        []string
	}) bool {
		return slices.Contains(r.Keys, "friction")
	}) {
		t.Errorf("%+v", x)
	}
	if text, wrong := a.call("explain", object{"fault": "$.x", "model": "energetik"}); !wrong || !strings.Contains(text, `"energetic"`) {
		t.Error(text)
	}
}

// TestPlaces: nothing outside of the folder is read or written, by whatever name.
func TestPlaces(t *testing.T) {
	outside, dir := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(outside, "secret.json"), []byte(play), 0o666); err != nil {
		t.Fatal(err)
	}
	for from, to := range map[string]string{"link": outside, "file.json": filepath.Join(outside, "secret.json"),
		"dangling": filepath.Join(outside, "new")} {
		if err := os.Symlink(to, filepath.Join(dir, from)); err != nil {
			t.Skip(err)
		}
	}
	within, none := connect(t, &mcp.Server{Folder: dir}), connect(t, &mcp.Server{})
	up, err := filepath.Rel(dir, outside)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{filepath.Join(outside, "secret.json"), filepath.Join(up, "secret.json"),
		"link/secret.json", "file.json"} {
		for _, a := range []agent{within, none} {
			if text, wrong := a.call("run", object{"case": name}); !wrong {
				t.Errorf("%s was read: %.100s", name, text)
			}
		}
	}
	for _, name := range []string{filepath.Join(outside, "out"), filepath.Join(up, "out"), "link/out", "dangling", "dangling/out", ".."} {
		for _, a := range []agent{within, none} {
			if text, wrong := a.call("run", object{"case": json.RawMessage(play), "out": name}); !wrong {
				t.Errorf("%s was written: %.100s", name, text)
			}
			if text, wrong := a.call("diagnose", object{"folder": name}); !wrong {
				t.Errorf("%s was read: %.100s", name, text)
			}
		}
	}
	if text, wrong := none.call("run", object{"case": json.RawMessage(play), "out": "a"}); !wrong || !strings.Contains(text, "--folder") {
		t.Error(text)
	}
	// A case that names a file beside it finds it in the folder, and without one nowhere.
	if err := os.WriteFile(filepath.Join(dir, "f.csv"), []byte("t,x\n0,0\n1,1\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	named := strings.Replace(play, `"amplitude": [1, 0, 0], "frequency": 1, "offset": [0, 0, -0.3]`, `"X"`, 1)
	named = strings.Replace(named, `{"sine": {"X"}}`, `[{"csv": "f.csv", "time": "t", "value": "x"}, 0, -0.3]`, 1)
	_, wrongWithin := within.call("run", object{"case": json.RawMessage(named)})
	_, wrongNone := none.call("run", object{"case": json.RawMessage(named)})
	if wrongWithin || !wrongNone {
		text, _ := within.call("run", object{"case": json.RawMessage(named)})
		t.Errorf("a file beside the case: with a folder %v, without %v: %.300s", wrongWithin, wrongNone, text)
	}
	list, err := os.ReadDir(outside)
	if err != nil || len(list) != 1 {
		t.Errorf("%v is there (%v)", list, err)
	}
}

// TestLimits: a call that takes too long or too much is refused, and the next one is answered.
func TestLimits(t *testing.T) {
	long := object{"case": json.RawMessage(play), "set": []string{"steps=3000000"}}
	a := connect(t, &mcp.Server{Patience: 200 * time.Millisecond})
	began := time.Now()
	if text, wrong := a.call("run", long); !wrong || !strings.Contains(text, "longer than the 200ms") {
		t.Error(text)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	b := connect(t, &mcp.Server{})
	if _, err := b.CallTool(ctx, &sdk.CallToolParams{Name: "run", Arguments: long}); err == nil {
		t.Error("a call that was given up is answered")
	}
	if took := time.Since(began); took > 20*time.Second {
		t.Errorf("both took %v", took)
	}
	for _, a := range []agent{a, b} {
		var s struct{ Certified bool }
		if a.result("run", object{"case": json.RawMessage(play), "set": []string{"steps=20", "accuracy=0.5"}}, &s); !s.Certified {
			t.Errorf("%+v", s)
		}
	}
	if text, wrong := connect(t, &mcp.Server{Memory: 1 << 10}).call("run",
		object{"case": json.RawMessage(play)}); !wrong || !strings.Contains(text, "memory") {
		t.Error(text)
	}
}

// TestStdio: a process is spoken to, and ends when its input does.
func TestStdio(t *testing.T) {
	command := exec.Command(os.Args[0])
	command.Env = append(os.Environ(), serving+"=1")
	session, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(),
		&sdk.CommandTransport{Command: command}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var s struct{ Certified bool }
	if (agent{t, session}).result("run", object{"case": "grazing"}, &s); !s.Certified {
		t.Errorf("%+v", s)
	}
	if err := session.Close(); err != nil || !command.ProcessState.Success() {
		t.Errorf("%v, %v", err, command.ProcessState)
	}
}

// What is no message is answered as JSON-RPC asks for, and the messages after it as ever.
func TestLinesThatAreNoMessages(t *testing.T) {
	lines := []string{
		"hello", `{"jsonrpc":"2.0",`, "42", "{}", "[]", `[{"jsonrpc":"2.0","id":3,"method":"ping"},7]`, "", " \r", strings.Repeat("x", 17<<20),
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`,
		"\x00\xff", `[{"jsonrpc":"2.0","id":4,"method":"ping"},{"jsonrpc":"2.0","id":5,"method":"ping"}]`,
		`{"jsonrpc":"2.0","id":1.5,"method":"ping"}`, `{"jsonrpc":"2.0","id":null,"method":"ping"}`, `{"jsonrpc":"2.0","id":1e300,"method":"ping"}`,
		`{"jsonrpc":"2.0","id":2,"method":"ping"}`,
	}
	in, typed := io.Pipe()
	said, out := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- (&mcp.Server{}).ServeLines(context.Background(), in, out) }()
	go func() { _, _ = io.WriteString(typed, strings.Join(lines, "\n")+"\n") }() // a server that has ended is seen below
	var codes, ids []float64
	for answers := bufio.NewScanner(said); len(ids) < 5 && answers.Scan(); {
		var answer struct {
			ID    *float64
			Error struct{ Code float64 }
		}
		if err := json.Unmarshal(answers.Bytes(), &answer); err != nil {
			t.Fatalf("%v in %.200s", err, answers.Text())
		}
		if answer.ID != nil {
			ids = append(ids, *answer.ID)
		} else {
			codes = append(codes, answer.Error.Code)
		}
	}
	_, _ = typed.Close(), said.Close() // of pipes
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if want := []float64{-32700, -32700, -32600, -32600, -32600, -32600, -32600, -32700, -32600, -32600, -32600}; !slices.Equal(codes, want) {
		t.Errorf("errors %v, want %v", codes, want)
	}
	slices.Sort(ids) // calls are answered as they end
	if want := []float64{1, 2, 3, 4, 5}; !slices.Equal(ids, want) {
		t.Errorf("answers to %v, want to %v", ids, want)
	}
}

// What was asked for before the end of the input is answered.
func TestEndOfInput(t *testing.T) {
	const lines = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":"list","method":"tools/list"}
{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"run","arguments":{"case":"grazing"}}}`
	for range 5 {
		said, out := io.Pipe()
		ended := make(chan error, 1)
		go func() {
			ended <- (&mcp.Server{}).ServeLines(t.Context(), io.NopCloser(strings.NewReader(lines)), out)
			_ = out.Close() // of a pipe
		}()
		text, err := io.ReadAll(said)
		for _, id := range []string{`"id":1`, `"id":"list"`, `"id":3`} {
			if !bytes.Contains(text, []byte(id)) {
				t.Errorf("no answer to %s in %.300s", id, text)
			}
		}
		if err := errors.Join(err, <-ended); err != nil {
			t.Error(err)
		}
	}
}

package serve

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// serving, in the environment, makes the test program a server.
const serving = "QUASISTATIC_TEST_SERVES"

func TestMain(m *testing.M) {
	if os.Getenv(serving) == "" {
		os.Exit(m.Run())
	}
	if err := (&Server{}).Serve(context.Background(), os.Stdin, os.Stdout); err != nil {
		os.Exit(1)
	}
}

// client is the other end of a server in this process.
type client struct {
	t    *testing.T
	in   *io.PipeWriter
	out  *io.PipeReader
	done chan error
}

func connect(t *testing.T) *client {
	t.Helper()
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	c := &client{t: t, in: inW, out: outR, done: make(chan error, 1)}
	go func() {
		c.done <- (&Server{}).Serve(context.Background(), inR, outW)
		outW.Close()
	}()
	t.Cleanup(func() {
		inW.Close()
		go io.Copy(io.Discard, outR)
		select {
		case <-c.done:
		case <-time.After(time.Minute):
			t.Error("the server does not end with its input")
		}
	})
	return c
}

func frame(head string, body []float64) []byte {
	b := binary.LittleEndian.AppendUint32(nil, uint32(len(head)))
	b = binary.LittleEndian.AppendUint64(b, uint64(8*len(body)))
	b = append(b, head...)
	for _, x := range body {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
	}
	return b
}

// answer is an answer, its arrays one after the other.
type answer struct {
	ID     int64
	Result json.RawMessage
	Error  *Fault
	Arrays []Array
	Body   []float64
}

func (c *client) send(head string, body ...float64) {
	c.t.Helper()
	if _, err := c.in.Write(frame(head, body)); err != nil {
		c.t.Fatal(err)
	}
}

func (c *client) receive() answer {
	c.t.Helper()
	var lead [12]byte
	if _, err := io.ReadFull(c.out, lead[:]); err != nil {
		c.t.Fatal(err)
	}
	text := make([]byte, binary.LittleEndian.Uint32(lead[:]))
	body := make([]byte, binary.LittleEndian.Uint64(lead[4:]))
	if _, err := io.ReadFull(c.out, text); err != nil {
		c.t.Fatal(err)
	}
	if _, err := io.ReadFull(c.out, body); err != nil {
		c.t.Fatal(err)
	}
	var a answer
	if err := json.Unmarshal(text, &a); err != nil {
		c.t.Fatal(err)
	}
	for len(body) > 0 {
		a.Body = append(a.Body, math.Float64frombits(binary.LittleEndian.Uint64(body)))
		body = body[8:]
	}
	return a
}

// TestContactOfOne: a particle of unit mass that slides has r = (1, −μ) and leaves μ of its slip.
func TestContactOfOne(t *testing.T) {
	c := connect(t)
	c.send(`{"id": 1, "call": "contact", "args": {"dim": 2}, "arrays": [{"name": "q", "type": "f8", "shape": [2]}, {"name": "mu", "type": "f8", "shape": []}, {"name": "W", "type": "f8", "shape": [2, 2]}]}`,
		-1, 0.5, 0.3, 1, 0, 0, 1)
	a := c.receive()
	if a.Error != nil {
		t.Fatal(a.Error)
	}
	for i, want := range []float64{0, 0.2, 1, -0.3} { // u, r
		if math.Abs(a.Body[i]-want) > 1e-12 {
			t.Errorf("number %d is %g, want %g", i, a.Body[i], want)
		}
	}
}

// TestCallsThatAreWrong: each has an answer that says what is wrong, and the server goes on.
func TestCallsThatAreWrong(t *testing.T) {
	c := connect(t)
	for i, x := range []struct{ head, want string }{
		{`{"id": 3, "call": "contct"}`, `no call "contct", did you mean`},
		{`{"id": 3, "call": "run", "args": {"cse": "play"}}`, "cse"},
		{`{"id": 3, "call": "run", "args": {"case": "plya"}}`, "play"},
		{`{"id": 3, "call": "run", "args": {"case": {"model": "energetic", "untl": 1}}}`, "until"},
		{`{"id": 3, "call": "lcp"}`, `no array "q"`},
		{`{"id": 3, "call": "lcp", "arrays": [{"name": "q", "type": "f8", "shape": [1000000000000]}]}`, "entries"},
		{`{"id": 3, "call": "lcp", "arrays": [{"name": "q", "type": "f8", "shape": [-1]}]}`, "shape"},
		{`{"id": 3, "call": "lcp", "arrays": [{"name": "q", "type": "f4", "shape": [0]}]}`, "f4"},
		{`{"id": 3, "call": "contact", "args": {"dim": 0}, "arrays": [{"name": "q", "type": "f8", "shape": [0]}]}`, "dim"},
		{`{"id": 3, "call": "read", "args": {"dir": "/nowhere"}}`, "nowhere"},
		{`{"id": "x"}`, "head"},
	} {
		c.send(x.head)
		if a := c.receive(); a.Error == nil || !strings.Contains(a.Error.Message, x.want) && !strings.Contains(a.Error.Message, "meant") {
			t.Errorf("call %d: %+v, want a word of %s", i, a.Error, x.want)
		}
	}
	c.send(`{"id": 9, "call": "hello"}`)
	if a := c.receive(); a.ID != 9 || a.Error != nil {
		t.Errorf("after them: %+v", a)
	}
}

// TestCancel: a long run ends when it is told to, and what is sent meanwhile is answered.
func TestCancel(t *testing.T) {
	c := connect(t)
	c.send(`{"id": 1, "call": "run", "args": {"case": "play", "set": ["until=20000", "steps=8000000"]}}`)
	c.send(`{"id": 2, "call": "hello"}`)
	if a := c.receive(); a.ID != 2 {
		t.Fatalf("%+v", a)
	}
	c.send(`{"id": 3, "call": "cancel", "args": {"id": 1}}`)
	ended := map[int64]*Fault{}
	for range 2 {
		a := c.receive()
		ended[a.ID] = a.Error
	}
	if f := ended[1]; f == nil || f.Kind != "cancelled" || ended[3] != nil {
		t.Errorf("%+v", ended)
	}
}

// TestRunsAreRuns: the same numbers come of one run and of many.
func TestRunsAreRuns(t *testing.T) {
	c := connect(t)
	c.send(`{"id": 1, "call": "runs", "args": {"case": "play", "set": ["steps=100"], "paths": ["friction.dry.mu"], "observe": [{"quantity": "dissipation", "time": 2}]}, "arrays": [{"name": "values", "type": "f8", "shape": [2, 1]}]}`,
		0.3, 0.4)
	many := c.receive()
	if many.Error != nil {
		t.Fatal(many.Error)
	}
	c.send(`{"id": 2, "call": "run", "args": {"case": "play", "set": ["steps=100", "friction.dry.mu=0.4"], "tables": false}}`)
	one := c.receive()
	var summary struct {
		Certified    bool
		Expectations []struct {
			Quantity string
			Value    float64
		}
	}
	if err := json.Unmarshal(one.Result, &summary); err != nil || one.Error != nil {
		t.Fatal(err, one.Error)
	}
	found := false
	for _, e := range summary.Expectations {
		found = found || e.Value == many.Body[1]
	}
	if !found {
		t.Errorf("dissipation %.17g of two runs is none of %+v", many.Body[1], summary.Expectations)
	}
}

// TestNoFrames: what is no sequence of frames ends the server, and takes no memory that did not
// come.
func TestNoFrames(t *testing.T) {
	for _, text := range [][]byte{[]byte("hello"), bytes.Repeat([]byte{0xff}, 12),
		append(binary.LittleEndian.AppendUint64([]byte{2, 0, 0, 0}, 1<<39), "{}"...)} {
		err := (&Server{}).Serve(context.Background(), bytes.NewReader(text), io.Discard)
		if err == nil || !strings.Contains(err.Error(), "frame") {
			t.Errorf("%q: %v", text[:min(20, len(text))], err)
		}
	}
}

// FuzzFrames: no input makes the reader panic.
func FuzzFrames(f *testing.F) {
	f.Add(frame(`{"id": 1, "call": "hello"}`, nil))
	f.Add(frame(`{"id": 1, "call": "lcp", "arrays": [{"name": "q", "type": "f8", "shape": [2]}]}`, []float64{1, 2}))
	f.Fuzz(func(_ *testing.T, data []byte) {
		r := bytes.NewReader(data)
		for {
			if _, err := readFrame(r); err != nil {
				fmt.Fprint(io.Discard, err)
				return
			}
		}
	})
}

// TestClientOfTheDocs: the client of docs/protocol.md works as it stands there.
func TestClientOfTheDocs(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed")
	}
	page, err := os.ReadFile("../docs/protocol.md")
	if err != nil {
		t.Fatal(err)
	}
	_, code, _ := strings.Cut(string(page), "```js\n")
	code, _, _ = strings.Cut(code, "```")
	dir := t.TempDir()
	code += `
const e = connect(process.argv[2]);
const { arrays } = await e.call("lcp", {}, { M: { shape: [2, 2], data: [2, 1, 1, 2] }, q: [-5, -6] });
const { result } = await e.call("run", { case: "play", set: ["steps=100"], tables: false });
let fault = "";
try { await e.call("run", { case: { model: "energetic", untl: 1 } }); } catch (x) { fault = x.message; }
console.log(arrays.z[0].toFixed(6), arrays.z[1].toFixed(6), result.steps, fault.includes("until"));
e.close();
`
	client := filepath.Join(dir, "client.mjs")
	if err := os.WriteFile(client, []byte(code), 0o666); err != nil {
		t.Fatal(err)
	}
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(node, client, own)
	c.Env = append(os.Environ(), serving+"=1")
	text, err := c.CombinedOutput()
	if want := "1.333333 2.333333 100 true\n"; err != nil || string(text) != want {
		t.Errorf("%v: %s, want %s", err, text, want)
	}
}

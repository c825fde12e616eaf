package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/quasistatic/quasistatic"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/serve"
)

// Server answers the calls of one agent.
type Server struct {
	Folder   string        // that files are in; empty: none is read or written
	Memory   int64         // that all calls at once may take [byte]; 0: what is free
	Patience time.Duration // that a call may take; 0: any

	calls serve.Server
}

// changedCase is what most tools take.
type changedCase struct {
	Case json.RawMessage `json:"case" jsonschema:"the case: an object of the case format, the name of a built-in case, or of a file in the folder of this server"`
	Set  []string        `json:"set,omitempty" jsonschema:"changes PATH=VALUE before it is read, for instance friction.dry.mu=0.3"`
}

// Serve answers until the transport is closed or ctx is done.
func (s *Server) Serve(ctx context.Context, t sdk.Transport) error {
	guide, err := quasistatic.Documents.ReadFile("AGENTS.md")
	if err != nil {
		return err
	}
	s.calls.Memory = s.Memory
	server := sdk.NewServer(&sdk.Implementation{Name: "quasistatic", Version: run.Version()},
		&sdk.ServerOptions{Instructions: string(guide), Capabilities: &sdk.ServerCapabilities{}})
	reads, writes := &sdk.ToolAnnotations{ReadOnlyHint: true}, &sdk.ToolAnnotations{DestructiveHint: new(bool)}
	add(s, server, "cases", "List the built-in cases with what they show, those that have all words; or, with name, the text of one: the best beginning of a case of your own.",
		reads, s.cases)
	add(s, server, "schema", "The JSON Schema of a definition of the case format: a model (energetic, compliant, theta, rigid, elastodynamic, halfspace) or a part of one that its $ref names.",
		reads, s.schema)
	add(s, server, "check", "Examine the assumptions of a case without a run; a case that is wrong is answered with all of its faults, each with its place.",
		reads, s.check)
	add(s, server, "run", "Run a case and certify it. The answer is the summary: certified, met, facts with numbers and limits, expectations. It is a result also where the run is not certified.",
		writes, s.run)
	add(s, server, "diagnose", "Certify the files of a run folder without trusting the run that made them.", reads, s.diagnose)
	add(s, server, "sensitivity", "Derivatives of quantities by numbers of a case, with the range in which they hold.",
		reads, s.sensitivity)
	add(s, server, "explain", "Explain a fault of a case, or a place in it: what may stand there, its unit, default and range, and a built-in case that has it.",
		reads, s.explain)
	return server.Run(ctx, t)
}

// add adds a tool: its input is described by the type, its answer is JSON, and what is wrong is an
// answer too, which the agent can read. The SDK's typed tools would write the text of a case anew.
func add[In any](s *Server, server *sdk.Server, name, what string, hints *sdk.ToolAnnotations,
	call func(context.Context, *In) (any, error)) {
	input, err := jsonschema.For[In](&jsonschema.ForOptions{TypeSchemas: map[reflect.Type]*jsonschema.Schema{reflect.TypeFor[json.RawMessage](): {Types: []string{"object",
		"string"}}}})
	if err != nil {
		panic(fmt.Sprintf("mcp: %s: %v", name, err)) // of the types above
	}
	server.AddTool(&sdk.Tool{Name: name, Description: what, InputSchema: input, Annotations: hints},
		func(ctx context.Context, q *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			if s.Patience > 0 {
				limited, cancel := context.WithTimeout(ctx, s.Patience)
				defer cancel()
				ctx = limited
			}
			var in In
			arguments := json.NewDecoder(bytes.NewReader(q.Params.Arguments))
			arguments.DisallowUnknownFields()
			if err := arguments.Decode(&in); err != nil {
				return failure(fmt.Errorf("arguments of %s: %w", name, err)), nil
			}
			result, err := call(ctx, &in)
			if errors.Is(ctx.Err(), context.DeadlineExceeded) {
				err = fmt.Errorf("it takes longer than the %v that a call may take: take fewer steps or a shorter time, or start the server with a larger --time",
					s.Patience)
			}
			text, broken := json.Marshal(result)
			if err = errors.Join(err, broken); err != nil {
				return failure(err), nil
			}
			return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: string(text)}}}, nil
		})
}

// failure says what is wrong, and of a case each fault with its place.
func failure(err error) *sdk.CallToolResult {
	result := &sdk.CallToolResult{IsError: true, Content: []sdk.Content{&sdk.TextContent{Text: err.Error()}}}
	if f, ok := errors.AsType[*serve.Fault](err); ok && len(f.Faults) > 0 {
		faults, _ := json.Marshal(f.Faults) // of texts and numbers
		result.Content = append(result.Content, &sdk.TextContent{Text: string(faults)})
	}
	return result
}

// search is the input of cases.
type search struct {
	Words string `json:"words,omitempty" jsonschema:"words that name, model and description have"`
	Name  string `json:"name,omitempty" jsonschema:"a built-in case whose text is wanted"`
}

// listed is a case in the list, with the first sentence of what it says of itself.
type listed struct{ Name, Model, Description string }

func (s *Server) cases(ctx context.Context, in *search) (any, error) {
	if in.Name != "" {
		name, _ := json.Marshal(in.Name) // a text always is
		args, err := s.source(name, nil)
		if err != nil {
			return nil, err
		}
		return s.calls.Call(ctx, "case", args)
	}
	result, err := s.calls.Call(ctx, "cases", struct{}{})
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(result)
	var all, some []listed
	if err == nil {
		err = json.Unmarshal(text, &all)
	}
	for _, c := range all {
		if !has(c.Name+" "+c.Model+" "+c.Description, in.Words) {
			continue
		}
		c.Description, _, _ = strings.Cut(c.Description, ". ")
		some = append(some, c)
	}
	return map[string]any{"cases": some}, err
}

func has(text, words string) bool {
	text = strings.ToLower(text)
	for _, w := range strings.Fields(strings.ToLower(words)) {
		if !strings.Contains(text, w) {
			return false
		}
	}
	return true
}

func (s *Server) check(ctx context.Context, in *changedCase) (any, error) {
	args, err := s.source(in.Case, in.Set)
	if err != nil {
		return nil, err
	}
	return s.calls.Call(ctx, "check", args)
}

// runInput is the input of run.
type runInput struct {
	changedCase
	Out    string `json:"out,omitempty" jsonschema:"a new folder in that of this server, for the files of the run; without it nothing is written"`
	Verify bool   `json:"verify,omitempty" jsonschema:"run it again at half the step and compare"`
}

func (s *Server) run(ctx context.Context, in *runInput) (any, error) {
	args, err := s.source(in.Case, in.Set)
	if err != nil {
		return nil, err
	}
	args["tables"], args["verify"] = false, in.Verify
	if in.Out != "" {
		if args["out"], err = s.in(in.Out); err != nil {
			return nil, err
		}
	}
	return s.calls.Call(ctx, "run", args)
}

// runFolder is the input of diagnose.
type runFolder struct {
	Folder    string `json:"folder" jsonschema:"the folder of a run, in that of this server"`
	FilesOnly bool   `json:"files_only,omitempty" jsonschema:"do not make the run again"`
}

func (s *Server) diagnose(ctx context.Context, in *runFolder) (any, error) {
	dir, err := s.in(in.Folder)
	if err != nil {
		return nil, err
	}
	return s.calls.Call(ctx, "diagnose", map[string]any{"dir": dir, "files_only": in.FilesOnly})
}

// derivatives is the input of sensitivity.
type derivatives struct {
	changedCase
	Of []string `json:"of" jsonschema:"quantities as lines, for instance position particle=p axis=x time=1"`
	By []string `json:"by" jsonschema:"paths of numbers of the case, for instance friction.dry.mu"`
}

func (s *Server) sensitivity(ctx context.Context, in *derivatives) (any, error) {
	args, err := s.source(in.Case, in.Set)
	if err != nil {
		return nil, err
	}
	args["of"], args["by"] = in.Of, in.By
	return s.calls.Call(ctx, "sensitivity", args)
}

package site

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/util"
)

// tabs are blocks of code that say the same in several languages, of which a page shows one at a time.
type tabs struct {
	ast.BaseBlock
	number int // of the tabs in their page
	labels []string
	texts  []string
}

var kindTabs = ast.NewNodeKind("Tabs")

func (*tabs) Kind() ast.NodeKind { return kindTabs }

func (t *tabs) Dump(source []byte, level int) { ast.DumpHelper(t, source, level, nil, nil) }

// tabbed puts tabs where a document has a case as JSON, beside its like in Python, and where commands are
// followed by Python that does the same.
func tabbed(tree ast.Node, source []byte) {
	n := 0
	for c := tree.FirstChild(); c != nil; c = c.NextSibling() {
		t := &tabs{number: n}
		language, text := codeOf(c, source)
		if language == "json" {
			if python, ok := pythonOf(text); ok {
				t.labels, t.texts = []string{"JSON", "Python"}, []string{text, python}
			}
		} else if next := c.NextSibling(); language == "console" && next != nil {
			if other, python := codeOf(next, source); other == "python" {
				t.labels, t.texts = []string{"Command", "Python"}, []string{text, python}
				tree.RemoveChild(tree, next)
			}
		}
		if t.labels != nil {
			tree.ReplaceChild(tree, c, t)
			c, n = t, n+1
		}
	}
}

// codeOf are the words after the fence of a block of code and what is in it; "", "" of anything else.
func codeOf(n ast.Node, source []byte) (language, text string) {
	block, ok := n.(*ast.FencedCodeBlock)
	if !ok || block.Info == nil {
		return "", ""
	}
	return string(block.Info.Segment.Value(source)), string(block.Lines().Value(source))
}

// keyword is a name that an argument in Python may have, unless it is one of pythonWords.
var keyword = regexp.MustCompile(`^[a-z_][a-z0-9_]*$`)

// pythonWords are those of the language that a case may have for a key.
var pythonWords = []string{"from", "with", "for", "in", "is", "not", "global", "lambda", "class", "import",
	"as", "if", "else", "or", "and"}

// pythonOf says a case in Python, its lines as they are: the keys of the case become arguments, true, false and null
// Python's words. false: the text is no object with a model.
func pythonOf(text string) (string, bool) {
	var c map[string]json.RawMessage
	if json.Unmarshal([]byte(text), &c) != nil || c["model"] == nil {
		return "", false
	}
	for key := range c {
		if !keyword.MatchString(key) || slices.Contains(pythonWords, key) {
			return script("(" + literal(text, nil) + ")"), true
		}
	}
	return script(literal(text, c)), true
}

// script runs a case, of which the arguments are given.
func script(arguments string) string {
	return "import quasistatic as qs\n\ncase = qs.Case" + strings.TrimSpace(arguments) + "\nprint(case.run().verdict)\n"
}

// literal writes JSON as Python does. With arguments the object itself becomes a list of them.
func literal(text string, arguments map[string]json.RawMessage) string {
	var b strings.Builder
	d := json.NewDecoder(strings.NewReader(text))
	depth, last := 0, ""
	for {
		from := d.InputOffset()
		token, err := d.Token()
		if err != nil {
			return b.String()
		}
		part := text[from:d.InputOffset()] // what stands before the token, too
		key, isText := token.(string)
		isKey := isText && arguments != nil && depth == 1 && last != ":"
		switch token {
		case json.Delim('{'), json.Delim('['):
			depth++
		case json.Delim('}'), json.Delim(']'):
			depth--
		case true, false, nil:
			part = strings.NewReplacer("true", "True", "false", "False", "null", "None").Replace(part)
		}
		if arguments != nil && (token == json.Delim('{') && depth == 1 || token == json.Delim('}') && depth == 0) {
			part = strings.NewReplacer("{", "(", "}", ")").Replace(part)
		}
		if last == ":" {
			part = strings.TrimLeft(part, ": ")
		}
		if last = ""; isKey {
			part, last = strings.Replace(part, `"`+key+`"`, key+"=", 1), ":"
		}
		b.WriteString(part)
	}
}

// tabsRenderer writes tabs: each a radio button that shows the block after its label, without a script.
type tabsRenderer struct{}

func (tabsRenderer) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(kindTabs, func(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		t, ok := n.(*tabs)
		if !entering || !ok {
			return ast.WalkContinue, nil
		}
		fmt.Fprint(w, `<div class="tabs">`)
		for i, label := range t.labels {
			checked := ""
			if i == 0 {
				checked = " checked"
			}
			id := fmt.Sprintf("tab%d-%d", t.number, i)
			fmt.Fprintf(w, `<input type="radio" name="tabs%d" id="%s"%s><label for="%s">%s</label>`, t.number, id, checked, id, label)
			fmt.Fprintf(w, `<pre><code>%s</code></pre>`, util.EscapeHTML([]byte(t.texts[i])))
		}
		fmt.Fprintln(w, "</div>")
		return ast.WalkContinue, nil
	})
}

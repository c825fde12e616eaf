package site

import (
	"encoding/json"
	"fmt"
	"strings"
)

// notebook is a file of Jupyter, nbformat 4: what a page shows of it.
type notebook struct {
	Cells []struct {
		Kind    string   `json:"cell_type"` // markdown or code
		Source  []string `json:"source"`
		Outputs []struct {
			Text []string                   `json:"text"` // of a stream
			Data map[string]json.RawMessage `json:"data"` // by MIME type: a list of lines, of a picture base64
		} `json:"outputs"`
	} `json:"cells"`
}

// markdownOf is a notebook as a document: its code as blocks of Python, what it printed as blocks of text
// below them, and its pictures.
func markdownOf(raw []byte) ([]byte, error) {
	var n notebook
	if err := json.Unmarshal(raw, &n); err != nil {
		return nil, fmt.Errorf("not a notebook: %w", err)
	}
	var b strings.Builder
	for _, c := range n.Cells {
		if c.Kind != "code" {
			fmt.Fprintf(&b, "%s\n\n", strings.Join(c.Source, ""))
			continue
		}
		block(&b, "python", c.Source)
		for _, o := range c.Outputs {
			var picture string
			text := o.Text
			switch {
			case json.Unmarshal(o.Data["image/png"], &picture) == nil:
				fmt.Fprintf(&b, "![](data:image/png;base64,%s)\n\n", strings.TrimSpace(strings.ReplaceAll(picture, "\n", "")))
				continue
			case text == nil && json.Unmarshal(o.Data["text/plain"], &text) != nil:
				continue // of a kind that no page shows
			}
			block(&b, "", text)
		}
	}
	return []byte(b.String()), nil
}

// block writes a fenced block, longer than any fence in it.
func block(b *strings.Builder, kind string, lines []string) {
	text, fence := strings.TrimRight(strings.Join(lines, ""), "\n"), "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	fmt.Fprintf(b, "%s%s\n%s\n%s\n\n", fence, kind, text, fence)
}

package answer

import (
	"bytes"
	"fmt"
	"html/template"
	"strings"

	"github.com/quasistatic/quasistatic/assembly"
	"github.com/quasistatic/quasistatic/assembly/drawing"
)

// meaning is a verdict in a sentence.
var meaning = map[assembly.Word]string{
	assembly.Stands:  "It stands: whatever the forces in it are, no motion from rest is possible.",
	assembly.Falls:   "It falls: no forces within friction balance the loads.",
	assembly.Depends: "It depends on its history: forces can hold it, and a motion is possible without them.",
	assembly.Open:    "Open: forces can hold it; whether it must rest was not decided within the limit.",
}

// Picture is the drawing of the answer, as SVG.
func (o *Answer) Picture(a *assembly.Assembly) []byte {
	lines := []string{meaning[o.Verdict]}
	if motion := o.verdict.Shown(); motion != nil {
		lines = append(lines, a.Mechanism(motion).Words(a))
	}
	return drawing.SVG(a, o.verdict, o.reserves, fmt.Sprintf("%s: %s%s", o.Name, strings.ToUpper(string(o.Verdict)),
		o.stagesSay()), lines...)
}

var page = template.Must(template.New("").Parse(`<!doctype html>
<html lang="en"><meta charset="utf-8"><title>{{.Answer.Name}}: {{.Answer.Verdict}}{{.Stages}}</title>
<style>body{font-family:sans-serif;max-width:1000px;margin:2em auto;color:#222}pre{white-space:pre-wrap}td,th{padding:.2em .8em;text-align:left}</style>
<h1>{{.Answer.Name}}: {{.Answer.Verdict}}{{.Stages}}</h1>
<p>{{.Meaning}}</p>
{{.Picture}}
<h2>Proof and margins</h2>
<pre>{{.Text}}</pre>
{{with .Forces}}<h2>Interfaces</h2>
<table><tr><th>blocks</th><th>normal force [N]</th><th>use of friction</th></tr>
{{range .}}<tr><td>{{.Blocks}}</td><td>{{printf "%.4g" .Normal}}</td><td>{{printf "%.3f" .Use}}</td></tr>
{{end}}</table>{{end}}
{{with .Answer.Reserves}}<h2>Reserves</h2>
<p>Of each interface in the state that is best for it, of all that balance the loads: no state uses less of it, others may use more.</p>
<table><tr><th>blocks</th><th>least use</th><th>pull that it holds</th></tr>
{{range .}}<tr><td>{{index .Blocks 0}} – {{index .Blocks 1}}</td><td>{{.UseText}}</td><td>{{.PullText}}</td></tr>
{{end}}</table>{{end}}
</html>
`))

// Page is the answer as a page of its own, with the picture in it.
func (o *Answer) Page(a *assembly.Assembly) ([]byte, error) {
	type row struct {
		Blocks      string
		Normal, Use float64
	}
	var rows []row
	for _, f := range a.Forces(o.verdict.Reactions) {
		i := &a.Interfaces[f.Interface]
		rows = append(rows, row{a.Blocks[i.A].Name + " – " + a.Blocks[i.B].Name, f.Normal, f.Use})
	}
	var b bytes.Buffer
	err := page.Execute(&b, struct {
		Answer        *Answer
		Meaning, Text string
		Stages        string
		Picture       template.HTML
		Forces        []row
	}{o, meaning[o.Verdict], o.Text(), o.stagesSay(), template.HTML(o.Picture(a)), rows}) // the drawing escapes its texts
	return b.Bytes(), err
}

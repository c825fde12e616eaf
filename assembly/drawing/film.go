package drawing

import (
	"fmt"
	"html"
	"strings"

	"github.com/quasistatic/quasistatic/assembly"
)

// A Frame is a state of a film with a line about it.
type Frame struct {
	Assembly  *assembly.Assembly
	Reactions []assembly.Reaction
	Line      string
}

// Film draws frames one after the other, each for .3 s and the last for five times that, again and again, in one SVG that a browser
// plays: the blocks, the interfaces by their use of friction, resultants and thrust.
func Film(frames []Frame, title string, lines ...string) []byte {
	c := &canvas{a: frames[0].Assembly}
	var all []*assembly.Assembly
	for k := range frames {
		all = append(all, frames[k].Assembly)
	}
	c.open(all, title, lines)
	count := len(frames) + 4
	for k, f := range frames {
		seen := make([]string, count)
		for i := range seen {
			seen[i] = "hidden"
			if min(i, len(frames)-1) == k {
				seen[i] = "visible"
			}
		}
		fmt.Fprintf(&c.out, `<g visibility="hidden"><animate attributeName="visibility" calcMode="discrete" dur="%.1fs" repeatCount="indefinite" values="%s"/>`+
			"\n",
			.3*float64(count), strings.Join(seen, ";"))
		fmt.Fprintf(&c.out, `<text x="20" y="%d" font-size="14">%s</text>`+"\n", 54+18*len(lines), html.EscapeString(f.Line))
		c.a = f.Assembly
		forces := f.Assembly.Forces(f.Reactions)
		c.blocks()
		c.interfaces(friction(forces))
		c.thrust(forces)
		c.resultants(forces)
		c.out.WriteString("</g>\n")
	}
	c.legend(true, false, "use of friction, 0 to 1")
	c.out.WriteString("</svg>\n")
	return c.out.Bytes()
}

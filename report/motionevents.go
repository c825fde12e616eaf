package report

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/quasistatic/quasistatic/dynamics"
	"github.com/quasistatic/quasistatic/table"
)

// impacts lists the first impacts.
func (m *Motions) impacts(p *Page) error {
	name := filepath.Join(m.files.Dir, table.CollisionsFile)
	f, err := openGrowing(m.files, table.CollisionsFile)
	if f == nil {
		return err
	}
	defer f.Close() // read only
	r, err := table.NewCollisionReader(f, name)
	if err != nil {
		return err
	}
	p.EventCount = fmt.Sprintf("%s impacts.", count(m.count))
	p.EventHead = []string{"t [s]", "contact", "approach [m/s]", "impulse [N s]", "energy lost [J]"}
	for len(p.Events) < listedEvents {
		c, err := r.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		p.Events = append(p.Events, Event{fmt.Sprintf("%.6g", c.T), c.Contact, fmt.Sprintf("%.4g", c.Speed), fmt.Sprintf("%.4g", c.Impulse), fmt.Sprintf("%.4g", c.Loss)})
	}
	p.EventCount += fmt.Sprintf(" The first %d are listed.", listedEvents)
	return nil
}

// namedEvents lists the first changes of contact and counts them by kind.
func namedEvents[S fmt.Stringer](p *Page, from *table.Folder, states []S) error {
	name := filepath.Join(from.Dir, table.EventsFile)
	f, err := openGrowing(from, table.EventsFile)
	if f == nil {
		return err
	}
	defer f.Close() // read only
	r, err := table.NewEventReader(f, name)
	if err != nil {
		return err
	}
	kinds, total := map[string]int{}, 0
	for {
		t, who, from, to, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		total++
		kinds[from+" → "+to]++
		if len(p.Events) < listedEvents {
			p.Events = append(p.Events, Event{fmt.Sprintf("%.6g", t), who, from, to})
		}
	}
	var words []string
	for _, from := range states {
		for _, to := range states {
			if n := kinds[from.String()+" → "+to.String()]; n > 0 {
				words = append(words, fmt.Sprintf("%s × %s → %s", count(n), from, to))
			}
		}
	}
	p.EventHead = []string{"t [s]", "contact", "from", "to"}
	p.EventCount = strings.Join(words, ", ") + "."
	if total > listedEvents {
		p.EventCount += fmt.Sprintf(" The first %d of %s are listed.", listedEvents, count(total))
	}
	return nil
}

var _ fmt.Stringer = dynamics.Open

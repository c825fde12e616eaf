package table

// Picture draws the things of a run for VTU files: a model implements it.
type Picture interface {
	// Draw writes points, cells and their arrays of one time. rows has the last row of
	// each sheet at that time, and of sheets of SomeRows all that there are.
	Draw(d *Document, rows *Moment)
}

// Follower is a Picture of things whose state follows from all that was before, as plastic strains do.
type Follower interface {
	Picture
	// Follow takes a row of the first sheet that is not drawn, between two that are.
	Follow(t float64, row []float64)
}

// Moment are the rows that one VTU file shows.
type Moment struct {
	T      float64
	Sheets map[string][]SheetRow // by file
	States []byte                // of the things, see [States]
	First  bool                  // of a run
}

// Last returns the numbers of the last row of a sheet; nil if there is none.
func (m *Moment) Last(file string) []float64 {
	if list := m.Sheets[file]; len(list) > 0 {
		return list[len(list)-1].Values
	}
	return nil
}

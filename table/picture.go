package table

// Picture draws the bodies of a run of a dynamic model for VTU files.
type Picture interface {
	// draw writes points, cells and their arrays of one time. rows has the last row of
	// each sheet at that time, and of sheets of SomeRows all that there are.
	draw(d *vtuDocument, rows *scenes)
}

// scenes are the rows that one VTU file shows.
type scenes struct {
	t      float64
	sheets map[string][]SheetRow // by file
}

// last returns the numbers of the last row of a sheet; nil if there is none.
func (s *scenes) last(file string) []float64 {
	if list := s.sheets[file]; len(list) > 0 {
		return list[len(list)-1].Values
	}
	return nil
}

// fields are arrays of points, three or one numbers each.
type fields struct {
	names      []string
	components []int
	values     [][]float64
}

// add declares an array and returns its place.
func (f *fields) add(name string, components int) int {
	f.names, f.components, f.values = append(f.names, name), append(f.components, components), append(f.values, nil)
	return len(f.names) - 1
}

func (f *fields) write(d *vtuDocument) {
	for i, name := range f.names {
		d.floats(name, f.values[i], f.components[i])
	}
}

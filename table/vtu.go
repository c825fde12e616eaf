package table

// A VTU file holds one node: the particles, then the anchors, as points; a vertex
// for each particle and a line for each link as cells. Numbers are little-endian
// doubles in base64, so that reading gives the same bits. Arrays of points:
//
//	displacement    3  from the first node [m]
//	contact_force   3  normal force of the obstacle, global [N]
//	friction_force  3  tangential force of the obstacle, global [N]
//	reaction        3  n, tx, ty in the particle's own frame [N], as in forces.csv
//	status          1  0 free, 1 grazing, 2 stick, 3 slip; anchors 0
//	anchor          1  1 for anchors
//
// and of cells: kind, 0 particle, 1 tether, 2 spring, 3 bond.
type vtuSink struct {
	*pvdWriter
	scene *Scene
	start []float64
	points, move, contact, friction,
	reaction []float64
	status []byte
	doc    vtuDocument
}

func newVTU(name string, scene *Scene) (*vtuSink, error) {
	w, err := newPVD(name)
	np := len(scene.IDs) + len(scene.Anchors)
	return &vtuSink{pvdWriter: w, scene: scene, move: make([]float64, 3*np), contact: make([]float64, 3*np),
		friction: make([]float64, 3*np), reaction: make([]float64, 3*np), status: make([]byte, np)}, err
}

// Put implements Sink.
func (s *vtuSink) Put(f *Frame) error {
	s.points = s.scene.AnchorsAt(append(s.points[:0], f.X...), f.T)
	if s.start == nil {
		s.start = append(s.start, s.points...)
	}
	for i := range s.points {
		s.move[i] = s.points[i] - s.start[i]
	}
	copy(s.reaction, f.Force)
	for j, c := range f.Status {
		contact, friction := s.scene.GlobalForce(f, j)
		copy(s.contact[3*j:], contact[:])
		copy(s.friction[3*j:], friction[:])
		s.status[j] = byte(c)
	}
	s.document()
	return s.put(f.T, &s.doc)
}

// document writes the file of the present node.
func (s *vtuSink) document() {
	nj, np := len(s.scene.IDs), len(s.status)
	anchor := make([]byte, np)
	for i := nj; i < np; i++ {
		anchor[i] = 1
	}
	var c vtuCells
	var kinds []byte
	for j := range s.scene.IDs {
		c.add(vtkVertex, j)
		kinds = append(kinds, byte(Vertex))
	}
	for _, l := range s.scene.Links {
		c.add(vtkLine, l.A, l.B)
		kinds = append(kinds, byte(l.Kind))
	}
	d := &s.doc
	d.begin()
	d.piece(s.points, &c)
	d.open("CellData", `Scalars="kind"`)
	d.bytes("kind", kinds)
	d.close("CellData")
	d.open("PointData", `Vectors="displacement" Scalars="status"`)
	d.floats("displacement", s.move, 3)
	d.floats("contact_force", s.contact, 3)
	d.floats("friction_force", s.friction, 3)
	d.floats("reaction", s.reaction, 3)
	d.bytes("status", s.status)
	d.bytes("anchor", anchor)
	d.close("PointData")
	d.end()
}

// Close implements Sink.
func (s *vtuSink) Close(fault error) error { return s.close(fault) }

package multibody

// Tension is the force with which a spring and its damper pull its ends together [N].
func (s *Spring) Tension(x *Snapshot) float64 {
	r := s.reach(x)
	return -s.tension(&r)
}

// Tension is the moment with which a twist turns back what has turned [N m].
func (s *Twist) Tension(x *Snapshot) float64 {
	var f [6]float64
	s.Force(f[:], 0, x)
	return -f[2]
}

// Strength is the force of a motor at a time and state [N, N m].
func (p *Motor) Strength(t float64, s *Snapshot) float64 {
	row, at := p.row(s.M, s.Poses)
	force, _ := p.drive(p.rate(&row, at, s.M, s.V), t, 0, s)
	return force
}

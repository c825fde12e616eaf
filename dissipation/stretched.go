package dissipation

// Stretched is isotropic friction on a face with conformal coordinates: ‖M v‖ = μ f(z)|v_T|
// with f the length of a unit of the coordinates, see [particles.Face].
type Stretched struct {
	mu   float64
	face interface {
		Stretch(u, v float64) (f, fu, fv float64)
	}
}

// NewStretched takes the coefficient and the face.
func NewStretched(mu float64, face interface {
	Stretch(u, v float64) (f, fu, fv float64)
}) (Stretched, error) {
	if err := coefficient("mu", mu); err != nil {
		return Stretched{}, err
	}
	return Stretched{mu, face}, nil
}

// At implements [Matrix].
func (m Stretched) At(z1, z2 float64, deriv *[2][4]float64) [4]float64 {
	f, fu, fv := m.face.Stretch(z1, z2)
	if deriv != nil {
		*deriv = [2][4]float64{{m.mu * fu, 0, 0, m.mu * fu}, {m.mu * fv, 0, 0, m.mu * fv}}
	}
	return [4]float64{m.mu * f, 0, 0, m.mu * f}
}

// Constant implements [Matrix].
func (Stretched) Constant() bool { return false }

var _ Matrix = Stretched{}

package form

type vec3 = [3]float64

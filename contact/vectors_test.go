package contact

type (
	vec3 = [3]float64
	mat3 = [9]float64 // row by row
)

package table

// ElementsFile holds the tractions [Pa] and slips [m] of all elements of a surface at
// some times.
const ElementsFile = "elements.csv"

// StressFile holds the stress [Pa] below a surface: at points, and the largest equivalent
// stress of planes with its place [m].
const StressFile = "stress.csv"

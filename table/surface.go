package table

// ElementsFile holds the tractions [Pa] and slips [m] of all elements of a surface at
// some times.
const ElementsFile = "elements.csv"

package table

// BetterFile holds the better states that global searches found, if any.
const BetterFile = "better.json"

// GlobalSearch is a search, anywhere around one node, for a state that costs less.
// Finding none proves nothing; a better one proves that (S) fails there.
type GlobalSearch struct {
	Time        float64 `json:"time"`        // of the node [s]
	Evaluations int     `json:"evaluations"` // of E + Ψ
	Polished    int     `json:"polished"`    // local minimisations
	Better      bool    `json:"better"`      // one was found
	Gain        float64 `json:"gain"`        // what it costs less, friction included [J]; <= 0: nothing
}

// Better is one entry of BetterFile.
type Better struct {
	Time      float64               `json:"time"` // [s]
	Gain      float64               `json:"gain"` // [J]
	Positions map[string][3]float64 `json:"positions"`
}

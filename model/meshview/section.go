package meshview

import (
	"github.com/quasistatic/quasistatic/dynamics/elastic"
	"github.com/quasistatic/quasistatic/table"
)

// Section is what the model has of its own in summary.json.
type Section struct {
	Elastic *Elastic `json:"elastic"`
}

// body returns that of a summary; nil: there is none.
func body(s *table.Summary) *Elastic {
	var x Section
	if s == nil || s.Read(&x) != nil {
		return nil
	}
	return x.Elastic
}

// Elastic sums up what a run of the model elastodynamic did.
type Elastic struct {
	Nodes       int                `json:"nodes"`
	Contacts    int                `json:"contacts"`
	Iterations  int                `json:"iterations"`
	Most        int                `json:"most_iterations"` // of a step
	Factors     int                `json:"factors"`         // of the contact problem
	Residual    float64            `json:"residual"`        // largest of the contact problems [-]
	CFL         float64            `json:"cfl"`
	Contraction float64            `json:"contraction"`        // bound of the factor of the fixed point, whatever the states [-]
	Closed      float64            `json:"contraction_closed"` // the same with all contacts closed
	Unique      bool               `json:"unique"`             // the solution of every step, by proof
	Measured    float64            `json:"contraction_measured"`
	CriticalMu  float64            `json:"critical_mu"`  // friction at which uniqueness is lost, 0: not known
	StableStep  float64            `json:"stable_step"`  // of central differences, by proof [s]; 0: any
	Mass        []elastic.ModeMass `json:"mass"`         // of rigid motions
	MassFactors [2]float64         `json:"mass_factors"` // least and most of a node, redistributed
	Warnings    []string           `json:"warnings"`
	Balance     elastic.Balance    `json:"balance"`
	Kinetic     float64            `json:"kinetic"`
	Elastic     float64            `json:"elastic"`
}

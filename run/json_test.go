package run_test

import (
	"math"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/run"
)

// TestJSONNames: a number that JSON cannot hold is named.
func TestJSONNames(t *testing.T) {
	type inner struct {
		Deviation float64 `json:"deviation"`
	}
	x := []struct {
		List []*inner           `json:"list"`
		Map  map[string]float64 `json:"map"`
	}{{List: []*inner{{1}, {2}}}, {List: []*inner{{1}, {math.Inf(1)}}}}
	if _, err := run.JSON(x); err == nil || !strings.Contains(err.Error(), "[1].list[1].deviation: it is +Inf") {
		t.Error(err)
	}
	x = x[:1]
	x[0].Map = map[string]float64{"a": math.NaN()}
	if _, err := run.JSON(x); err == nil || !strings.Contains(err.Error(), "[0].map.a: it is NaN") {
		t.Error(err)
	}
}

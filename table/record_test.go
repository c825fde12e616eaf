package table

import (
	"slices"
	"testing"
)

type inner struct {
	B float64 `column:"b"`
}

type numbers struct {
	A float64 `column:"a"`
	inner
	C float64 `column:"c"`
}

// TestRecord: a row type names its columns, gives its numbers and takes them, in one order;
// what is no number is a fault of the program.
func TestRecord(t *testing.T) {
	row := numbers{1, inner{2}, 3}
	if names := ColumnsOf[numbers](); !slices.Equal(names, []string{"a", "b", "c"}) {
		t.Error(names)
	}
	if values := ValuesOf(&row); !slices.Equal(values, []float64{1, 2, 3}) {
		t.Error(values)
	}
	var back numbers
	if Fill(&back, []float64{1, 2, 3}); back != row {
		t.Errorf("%+v", back)
	}
	defer func() {
		if recover() == nil {
			t.Error("a field without a column was taken")
		}
	}()
	ColumnsOf[struct{ X int }]()
}

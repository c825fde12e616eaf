package api

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
)

var remakeHouse = flag.Bool("remake", false, "write testdata/house anew: with the reason in the commit, where a number rises")

// houseFile has, a line each, a package and the share of its unexported names that its tests touch
// [%], where that is more than mostTouched, and the number of named constants of all packages.
const houseFile = "testdata/house"

// mostTouched is the share of the unexported names of a package that tests may touch [%]: who
// rewrites its inside should have to rewrite few of them.
const mostTouched = 10

// TestHouse measures all packages by scripts/house: no number is above what it is allowed, and
// those in the file may only fall. Who brings one down writes the file anew with -remake.
func TestHouse(t *testing.T) {
	cmd := exec.Command("go", "run", "./scripts/house")
	cmd.Dir, cmd.Stderr = "../..", os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]int{}
	var list strings.Builder
	put := func(name string, n int) {
		found[name] = n
		fmt.Fprintf(&list, "%s %d\n", name, n)
	}
	for _, row := range strings.Split(strings.TrimSpace(string(out)), "\n")[2:] { // below head and rule
		cells := strings.Split(row, "|")
		number := func(k int) int {
			n, err := strconv.Atoi(strings.TrimSuffix(strings.TrimSpace(cells[k]), " %"))
			if err != nil {
				t.Fatalf("%s: %v", row, err)
			}
			return n
		}
		if name := strings.TrimSpace(cells[1]); name == "all" {
			put("constants", number(6))
		} else if n := number(9); n > mostTouched {
			put(name, n)
		}
	}
	if *remakeHouse {
		if err := os.WriteFile(houseFile, []byte(list.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(houseFile)
	if err != nil {
		t.Fatal(err)
	}
	allowed := map[string]int{}
	for line := range strings.Lines(string(text)) {
		var name string
		var n int
		if _, err := fmt.Sscan(line, &name, &n); err != nil {
			t.Fatalf("%s: %q: %v", houseFile, line, err)
		}
		allowed[name] = n
	}
	for name, n := range found {
		if name == "constants" && n > allowed[name] {
			t.Errorf("%d named constants, %d at most: give an option a place in a documented struct", n, allowed[name])
		} else if name != "constants" && n > max(mostTouched, allowed[name]) {
			t.Errorf("tests of %s touch %d %% of its unexported names, %d %% at most: test at the door, see go run ./scripts/house -detail ./%s",
				name, n, max(mostTouched, allowed[name]), name)
		}
	}
}

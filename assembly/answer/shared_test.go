//go:build unix

package answer_test

import (
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/quasistatic/quasistatic/assembly"
	"github.com/quasistatic/quasistatic/assembly/answer"
	"github.com/quasistatic/quasistatic/internal/thorough"
)

var update = flag.Bool("update", false, "write the table of docs/assemblies.md anew, with the seconds of this machine")

// TestSharedAssemblies: what docs/assemblies.md says of the assemblies of others, as their authors run them: words, tilts and
// friction are found again; the seconds of the processor are of when the table was made.
func TestSharedAssemblies(t *testing.T) {
	thorough.Only(t, "two minutes")
	dir := os.Getenv("QUASISTATIC_ASSEMBLIES")
	if dir == "" {
		dir = "../../../shared/assemblies"
	}
	if _, err := os.Stat(filepath.Join(dir, "compas")); err != nil {
		t.Skip("the collection of assemblies is not installed")
	}
	dense := []string{"1", "11=3.51", "12=3.51", "13=3.51", "14=3.51", "15=3.51"}
	var table strings.Builder
	for _, c := range []struct {
		file, wishes string
		limit        time.Duration // for the verdict
		q            answer.Question
	}{
		{"compas/cubes", "μ .84, support 0", time.Minute, answer.Question{Mu: .84, Supports: []string{"0"}}},
		{"compas/A", "μ .84, supports 0, 1", time.Minute, answer.Question{Mu: .84, Supports: []string{"0", "1"}}},
		{"compas/type-a", "μ .84, support 0", time.Minute, answer.Question{Mu: .84, Supports: []string{"0"}}},
		{"compas/type-b", "μ .84, support 0, turn y90", 5 * time.Minute, answer.Question{Mu: .84, Supports: []string{"0"}, Turn: "y90"}},
		{"compas/shelf-s1", "μ .9, support 0", time.Minute, answer.Question{Mu: .9, Supports: []string{"0"}}},
		{"compas/shelf-stable", "μ .9, support 0", time.Minute, answer.Question{Mu: .9, Supports: []string{"0"}}},
		{"compas/snake", "μ .7, support 0", time.Minute, answer.Question{Mu: .7, Supports: []string{"0"}}},
		{"compas/bridge", "μ .9, supports 0, 1, density 3.51 in 11 to 15", 5 * time.Second,
			answer.Question{Mu: .9, Supports: []string{"0", "1"}, Densities: dense}},
		{"compas/concave-short", "μ .84, support 0, turn y40", 5 * time.Second,
			answer.Question{Mu: .84, Supports: []string{"0"}, Turn: "y40"}},
		{"compas/barrel-vault", "the file: μ .5, 26 supports", 5 * time.Second, answer.Question{}},
		{"compas/armadillo", "μ .7, supports z<.43, gap .05, area 1e-4", time.Minute,
			answer.Question{Mu: .7, Supports: []string{"z<0.43"}, Gap: .05, Area: 1e-4}},
		{"lego/stair_19", "bricks", time.Minute, answer.Question{}},
		{"lego/stair_20", "bricks", time.Minute, answer.Question{}},
		{"lego/stick_light", "bricks", time.Minute, answer.Question{}},
		{"lego/external_weight_good", "bricks", time.Minute, answer.Question{}},
	} {
		c.q.File, c.q.HasMu = filepath.Join(dir, c.file+".json"), c.q.Mu > 0
		a, err := c.q.Load()
		if err != nil {
			t.Fatal(err)
		}
		begin := seconds()
		v, err := assembly.Judge(t.Context(), a, &assembly.Options{Limit: c.limit})
		if err != nil {
			t.Fatal(err)
		}
		middle := seconds()
		tilt, friction := tiltAndFriction(t, a, v)
		fmt.Fprintf(&table, "| %s | %s | %s | %s | %s | %.2g, %.2g |\n", filepath.Base(c.file), c.wishes, word(a, v), tilt, friction,
			middle-begin, max(seconds()-middle, 1e-4)) // no clock is finer
	}
	compareTable(t, "../../docs/assemblies.md", table.String())
}

// seconds of the processor that this process took.
func seconds() float64 {
	var r syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &r) != nil {
		return math.NaN()
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano()).Seconds()
}

// word is the verdict in a few words.
func word(a *assembly.Assembly, v *assembly.Verdict) string {
	switch {
	case v.Word == assembly.Depends:
		return fmt.Sprintf("depends: %d moves alone", a.Mechanism(v.Motion).Moving)
	case v.Word == assembly.Open:
		return fmt.Sprintf("open; begins below %.1g g", v.Rest)
	case v.Closed > 0:
		return fmt.Sprintf("%s, by %d Farkas vectors", v.Word, v.Closed)
	}
	return string(v.Word)
}

// tiltAndFriction are the margins, a number where its bounds are a millionth apart.
func tiltAndFriction(t *testing.T, a *assembly.Assembly, v *assembly.Verdict) (tilt, friction string) {
	if v.Word == assembly.Falls {
		return "", ""
	}
	between := func(lower, upper, near float64) string {
		if upper-lower <= near {
			return fmt.Sprintf("%.6g", upper)
		}
		return fmt.Sprintf("%.6g to %.6g", lower, upper)
	}
	const degree = math.Pi / 180
	switch least, err := assembly.LeastTilt(t.Context(), a, 5*time.Minute); {
	case err != nil:
		t.Fatal(err)
	case least.Angle > 89.4*degree:
		tilt = "more than 89.4"
	default:
		tilt = between(least.Lower/degree, least.Angle/degree, 1.1e-4*least.Angle/degree)
	}
	least, err := assembly.LeastFriction(t.Context(), a, 1e-7, 5*time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	return tilt, between(least.Lower, least.Upper, 1e-6)
}

// compareTable looks for the rows in a page, but for the seconds; or writes them.
func compareTable(t *testing.T, page, rows string) {
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	head := regexp.MustCompile(`(?m)^\| file \| wishes .*\n\|[-|]+\n`)
	at := head.FindIndex(text)
	if at == nil {
		t.Fatalf("%s has no table of files", page)
	}
	end := at[1] + strings.Index(string(text[at[1]:]), "\n\n") + 1
	if *update {
		if err := os.WriteFile(page, []byte(string(text[:at[1]])+rows+string(text[end:])), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	timeless := func(s string) []string {
		return strings.Split(regexp.MustCompile(`(?m)\| [^|]* \|$`).ReplaceAllString(strings.TrimSpace(s), ""), "\n")
	}
	found, want := timeless(rows), timeless(string(text[at[1]:end]))
	for i := range max(len(found), len(want)) {
		if i >= len(found) || i >= len(want) || found[i] != want[i] {
			t.Errorf("row %d differs: found\n%s\nwant\n%s", i, strings.Join(found[min(i, len(found)-1):], "\n"),
				strings.Join(want[min(i, len(want)-1):], "\n"))
			return
		}
	}
}

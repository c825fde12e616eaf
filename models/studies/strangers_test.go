package studies_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/cases"
	"github.com/quasistatic/quasistatic/models/studies"
	"github.com/quasistatic/quasistatic/study"
)

// TestStudyQuotesNoFile: what a run of a study says of a file that its case names, a table, a
// matrix or a mesh, has the place and nothing of what stands there; a file outside of the folder is
// not read.
func TestStudyQuotesNoFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	const secret = "root:$6$salt$hash:19000"
	folder := filepath.Join(dir, "study")
	if err := os.Mkdir(folder, 0o777); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"secret", "study/secret"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(secret+"\n"+secret+",t,1\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	elastic, _ := cases.Read("block-impact")
	play, _ := cases.Read("play")
	for _, name := range []string{"secret", "../secret", filepath.Join(dir, "secret"), "/etc/passwd"} {
		for _, c := range []struct {
			text  []byte
			path  string
			value string
		}{
			{play, "anchors[0].at", `{"csv": "` + name + `", "time": "t", "value": ["x", "y", "z"]}`},
			{play, "energies[0]", `{"type": "quadratic", "particles": ["p"], "matrix": {"file": "` + name + `"}}`},
			{elastic, "mesh", `{"file": "` + name + `"}`},
		} {
			text, err := casefile.Set(c.text, c.path, []byte(c.value))
			if err != nil {
				t.Fatal(err)
			}
			want := "a file beside the case or below it"
			if name == "secret" {
				want = "what stands there is not as it should be"
			}
			for _, keep := range []study.Keep{study.KeepNothing, study.KeepAll} {
				o, err := studies.Runner{}.Run(t.Context(),
					&study.Job{ID: "x", Text: text, Base: filepath.Join(folder, "c.json"), Keep: keep})
				if err != nil || o.Verdict != study.Refused || strings.Contains(o.Message, "root") ||
					strings.Contains(o.Message, "salt") || !strings.Contains(o.Message, want) {
					t.Errorf("%s of %s: %+v, %v", c.path, name, o, err)
				}
			}
		}
	}
}

package studies

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/cases"
	"github.com/quasistatic/quasistatic/internal/nearest"
	"github.com/quasistatic/quasistatic/internal/regular"
	"github.com/quasistatic/quasistatic/models"
	"github.com/quasistatic/quasistatic/study"
)

// Open reads a study: a file, or else a built-in one by its name.
func Open(file string) (*study.Spec, error) {
	spec, err := study.Load(file)
	if !errors.Is(err, fs.ErrNotExist) || filepath.Base(file) != file || filepath.Ext(file) != "" {
		return spec, err
	}
	text, ok := cases.Study(file)
	if !ok {
		return nil, fmt.Errorf("%s: no such file, nor a built-in study%s", file, nearest.Hint(file, cases.Studies()))
	}
	return study.Parse(file+".json", text)
}

// BaseCase reads the base case of a study, a built-in one or a file beside the study, and
// changes it.
func BaseCase(spec *study.Spec, dir string, sets []string) (text []byte, file string, err error) {
	file = spec.Case
	if !filepath.IsAbs(file) {
		file = filepath.Join(dir, file)
	}
	text, err = casefile.ReadFile(file, 0)
	if err != nil {
		var ok bool
		text, ok = cases.Read(spec.Case)
		switch _, there := os.Stat(file); {
		case !ok && there == nil:
			return nil, "", fmt.Errorf("$.case: %w", err)
		case !ok:
			return nil, "", fmt.Errorf("$.case: no file %s, nor a built-in case %q%s", file, spec.Case,
				nearest.Hint(spec.Case, cases.Names()))
		}
		file = spec.Case + ".json"
	}
	for _, set := range sets {
		if path, _, _ := strings.Cut(set, "="); slices.Contains(spec.Paths(), path) {
			return nil, "", fmt.Errorf("%s is set, and the study varies it: want one of the two", path)
		}
	}
	if text, err = casefile.SetAll(text, sets, models.Grammar().CheckPath); err != nil {
		return nil, "", err
	}
	if isAssembly(text) {
		return text, file, nil // its reader refuses what is not there
	}
	return text, file, checkPaths(spec.Paths(), text)
}

// checkPaths refuses a path of a study through a name that is not in its base case, nor in what
// an earlier axis puts there.
func checkPaths(paths []string, text []byte) error {
	var whole []casefile.Path
	for _, where := range paths {
		p, err := casefile.ParsePath(where)
		if err != nil {
			return err
		}
		made := slices.ContainsFunc(whole, func(q casefile.Path) bool { return len(q) < len(p) && slices.Equal(q, p[:len(q)]) })
		if whole = append(whole, p); made {
			continue
		}
		if err := models.Grammar().CheckPath(text, where); err != nil {
			return err
		}
	}
	return nil
}

// PlanOf lists the runs of a study of a base case, and reads the files that its cases name into the
// options. It refuses more runs than they allow, and what [Buildable] refuses.
func PlanOf(ctx context.Context, spec *study.Spec, o *study.Options) (*study.Plan, error) {
	p, err := study.NewPlan(spec, o.Base)
	if err != nil {
		return nil, err
	}
	if most := cmp.Or(o.Most, study.DefaultMost); p.Len() > most {
		return nil, fmt.Errorf("%s has %d runs, more than %d: --yes makes them all the same", spec.Name, p.Len(), most)
	}
	if err := Buildable(ctx, p, o.File); err != nil {
		return nil, err
	}
	if o.Files, err = FilesOf(ctx, p, o.File); err != nil {
		return nil, err
	}
	p.SetSums(o.Files.Sums())
	return p, nil
}

// Buildable refuses a study whose first or last run cannot be a case, or cannot show what
// is to be observed. A value out of range is the fault of a run, which is refused while the
// others are made; it refuses the study if both have one.
func Buildable(ctx context.Context, p *study.Plan, file string) error {
	var first error
	ends := []int{0, p.Len() - 1}
	for k, i := range ends {
		text, err := p.Text(i)
		if err != nil {
			return err
		}
		if isAssembly(text) {
			if p.Spec.Keep == study.KeepAll {
				return errors.New("$.keep: of an assembly there is a summary, and no folder")
			}
			if _, err = readAssembly(file, text, p.Spec.Observe); err != nil && k == 1 && first != nil {
				return first
			} else if err != nil {
				first = fmt.Errorf("run %d%s: %w", i, valuesOf(p, i), err)
			}
			continue
		}
		c, err := models.Grammar().Decode(file, text)
		if err == nil {
			c.Observe, c.ObservedBy = p.Spec.Observe, "the study"
			_, err = models.Build(ctx, c)
		}
		if err == nil {
			continue
		}
		err = fmt.Errorf("run %d%s: %w", i, valuesOf(p, i), err)
		faults, ok := errors.AsType[*casefile.Error](err)
		switch {
		case !ok || structural(faults):
			return err
		case k == 0:
			first = err
		case first != nil:
			return first
		}
	}
	return nil
}

// valuesOf are the numbers that a study sets in a run, for messages.
func valuesOf(p *study.Plan, i int) string {
	var list []string
	for k, value := range p.Parameters(i) {
		list = append(list, fmt.Sprintf("%s=%s", p.Spec.Paths()[k], casefile.Abbreviate(string(value))))
	}
	if list == nil {
		return ""
	}
	return ", " + strings.Join(list, ", ")
}

// FilesOf reads the files that the cases of a plan name. Of a case that is at fault, every
// word that is the name of a file beside it counts: its other runs may be without fault.
func FilesOf(ctx context.Context, p *study.Plan, file string) (study.Files, error) {
	files := study.Files{}
	dir := filepath.Dir(file)
	for _, i := range p.Words() {
		text, err := p.Text(i)
		if err != nil {
			return nil, err
		}
		names, err := filesNamed(ctx, file, text)
		if ctx.Err() != nil {
			return nil, err
		}
		if err != nil {
			names = study.FilesBeside(dir, text)
		}
		for _, name := range names {
			if files[name] != nil {
				continue
			}
			if files[name], err = regular.ReadFile(filepath.Join(dir, name)); err != nil {
				return nil, err
			}
		}
	}
	return files, nil
}

// filesNamed lists the files that a case reads.
func filesNamed(ctx context.Context, file string, text []byte) ([]string, error) {
	if isAssembly(text) {
		return nil, nil
	}
	c, err := models.Grammar().Decode(file, text)
	if err != nil {
		return nil, err
	}
	built, err := models.Build(ctx, c)
	if err != nil {
		return nil, err
	}
	return built.Plan().Files, nil
}

// structural reports whether a case has faults that all runs share: unknown keys.
func structural(e *casefile.Error) bool {
	for _, f := range e.Faults {
		if strings.Contains(f.Text, "unknown") {
			return true
		}
	}
	return false
}

package study

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/quasistatic/quasistatic/internal/crew"
	"github.com/quasistatic/quasistatic/internal/disk"
	"github.com/quasistatic/quasistatic/internal/processor"
	"github.com/quasistatic/quasistatic/internal/regular"
	"github.com/quasistatic/quasistatic/table"
)

// Options say how a study is run. The zero value of each field works, but for Base and
// Runner.
type Options struct {
	Dir     string // folder of the study; made if it is not there
	Base    []byte // text of the base case
	File    string // its name, for what it refers to
	Files   Files  // that it refers to: workers elsewhere get them
	Runner  Runner
	Version string // of the program: records of another version are made again
	// Processor is how the program rounds, as in summary.json; "": as this one does. Records of
	// another kind are made again, unless AnyProcessor takes and marks them.
	Processor    string
	AnyProcessor bool
	Engine       Engine // nil: a Pool of one worker
	Shard        Shard  // the part to make; zero: all
	Retry        bool   // make failed and lost runs again
	Most         int    // runs above which a study is refused; 0: DefaultMost
	Observe      func(Progress)
}

// known reports whether a record is one of this program.
func (o *Options) known(r *Record) bool {
	kind := mark(cmp.Or(o.Processor, processor.Kind()))
	return r != nil && r.Version == o.Version && (o.AnyProcessor || r.Processor == kind)
}

// check refuses options without which no run can be made.
func (o *Options) check() error {
	switch {
	case o.Runner == nil:
		return errors.New("study: Options.Runner is nil, want what computes a run")
	case o.Dir == "":
		return errors.New("study: Options.Dir is empty, want the folder of the study")
	}
	return nil
}

// DefaultMost is the number of runs above which a study must be asked for twice.
const DefaultMost = 1_000_000

// Progress is told after every run.
type Progress struct {
	Total  int // runs of the plan, or of the shard
	Known  int // with a record before this one began
	Done   int // made since
	Failed int // of all with a record: failed, lost or refused
	Last   *Record
}

// Run makes the runs of a study that are missing and leaves its folder:
//
//	study.json, case.json  what was asked for
//	files.json             sums of the files that the case names
//	records.jsonl          a record a run, as they end
//	study.csv, .parquet    the table, in the order of the plan
//	study.html             the page: verdicts, statistics, pictures
//	runs/<id>.json, <id>/  what keep asks for
//
// It returns the table of what is known, also after an error: of the files, of the
// engine, or of ctx.
func Run(ctx context.Context, s *Spec, o Options) (*Table, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	plan, err := NewPlan(s, o.Base)
	if err != nil {
		return nil, err
	}
	most := o.Most
	if most == 0 {
		most = DefaultMost
	}
	if plan.Len() > most {
		return nil, fmt.Errorf("study: %d runs, more than %d: ask for them with --yes", plan.Len(), most)
	}
	if err := foreign(plan, &o); err != nil {
		return nil, err
	}
	unlock, err := open(o.Dir, s, &o)
	if err != nil {
		return nil, err
	}
	defer unlock()
	t, err := makeRuns(ctx, s, o, true)
	switch {
	case t == nil:
	case o.Shard.Count > 0:
		err = errors.Join(err, t.leaveInTurn(ctx, o.Dir, o.Version))
	default:
		err = errors.Join(err, t.Leave(o.Dir, o.Version, false))
	}
	return t, err
}

// leaveInTurn leaves what all shards have made, one shard after another, so that the last one
// to end shows the records of all.
func (t *Table) leaveInTurn(ctx context.Context, dir, version string) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience) // what is made is shown
	defer cancel()
	for {
		err := t.leaveAll(dir, version, false)
		if !errors.Is(err, table.ErrLocked) {
			return err
		}
		if wait(ctx, pause); ctx.Err() != nil {
			return err
		}
	}
}

// leaveAll writes the table and the page of what all shards have made so far, unless another
// one does it now.
func (t *Table) leaveAll(dir, version string, running bool) error {
	release, err := table.LockFile(filepath.Join(dir, SpecFile))
	if err != nil {
		return err
	}
	defer release()
	records, err := readRecords(dir)
	if err != nil {
		return err
	}
	all := &Table{Plan: t.Plan, Records: records.get, ids: t.ids}
	return all.Leave(dir, version, running)
}

// Leave writes the table and the page, all files at once.
func (t *Table) Leave(dir, version string, running bool) error {
	if _, err := t.id(t.Plan.Len() - 1); err != nil { // from here on the table is only read
		return err
	}
	files := []func() error{
		func() error { return t.writeCSV(dir) },
		func() error { return t.writeParquet(dir) },
		func() error { return t.writePage(dir, version, running) },
	}
	return crew.Each(context.Background(), len(files), crew.Down(len(files)),
		func(_ context.Context, i int) (struct{}, error) { return struct{}{}, files[i]() },
		func(int, struct{}) error { return nil })
}

func (t *Table) writePage(dir, version string, running bool) error {
	p, err := t.Page(dir, version, running)
	if err != nil {
		return err
	}
	return table.WriteAtomic(filepath.Join(dir, PageFile), p.Write)
}

// makeRuns makes the missing runs of a study in a folder that is open; shown: the table is
// written now and then.
func makeRuns(ctx context.Context, s *Spec, o Options, shown bool) (*Table, error) {
	plan, err := NewPlan(s, o.Base)
	if err != nil {
		return nil, err
	}
	plan.SetSums(o.Files.Sums())
	ledger, err := openLedger(o.Dir, o.Shard.ledger())
	if err != nil {
		return nil, err
	}
	m := &march{Options: o, shown: shown, ledger: ledger, table: newTable(plan, ledger.Get), again: map[key]struct{}{}}
	m.table.Damaged = ledger.records.damaged
	return m.table, errors.Join(m.run(ctx), ledger.Close())
}

// open makes the folder of a study, or finds it; a folder with other things is refused.
func open(dir string, s *Spec, o *Options) (unlock func(), err error) {
	entries, _ := os.ReadDir(dir) // what is wrong with it is said below
	entries = slices.DeleteFunc(entries, func(e fs.DirEntry) bool {
		return strings.HasPrefix(e.Name(),
			"."+SpecFile)
	}) // another shard begins
	if len(entries) > 0 {
		if _, err := os.Stat(filepath.Join(dir, SpecFile)); err != nil {
			return nil, fmt.Errorf("study: %s holds %s and no %s: it is not the folder of a study, choose another", dir,
				entries[0].Name(), SpecFile)
		}
	}
	lock := table.Lock
	if o.Shard.Count > 0 {
		lock = table.Share
	}
	if unlock, err = lock(dir); err != nil {
		return nil, fmt.Errorf("study: %w", err)
	}
	sums, err := json.Marshal(o.Files.Sums())
	err = errors.Join(err, leaveCopy(dir, SpecFile, s.source), leaveCopy(dir, BaseFile, o.Base), leaveCopy(dir, SumsFile, sums))
	if err != nil {
		unlock()
		return nil, err
	}
	return unlock, nil
}

// leaveCopy leaves a text in a folder, unless it is there: shards may be at work.
func leaveCopy(dir, name string, text []byte) error {
	name = filepath.Join(dir, name)
	if old, err := regular.ReadFile(name); err == nil && bytes.Equal(old, text) {
		return nil
	}
	return table.WriteFile(name, text)
}

// foreign refuses the folder of another study: of another case, or of another name if no run of
// the plan is known there. A study that was changed is the same one.
func foreign(p *Plan, o *Options) error {
	text, err := regular.ReadFile(filepath.Join(o.Dir, SpecFile))
	if err != nil {
		return nil // a new folder, or one that open refuses
	}
	old, err := Decode(text)
	if err != nil {
		return nil // of an older program: its file is written anew
	}
	refusal := fmt.Errorf("study: %s is the folder of the study %q of the case %s, this is %q of %s: choose another folder",
		o.Dir, old.Name, old.Case, p.Spec.Name, p.Spec.Case)
	if filepath.Clean(old.Case) != filepath.Clean(p.Spec.Case) {
		return refusal
	}
	if old.Name == "" || old.Name == p.Spec.Name {
		return nil
	}
	records, err := readRecords(o.Dir)
	if err != nil || len(records.at) == 0 {
		return err
	}
	p.SetSums(o.Files.Sums())
	for i := range p.Len() {
		id, err := p.runID(i)
		if err != nil {
			return err
		}
		if _, known := records.at[id]; known {
			return nil
		}
	}
	return refusal
}

// march is a study on its way.
type march struct {
	Options
	shown    bool
	ledger   *ledger
	table    *Table
	progress Progress
	again    map[key]struct{} // runs with a record that are made all the same, until they are
	written  time.Time
	took     time.Duration // to write the table last time
}

func (m *march) run(ctx context.Context) error {
	todo, err := m.todo()
	if err != nil || len(todo) == 0 {
		return err
	}
	engine := m.Engine
	if engine == nil {
		engine = Pool{}
	}
	w := &Work{Plan: m.table.Plan, Dir: m.Dir, Base: m.File, Files: m.Files, Version: m.Version, Processor: m.Processor,
		Runner: m.Runner, ids: m.table.ids, withdraw: m.withdraw}
	m.written = time.Now()
	return engine.Make(ctx, w, func(yield func(int) bool) {
		for _, i := range todo {
			if !yield(i) {
				return
			}
		}
	}, m.done)
}

// todo lists the runs without a record, and those to be tried again.
func (m *march) todo() ([]int, error) {
	var list []int
	seen := make(map[key]struct{})
	for i := range m.table.Plan.Len() {
		if !m.Shard.has(i) {
			continue
		}
		m.progress.Total++
		id, err := m.table.id(i)
		if err != nil {
			return nil, err
		}
		if _, twice := seen[id]; twice {
			m.progress.Total--
			continue
		}
		seen[id] = struct{}{}
		r, err := m.table.record(i)
		if err != nil {
			return nil, err
		}
		if !m.known(r) {
			list = append(list, i)
			continue
		}
		if m.Retry && r.failed() {
			list = append(list, i)
			m.again[id] = struct{}{}
			continue
		}
		m.progress.Known++
		m.count(r)
	}
	return list, nil
}

func (m *march) count(r *Record) {
	if r.Verdict == Failed || r.Verdict == Lost || r.Verdict == Refused {
		m.progress.Failed++
	}
}

// done keeps a record and the files of its run.
func (m *march) done(r *Record) error {
	id := keyOf(r.ID)
	_, again := m.again[id]
	if k := m.ledger.Get(r.ID); m.known(k) && k.Observe == r.Observe && !again {
		return nil // of an earlier client of the same server, or of a second worker
	}
	if len(r.Files) > 0 {
		if err := m.keep(r); err != nil {
			return err
		}
	}
	if err := m.ledger.Put(r); err != nil {
		return err
	}
	delete(m.again, id)
	m.progress.Done++
	m.progress.Last = r
	m.count(r)
	if m.Observe != nil {
		m.Observe(m.progress)
	}
	return m.show()
}

// withdraw takes the records of a worker back, and returns their runs.
func (m *march) withdraw(worker, why string) (runs []int, err error) {
	x := newIndex(m.table.ids)
	for _, id := range m.ledger.of(worker) {
		if err := m.ledger.Put(&Record{ID: id, Worker: worker, Outcome: Outcome{Verdict: Withdrawn, Message: why}}); err != nil {
			return runs, err
		}
		if i, ours := x.find(id); ours && m.Shard.has(i) {
			runs = append(runs, i)
			m.progress.Done--
		}
	}
	return runs, nil
}

// show writes the table and the page, at most each second and for a tenth of the time.
func (m *march) show() error {
	since := time.Since(m.written)
	if !m.shown || since < time.Second || since < 10*m.took {
		return nil
	}
	start := time.Now()
	var err error
	if m.Shard.Count == 0 {
		err = m.table.Leave(m.Dir, m.Version, true)
	} else if err = m.table.leaveAll(m.Dir, m.Version, true); errors.Is(err, table.ErrLocked) {
		err = nil
	}
	m.written, m.took = time.Now(), time.Since(start)
	return err
}

// keep leaves what the study asks to keep of a run.
func (m *march) keep(r *Record) error {
	dir := filepath.Join(m.Dir, RunsFolder)
	if k := keyOf(r.ID); k.String() != r.ID {
		return fmt.Errorf("study: %s is no id of a run", short([]byte(r.ID)))
	}
	if m.table.Plan.Spec.Keep == KeepAll {
		dir = filepath.Join(dir, r.ID)
		if err := disk.RemoveAll(dir); err != nil { // of a run that is made again
			return fmt.Errorf("study: %w", err)
		}
		return Unfold(dir, r.Files)
	}
	// Not synced: a run whose files a power cut took is made again, and a sync a run takes
	// longer than the run.
	err := os.MkdirAll(dir, 0o777)
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, r.ID+".json"), r.Files, 0o666)
	}
	if err != nil {
		return fmt.Errorf("study: %w", err)
	}
	return nil
}

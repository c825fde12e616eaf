package study

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/quasistatic/quasistatic/internal/regular"
	"github.com/quasistatic/quasistatic/table"
)

// Names of the files in the folder of a study.
const (
	SpecFile   = "study.json"
	BaseFile   = "case.json"
	SumsFile   = "files.json"
	LedgerFile = "records.jsonl" // shards have records-<i>-of-<n>.jsonl
	RunsFolder = "runs"

	DamagedFile = "damaged.txt" // lines of ledgers that are not as they were written
)

// ledger keeps one record for each id, in a file that grows by whole lines in the order
// in which runs end. A later record of an id replaces an earlier one. A line whose sum is
// another is none: who reads passes it over, who writes sets it aside, and its run is made
// again. Safe for concurrent use.
type ledger struct {
	mu      sync.Mutex
	file    *os.File
	release func() // of the file
	records *archive
	torn    int64 // bytes after the last whole line, dropped when it was opened
}

// openLedger opens the ledger of a folder for writing and reads what all ledgers there
// hold. A line that a crash cut short is dropped, one that is damaged goes to [DamagedFile].
func openLedger(dir, name string) (*ledger, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, fmt.Errorf("study: %w", err)
	}
	records, err := readRecords(dir) // refuses what is no regular file
	if err != nil {
		return nil, err
	}
	file, err := os.OpenFile(filepath.Join(dir, name), os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, fmt.Errorf("study: %w", err)
	}
	l := &ledger{file: file, records: records}
	if l.release, err = table.LockFile(file.Name()); err != nil {
		_ = file.Close() // the fault is the news
		return nil, fmt.Errorf("study: %w", err)
	}
	if err := errors.Join(l.cut(), l.setAside(dir)); err != nil {
		l.release()
		_ = file.Close() // the fault is the news
		return nil, fmt.Errorf("study: %s: %w", file.Name(), err)
	}
	return l, nil
}

// cut drops an unfinished last line.
func (l *ledger) cut() error {
	data, err := io.ReadAll(l.file)
	if err != nil {
		return err
	}
	whole := int64(bytes.LastIndexByte(data, '\n') + 1)
	l.torn = int64(len(data)) - whole
	if err := l.file.Truncate(whole); err != nil {
		return err
	}
	_, err = l.file.Seek(whole, io.SeekStart)
	return err
}

// setAside appends the lines that are not as they were written to [DamagedFile] and blanks
// them where they stood, so that no other byte moves.
func (l *ledger) setAside(dir string) error {
	data, err := io.ReadAll(io.NewSectionReader(l.file, 0, 1<<62))
	if err != nil {
		return err
	}
	at := int64(0)
	for line := range bytes.Lines(data) {
		var x Record
		if !blank(line) && unseal(line, &x) != nil {
			if err := appendTo(filepath.Join(dir, DamagedFile), line); err != nil {
				return err
			}
			if _, err := l.file.WriteAt(bytes.Repeat([]byte(" "), len(line)-1), at); err != nil {
				return err
			}
		}
		at += int64(len(line))
	}
	return nil
}

// blank reports whether nothing stands on a line any more.
func blank(line []byte) bool { return len(bytes.Trim(line, " \n")) == 0 }

// appendTo appends a text to a file, durably.
func appendTo(name string, text []byte) error {
	if err := regular.Check(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	return errors.Join(err, f.Sync(), f.Close())
}

// readRecords reads the records of all ledgers of a folder, those of shards too.
func readRecords(dir string) (*archive, error) {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("study: %w", err)
	}
	records := newArchive()
	for _, e := range entries {
		if isLedger(e.Name()) {
			if err := readLedger(filepath.Join(dir, e.Name()), records); err != nil {
				return nil, err
			}
		}
	}
	return records, nil
}

func readLedger(name string, records *archive) error {
	// Opening a pipe would wait for who writes to it.
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("study: %s is not a regular file, want the records of a study", name)
	}
	file, err := os.Open(name)
	if err != nil {
		return fmt.Errorf("study: %w", err)
	}
	defer file.Close() // read only
	r := bufio.NewReader(file)
	for {
		text, err := r.ReadBytes('\n')
		if err == io.EOF {
			return nil // what stands after the last line end was cut short
		}
		if err != nil {
			return fmt.Errorf("study: %w", err)
		}
		var x Record
		switch {
		case blank(text):
		case unseal(text, &x) == nil:
			records.put(&x)
		default:
			records.damaged++
		}
	}
}

// A line of a ledger is a record in JSON whose last key is the sum of what stands before it.
const (
	sealBegin  = `,"sum":"`
	sealEnd    = "\"}\n"
	sealDigits = 16
)

// seal is the sum of a record without its last brace, in digits: a part of its SHA-256, for it
// is there against bits that flip.
func seal(open []byte) string {
	sum := sha256.Sum256(open)
	return hex.EncodeToString(sum[:sealDigits/2])
}

// sealed is the line of a record.
func sealed(x *Record) ([]byte, error) {
	text, err := json.Marshal(x)
	if err != nil {
		return nil, err
	}
	open := text[:len(text)-1]
	return fmt.Append(open, sealBegin, seal(open), sealEnd), nil
}

// unseal reads a line, and refuses one that is not as it was written.
func unseal(line []byte, x *Record) error {
	at := len(line) - len(sealBegin) - sealDigits - len(sealEnd)
	if at < 0 || string(line[at:]) != sealBegin+seal(line[:at])+sealEnd {
		return errors.New("not a record as it was written")
	}
	if err := json.Unmarshal(line, x); err != nil || x.ID == "" {
		return fmt.Errorf("not a record (%v)", err)
	}
	return nil
}

// Put keeps a record, without the files of its run. It is in the file when Put returns,
// and durable after [ledger.Sync].
func (l *ledger) Put(x *Record) error {
	text, err := sealed(x)
	if err != nil {
		return fmt.Errorf("study: record %s: %w", x.ID, err)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, err := l.file.Write(text); err != nil {
		return fmt.Errorf("study: %w", err)
	}
	l.records.put(x)
	return nil
}

// Get returns the record of an id; nil: there is none.
func (l *ledger) Get(id string) *Record {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.records.get(id)
}

// of lists the ids of a worker's records.
func (l *ledger) of(worker string) []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.records.of(worker)
}

// Sync makes all records durable.
func (l *ledger) Sync() error {
	if err := l.file.Sync(); err != nil {
		return fmt.Errorf("study: %w", err)
	}
	return nil
}

// Close syncs and closes the file.
func (l *ledger) Close() error {
	defer l.release()
	return errors.Join(l.Sync(), l.file.Close())
}

package study

import (
	"archive/tar"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestFold: what is packed of a folder is unpacked to the same files, those that are named first;
// what is no file is left out, and what would lie outside of the folder is refused.
func TestFold(t *testing.T) {
	from, to := t.TempDir(), t.TempDir()
	if err := os.Mkdir(filepath.Join(from, "vtu"), 0o777); err != nil {
		t.Fatal(err)
	}
	files := map[string]string{"case.json": "{}", "trajectory.csv": "t\n0\n", filepath.Join("vtu", "0.vtu"): "<x/>", "empty": ""}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(from, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("case.json", filepath.Join(from, "link")); err != nil {
		t.Log(err) // a system without links
	}
	data, err := Fold(from, "trajectory.csv", "missing")
	if err != nil {
		t.Fatal(err)
	}
	if h, err := tar.NewReader(bytes.NewReader(data)).Next(); err != nil || h.Name != "trajectory.csv" {
		t.Errorf("first comes %+v, %v", h, err)
	}
	if err := Unfold(to, data); err != nil {
		t.Fatal(err)
	}
	found := 0
	for name, text := range files {
		got, err := os.ReadFile(filepath.Join(to, name))
		if err != nil || string(got) != text {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	if err := filepath.WalkDir(to, func(_ string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			found++
		}
		return err
	}); err != nil || found != len(files) {
		t.Errorf("%d files, %v", found, err)
	}
	var evil bytes.Buffer
	w := tar.NewWriter(&evil)
	if err := w.WriteHeader(&tar.Header{Name: "../out", Mode: 0o644}); err != nil {
		t.Fatal(err)
	}
	const records = "22 GNU.sparse.major=1\n22 GNU.sparse.minor=0\n31 GNU.sparse.realsize=1000000\n"
	sparse := slices.Concat(member('x', "f", records), member('0', "f", "1\n1000000\n0\n"+strings.Repeat("\x00", 500)))
	if h, err := tar.NewReader(bytes.NewReader(sparse)).Next(); err != nil || h.Size != 1e6 {
		t.Fatalf("%+v, %v: no file of a million zeros", h, err)
	}
	if _, isFolder := unpacked(sparse); isFolder {
		t.Error("zeros that are not there are unpacked")
	}
	for what, data := range map[string][]byte{"outside": evil.Bytes(), "sparse": sparse,
		"a link": member('2', "link", ""), "cut": data[:300], "no archive": bytes.Repeat([]byte("x"), 1024)} {
		if err := Unfold(to, data); err == nil {
			t.Errorf("%s: unpacked", what)
		}
	}
	if _, err := Fold(filepath.Join(from, "nowhere")); err == nil {
		t.Error("a folder that is none is packed")
	}
	if err := Unfold(filepath.Join(to, "case.json"), data); err == nil {
		t.Error("a file is a folder")
	}
}

// member is one of a tar file of a type, with a short text.
func member(kind byte, name, text string) []byte {
	b := make([]byte, 512, 1024)
	copy(b, name)
	copy(b[100:], fmt.Sprintf("%07o\x00%07o\x00%07o\x00%011o\x00%011o\x00        %c", 0o644, 0, 0, len(text), 0, kind))
	copy(b[257:], "ustar\x0000")
	sum := 0
	for _, c := range b {
		sum += int(c)
	}
	copy(b[148:], fmt.Sprintf("%06o\x00 ", sum))
	if text != "" {
		b = append(b, text...)
		b = b[:1024]
	}
	return b
}

// TestVerdicts: of a table the runs by verdict, with those that are not made; its files are CSV and
// Parquet.
func TestVerdicts(t *testing.T) {
	dir := t.TempDir()
	table, err := Run(t.Context(), squareStudy(t, 20), Options{Dir: dir, Base: []byte(squareBase), Runner: square{}})
	if err != nil {
		t.Fatal(err)
	}
	// μ = 0, 1/9, … 1, twice: from 7/9 on they fail.
	count, err := table.Verdicts()
	if err != nil || len(count) != 2 || count[Certified] != 14 || count[Failed] != 6 {
		t.Errorf("%v, %v", count, err)
	}
	records := table.Records
	table.Records = func(id string) *Record {
		if r := records(id); r.Verdict != Failed {
			return r
		}
		return nil
	}
	if count, err = table.Verdicts(); err != nil || len(count) != 2 || count[Certified] != 14 || count[""] != 6 {
		t.Errorf("%v, %v", count, err)
	}
	table.Records = records
	again := t.TempDir()
	if err := table.Write(again); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"study.csv", "study.parquet"} {
		if want := read(t, dir, name); !bytes.Equal(read(t, again, name), want) || len(want) < 100 {
			t.Errorf("%s is another one", name)
		}
	}
	if err := table.Write(filepath.Join(again, "nowhere")); err == nil || !strings.Contains(err.Error(), "study.csv") ||
		!strings.Contains(err.Error(), "study.parquet") {
		t.Error(err)
	}
	if names := slices.Collect(table.Rows()); len(names) != 20 {
		t.Errorf("%d rows: %s", len(names), fmt.Sprint(names))
	}
}

package release

import (
	"debug/buildinfo"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"strings"
	"time"
)

// The document of CycloneDX 1.6, as far as it is written here: https://cyclonedx.org/docs/1.6/json.
type (
	document struct {
		Format     string      `json:"bomFormat"`
		Spec       string      `json:"specVersion"`
		Version    int         `json:"version"`
		Metadata   metadata    `json:"metadata"`
		Components []component `json:"components"`
	}
	metadata struct {
		Timestamp string    `json:"timestamp"`
		Component component `json:"component"`
	}
	component struct {
		Type       string     `json:"type"`
		Ref        string     `json:"bom-ref"`
		Name       string     `json:"name"`
		Version    string     `json:"version"`
		Hashes     []hash     `json:"hashes,omitempty"`
		Licences   []licence  `json:"licenses,omitempty"`
		PURL       string     `json:"purl"`
		Properties []property `json:"properties,omitempty"`
	}
	hash struct {
		Algorithm string `json:"alg"`
		Content   string `json:"content"`
	}
	licence struct {
		Licence struct {
			ID string `json:"id"`
		} `json:"license"`
	}
	property struct {
		Name  string `json:"name"`
		Value string `json:"value"`
	}
)

// SBOM lists what is inside of a program by what the linker wrote into it. Its time is that of the
// revision and it has no serial number: the same program has the same list.
func SBOM(info *buildinfo.BuildInfo, target string, parts []Part) ([]byte, error) {
	system, arch, _ := strings.Cut(target, "-")
	main := library(Part{Path: info.Main.Path, Version: info.Main.Version, Licences: []string{"BSD-3-Clause"}})
	main.Type = "application"
	main.Properties = []property{{"system", system}, {"architecture", arch}, {"go", info.GoVersion}}
	d := document{Format: "CycloneDX", Spec: "1.6", Version: 1, Metadata: metadata{RevisionTime(info).Format("2006-01-02T15:04:05Z"), main}}
	for _, p := range parts {
		d.Components = append(d.Components, library(p))
	}
	text, err := json.MarshalIndent(d, "", "  ")
	return append(text, '\n'), err
}

// library describes a module. Its hash is that of go.sum: SHA-256 over the list of its files and
// theirs (golang.org/x/mod/sumdb/dirhash), as cyclonedx-gomod gives it.
func library(p Part) component {
	purl := "pkg:golang/" + p.Path + "@" + strings.ReplaceAll(p.Version, "+", "%2B")
	c := component{Type: "library", Ref: purl, Name: p.Path, Version: p.Version, PURL: purl}
	if sum, ok := strings.CutPrefix(p.Sum, "h1:"); ok {
		if bytes, err := base64.StdEncoding.DecodeString(sum); err == nil {
			c.Hashes = []hash{{"SHA-256", hex.EncodeToString(bytes)}}
		}
	}
	for _, id := range p.Licences {
		var l licence
		l.Licence.ID = id
		c.Licences = append(c.Licences, l)
	}
	return c
}

// RevisionTime is that of the revision, or the first day of the format zip where none is known.
func RevisionTime(info *buildinfo.BuildInfo) time.Time {
	for _, s := range info.Settings {
		if at, err := time.Parse(time.RFC3339, s.Value); s.Key == "vcs.time" && err == nil {
			return at.UTC()
		}
	}
	return time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)
}

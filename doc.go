// Package quasistatic holds the documents of the repository inside the program, which makes a site
// of them wherever it is installed. What computes is in the folders beside it: ARCHITECTURE.md has
// the list.
//
// # Limits
//
// Documents and their pictures only: what they link to beside these is not here.
package quasistatic

import "embed"

// Documents are README.md, docs/ and the like, by their paths in the repository.
//
//go:embed README.md AGENTS.md ARCHITECTURE.md CHANGELOG.md CONTRIBUTING.md LICENSE contact/README.md python/README.md
//go:embed docs/*.md docs/*.png docs/decisions docs/lab docs/notebooks docs/pictures
var Documents embed.FS

// Package pagedata reads what the plots of a page hold, for tests of pages.
package pagedata

import (
	"compress/gzip"
	"encoding/base64"
	"errors"
	"io"
	"strings"
)

// Of returns the JSON that a page has packed, by gzip in base64; an error where it has none.
func Of(page string) ([]byte, error) {
	_, data, found := strings.Cut(page, `<script id="data" type="application/json">"`)
	data, _, ended := strings.Cut(data, `"`)
	if !found || !ended {
		return nil, errors.New("pagedata: the page has no data")
	}
	z, err := gzip.NewReader(base64.NewDecoder(base64.StdEncoding, strings.NewReader(data)))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(z)
}

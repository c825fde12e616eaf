// Package site makes one static folder of what there is to read and to see: the documents as pages,
// the reference of the case format among them, and the page of each built-in case, made by a run of
// its own.
//
//	documents (CommonMark) → goldmark → pages, links to .md as links to pages
//	engine (js/wasm) → playground/index.html, with the sums of the tables of those runs
//	cases → run.Task → models.Shown → cases/NAME.html, a strip of frames, a card of the gallery
//	studies → study.Run → cases/studies/NAME.html, whose runs the playground makes
//
// # Conventions
//
// All links to what the folder holds are relative, so that it can be put anywhere, or opened as a
// file. A link of a document to what is not in the folder is text.
//
// # Limits
//
// Of the playground a browser wants a server: it runs no engine in a page that was opened as a file.
// A case that takes longer than it is given, or whose page is larger than 3 MB, has no page: the
// gallery says how to make it.
package site

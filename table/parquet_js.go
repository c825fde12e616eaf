package table

import "errors"

// errNoParquet: a program of a web page has no folder that others read, and Parquet with its codecs
// would be a tenth of it.
var errNoParquet = errors.New("table: the format parquet is not in the program of a page, want csv, npz or vtu")

func writeParquetSheets(string, *Folder, sourceOpener) error { return errNoParquet }

func openParquetRows(string, *Layout, *Sheet) (rowSource, error) { return nil, errNoParquet }

// Compares the Parquet file of a run with its CSV files, bit for bit, by the reader
// hyparquet (npm install hyparquet, in the folder where it is run).
//
// usage: node parquet.mjs RUN PARQUET_FILE
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

const require = createRequire(process.cwd() + '/')
const { parquetReadObjects } = await import(pathToFileURL(require.resolve('hyparquet')))
const [run, name] = process.argv.slice(2)
const table = (file) => readFileSync(`${run}/${file}.csv`, 'utf8').trim().split('\n').map((line) => line.split(','))
const x = table('trajectory'), r = table('forces')
const ids = x[0].slice(1).filter((_, i) => i % 3 === 0).map((c) => c.slice(0, -2))
const bytes = readFileSync(name)
const rows = await parquetReadObjects({ file: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) })
let at = 0
for (let k = 1; k < x.length; k++) {
  for (let j = 0; j < ids.length; j++) {
    const row = rows[at++]
    const want = [x[k][0], ...x[k].slice(1 + 3 * j, 4 + 3 * j), ...r[k].slice(1 + 3 * j, 4 + 3 * j)].map(Number)
    const got = ['t', 'x', 'y', 'z', 'n', 'tx', 'ty'].map((c) => row[c])
    if (row.particle !== ids[j] || !['free', 'grazing', 'stick', 'slip'].includes(row.status) || got.some((v, i) => v !== want[i])) {
      console.error(`row ${at - 1}:`, row, 'want', ids[j], want)
      process.exit(1)
    }
  }
}
if (at !== rows.length) throw new Error(`${rows.length} rows, want ${at}`)
console.log(`${at} rows: the same bits`)

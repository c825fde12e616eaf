// Compares the Parquet files of a run of a dynamic model with its CSV files, bit for
// bit, by the reader hyparquet (npm install hyparquet, in the folder where it is run).
//
// usage: node tables.mjs RUN PARQUET_FOLDER
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

const require = createRequire(process.cwd() + '/')
const { parquetReadObjects } = await import(pathToFileURL(require.resolve('hyparquet')))
const [run, folder] = process.argv.slice(2)
const csv = (name) => readFileSync(`${run}/${name}.csv`, 'utf8').trim().split('\n').map((line) => line.split(','))
const parquet = async (name) => {
  const bytes = readFileSync(`${folder}/${name}.parquet`)
  return parquetReadObjects({ file: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) })
}
const fail = (...text) => { console.error(...text); process.exit(1) }
let values = 0

// Tables of bodies, elements and nodes: <id>.<component>, a row each.
const renamed = { t: 'tx', o: 'ty' }
async function melted(file, sheets) {
  const rows = await parquet(file)
  const of = ['body', 'node', 'element'].find((key) => key in rows[0])
  const ids = [...new Set(csv(sheets[0])[0].slice(1).map((c) => c.slice(0, c.lastIndexOf('.'))))]
  for (const sheet of sheets) {
    const [header, ...lines] = csv(sheet)
    if (rows.length !== lines.length * ids.length) fail(file, rows.length, 'rows, want', lines.length * ids.length)
    lines.forEach((line, k) => header.slice(1).forEach((column, i) => {
      const dot = column.lastIndexOf('.'), j = ids.indexOf(column.slice(0, dot)), c = column.slice(dot + 1)
      const row = rows[k * ids.length + j]
      if (row[of] !== ids[j] || row.t !== Number(line[0]) || row[renamed[c] ?? c] !== Number(line[1 + i])) fail(file, column, row, 'want', line[1 + i])
      values++
    }))
  }
}
const mesh = existsSync(`${run}/displacements.csv`)
if (mesh) {
  await melted('trajectory', ['trajectory', 'forces'])
  await melted('displacements', ['displacements', 'velocities'])
} else {
  await melted('trajectory', ['trajectory', 'velocities'])
  await melted('forces', ['forces'])
  const [header, ...lines] = csv('contacts'), rows = await parquet('contacts')
  if (rows.length !== lines.length) fail('contacts', rows.length, 'rows, want', lines.length)
  lines.forEach((line, k) => header.forEach((column, i) => {
    const got = rows[k][column]
    if (typeof got === 'string' ? got !== line[i] : got !== Number(line[i])) fail('contacts', column, rows[k], 'want', line[i])
    values++
  }))
}
console.log(`${values} values: the same bits`)

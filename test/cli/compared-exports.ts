/** Compares two exports, one of them of the tenant that was imported from the other: they are equal except for ids. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { exportedLists } from '../../lib/tools/export/lists.ts'
import { ROWS } from '../../lib/tools/export/rows.ts'
import type { Loose } from '../support/command-context.ts'

type Table = { readonly columns: readonly string[]; readonly rows: (string | null)[][] }

/** Tables that an import does not bring, and tables whose rows belong to the new tenant. */
const OWN = ['events', 'api-keys', 'requests', 'webhook-subscriptions-deliveries', 'webhook-subscriptions']

export async function tablesOf(folder: string): Promise<ReadonlyMap<string, Table>> {
  const tables = new Map<string, Table>()
  let last: Table | undefined
  for (const line of (await linesOf(folder, ROWS)).slice(1)) {
    if (Array.isArray(line)) last?.rows.push(line)
    else {
      last = { columns: line.columns, rows: [] }
      tables.set(line.table, last)
    }
  }
  return tables
}

/** The differences of each table and each list, by its name. Empty: the exports are equal. */
export async function differences(
  before: string,
  after: string,
): Promise<Record<string, { lost: string[]; new: string[] }>> {
  const [old, made] = [await tablesOf(before), await tablesOf(after)]
  const [oldIds, madeIds] = [idsOf(old), idsOf(made)]
  if (oldIds.length !== madeIds.length) throw new Error(`${oldIds.length} ids became ${madeIds.length}`)
  const mapped = new Map(oldIds.map((id, at) => [id, madeIds[at] ?? '']))
  const found: Record<string, { lost: string[]; new: string[] }> = {}
  const compare = (name: string, ours: readonly string[], theirs: readonly string[]) => {
    const [lost, more] = [without(ours, theirs), without(theirs, ours)]
    if (lost.length + more.length > 0) found[name] = { lost, new: more }
  }
  for (const table of new Set([...old.keys(), ...made.keys()]))
    compare(table, textsOf(old.get(table), mapped), textsOf(made.get(table)))
  for (const { file } of exportedLists) {
    if (OWN.includes(file.replace('.jsonl', ''))) continue
    const text = (to: ReadonlyMap<string, string>) => (record: Loose) => JSON.stringify(renamed(record, to))
    compare(file, (await linesOf(before, file)).map(text(mapped)), (await linesOf(after, file)).map(text(new Map())))
  }
  return found
}

export const linesOf = async (folder: string, file: string): Promise<Loose[]> =>
  (await readFile(join(folder, file), 'utf8'))
    .split('\n')
    .slice(0, -1)
    .map(line => JSON.parse(line))

const isId = (name: string) => /(?:^|_)id$|_ids$|^(?:place|batch)_key$/.test(name)

/** Parts of lines have ids too. */
const PARTS = 'components'
const idsOfPart = (part: Loose): string[] =>
  Object.entries(part).flatMap(([name, value]) => (isId(name) && value !== null ? [String(value)] : []))

/** The ids of all tables in their order. */
const idsOf = (tables: ReadonlyMap<string, Table>): string[] =>
  [
    ...new Set(
      [...tables.values()].flatMap(({ columns, rows }) =>
        columns.flatMap((name, at) => {
          if (isId(name)) return rows.flatMap(row => row[at] ?? [])
          return name === PARTS ? rows.flatMap(row => (JSON.parse(row[at] ?? '[]') as Loose[]).flatMap(idsOfPart)) : []
        }),
      ),
    ),
  ].sort((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1))

const textsOf = (table: Table | undefined, to: ReadonlyMap<string, string> = new Map()): string[] =>
  (table?.rows ?? []).map(row =>
    JSON.stringify(
      row.map((value, at) => {
        const name = table?.columns[at] ?? ''
        if (name === PARTS) return JSON.stringify(renamed(JSON.parse(value ?? '[]'), to))
        return isId(name) ? (to.get(value ?? '') ?? value) : value
      }),
    ),
  )

function renamed(value: Loose, to: ReadonlyMap<string, string>, name = ''): Loose {
  if (Array.isArray(value)) return value.map(each => renamed(each, to, name))
  if (value === null || typeof value !== 'object') return isId(name) ? (to.get(value) ?? value) : value
  // The values of metadata are texts of the tenant, so none of them is an id of Millrace. The value of the stock is that of the time of the
  // export.
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => key !== 'as_of')
      .map(([key, each]) => [key, key === 'metadata' ? each : renamed(each, to, key)]),
  )
}

function without(some: readonly string[], others: readonly string[]): string[] {
  const left = new Map<string, number>()
  for (const each of others) left.set(each, (left.get(each) ?? 0) + 1)
  return some.filter(each => {
    const count = left.get(each) ?? 0
    left.set(each, count - 1)
    return count <= 0
  })
}

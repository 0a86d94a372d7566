/** `tenant journal`: the entries of the books, or the balances to book, as CSV. */
import { writeFile } from 'node:fs/promises'
import { tenantExists } from '../../access/tenants.ts'
import { readCodes } from '../../domain/accounting/codes/endpoints.ts'
import { codeOf } from '../../domain/accounting/codes/rules.ts'
import { minorUnitDigits } from '../../domain/accounting/currencies.ts'
import { currencyOf, turnoversOf } from '../../domain/stock/books/balance-queries.ts'
import { balancesOf, sums } from '../../domain/stock/books/balance-rules.ts'
import { journalEntry } from '../../domain/stock/books/journal-document.ts'
import { listJournal } from '../../domain/stock/books/journal-queries.ts'
import { formatCost } from '../../platform/decimal.ts'
import { JsonNumber, type JsonObject, type JsonValue, parseJson } from '../../platform/json.ts'
import type { Pool } from '../../platform/postgres/postgres.ts'
import { type CliCommand, Refused, UsageError } from './command.ts'
import { poolOf } from './in-cells.ts'
import { tenantOf, tenantOption } from './tenant-option.ts'
import { day, oneOf, optional, required, text } from './values.ts'

const PAGE = 200

type Asked = { readonly tenantId: string; readonly from: string; readonly to: string }

export const journalCommand: CliCommand = {
  words: ['tenant', 'journal'],
  summary: 'Write the entries of the books of some days, or what to book of them, as CSV',
  options: {
    ...tenantOption('whose books'),
    from: { value: 'YYYY-MM-DD', help: 'the first day', required: true },
    to: { value: 'YYYY-MM-DD', help: 'the last day', required: true },
    by: {
      value: 'entry|account',
      help: 'a row for each line of each entry (entry, the default), or for each account, with rounded columns',
    },
    out: { value: 'FILE.csv', help: 'the file; without it the CSV is printed' },
  },
  examples: ['tenant journal --tenant 1001 --from 2026-10-01 --to 2026-10-31 --by account --out october.csv'],
  run: async (input, world) => {
    const asked = { tenantId: tenantOf(input), from: required(input, 'from', day), to: required(input, 'to', day) }
    if (asked.from > asked.to) throw new UsageError('--from must not be after --to')
    const by = optional(input, 'by', oneOf(['entry', 'account'])) ?? 'entry'
    const out = optional(input, 'out', text)
    const pool = await poolOf(world, asked.tenantId)
    if (!(await tenantExists(pool, asked.tenantId))) throw new Refused(`there is no tenant ${asked.tenantId}`)
    const rows = by === 'entry' ? await entries(pool, asked) : await balances(pool, asked)
    const csv = rows.map(row => row.map(cell).join(',')).join('\r\n')
    const json = { tenant_id: asked.tenantId, from: asked.from, to: asked.to, by, rows: rows.length - 1 }
    if (out === undefined) return { json: { ...json, csv }, text: csv }
    await writeFile(out, `${csv}\r\n`)
    return { json: { ...json, file: out }, text: `${rows.length - 1} rows in ${out}.` }
  },
}

/** A text that a spreadsheet would take for a formula gets an apostrophe; amounts may begin with a minus. */
function cell(value: string): string {
  const safe = /^[=+@\t\r]/.test(value) || (value.startsWith('-') && !/^-[\d.]+$/.test(value)) ? `'${value}` : value
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

const entryColumns = [
  'id',
  'day',
  'document_date',
  'created_at',
  'source_type',
  'source_id',
  'source_number',
  'reason',
  'currency',
]
const lineColumns = [
  'account',
  'account_code',
  'debit',
  'credit',
  'storage_place_id',
  'item_variant_id',
  'sku',
  'category',
]

async function entries(pool: Pool, { tenantId, from, to }: Asked): Promise<string[][]> {
  const { json } = journalEntry({})
  const filters = { day_from: from, day_to: to }
  const found = [[...entryColumns, ...lineColumns]]
  let after: string | null = null
  for (;;) {
    const page = await listJournal(pool, json, { tenantId, filters, after, limit: PAGE, order: 'asc' })
    for (const { document } of page) {
      const entry = parseJson(document) as JsonObject
      const head = entryColumns.map(name => asText(entry[name]))
      for (const line of entry['lines'] as JsonObject[])
        found.push([...head, ...lineColumns.map(name => asText(line[name]))])
    }
    if (page.length < PAGE) return found
    after = page.at(-1)?.id ?? null
  }
}

const asText = (value: JsonValue | undefined): string =>
  value == null ? '' : value instanceof JsonNumber ? value.text : String(value)

async function balances(pool: Pool, { tenantId, from, to }: Asked): Promise<string[][]> {
  const currency = await currencyOf(pool, tenantId)
  const codes = await readCodes(pool, tenantId)
  const moved = await turnoversOf(pool, { tenantId, split: 'account', from, until: { day: to } })
  const { rows } = balancesOf(moved, minorUnitDigits(currency))
  return [
    ['account', 'account_code', 'currency', 'from', 'through', ...sums],
    ...rows.map(row => [
      row.account,
      codeOf(codes, row.account, null) ?? '',
      currency,
      from,
      to,
      ...sums.map(name => formatCost(row[name])),
    ]),
  ]
}

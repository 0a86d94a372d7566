/**
 * The entries of the books for products whose category changed: their stock value moves from the old category to the new one
 * (docs/rules/books.md). These entries have no movements. The stock ledger writes all other entries.
 */
import { dayIn } from '../../kit/days.ts'
import type { PartKind, Work } from '../../kit/documents/work.ts'
import { type Cost, formatCost } from '../../platform/decimal.ts'
import { rowArrays } from '../../platform/postgres/row-arrays.ts'
import { bitOf } from '../accounting/accounts.ts'

type Line = {
  readonly item_id: string
  readonly item_variant_id: string
  readonly storage_place_id: string | null
  readonly sku: string | null
  readonly category: string | null
  readonly amount: Cost
}

class Recategorised {
  /** The lines of each entry, in the order of the commands. */
  readonly entries: Line[][] = []
}

const columns = rowArrays({
  tenant_id: 'bigint',
  now: 'timestamptz',
  day: 'date',
  entry: 'integer',
  item_id: 'bigint',
  item_variant_id: 'bigint',
  storage_place_id: 'bigint',
  sku: 'text',
  category: 'text',
  amount: 'numeric',
  id: 'bigint',
})

const textOf = (id: string) => `
  with lines as materialized (
    select r.*, ${id} as row_id from ${columns.from} with ordinality as r (${columns.names}, position) order by r.position
  )
  insert into book_lines (
    tenant_id, id, entry_id, entry_accounts, account, amount, item_variant_id, storage_place_id, sku, category, source_type, source_id, day,
    document_date, created_at
  )
  select tenant_id, row_id, entry_id, case when row_id = entry_id then ${bitOf('INVENTORY')} end, 'INVENTORY', amount, item_variant_id,
    storage_place_id, sku, category, 'PRODUCT', item_id, day, now, now
  from (select *, min(row_id) over (partition by tenant_id, entry) as entry_id from lines) l
  order by position`

const part: PartKind<Recategorised> = {
  make: () => new Recategorised(),
  write: (parts, ids) => {
    const left = [...(ids ?? [])]
    const rows = parts.flatMap(({ work, part: { entries } }) =>
      entries.flatMap((lines, entry) =>
        lines.map(line => ({
          ...line,
          ...{ tenant_id: work.tenant.id, now: work.now, day: dayIn(work.tenant.timeZone, work.now), entry },
          ...{ amount: formatCost(line.amount), id: ids ? left.shift() : null },
        })),
      ),
    )
    return rows.length === 0 ? [] : [{ text: textOf(ids ? 'r.id' : `nextval('ids')`), values: columns.valuesOf(rows) }]
  },
  idsOf: parts => parts.reduce((sum, { part: { entries } }) => sum + entries.flat().length, 0),
}

/** Books the entry of a product whose category changed. */
export function bookRecategorised(work: Work, lines: readonly Line[]): void {
  const { entries } = work.part(part)
  entries.push([...lines])
  work.undo(() => entries.pop())
}

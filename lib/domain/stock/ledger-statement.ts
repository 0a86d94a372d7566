/**
 * The statement that writes the stock ledger of any number of tenants. Only this statement makes batches and writes levels, balances,
 * movements and lines of the books.
 */

import { dayIn } from '../../kit/days.ts'
import type { Work } from '../../kit/documents/work.ts'
import { formatCost, formatMicro } from '../../platform/decimal.ts'
import type { Query } from '../../platform/postgres/round-trip.ts'
import { inOneStatement } from '../../platform/postgres/row-arrays.ts'
import { type Entry, entriesOf } from './book-rules.ts'
import { expiryOf } from './pick-order.ts'
import { type Cause, hasChangedLevel, type Level, levelOf, type Position, type Stock, type Where } from './stock.ts'

type Parts = readonly { readonly work: Work; readonly part: { readonly stock: Stock } }[]

/**
 * Writes what the commands posted, as data-modifying CTEs. The text does not depend on what was posted, so it is prepared once; an empty
 * part costs microseconds. PostgreSQL checks foreign keys between the parts at the end of the statement. Rows are inserted in posting
 * order, so their ids ascend in it.
 */
export function writeLedger(parts: Parts, ids?: readonly string[]): Query {
  const left = [...(ids ?? [])]
  const withIds = (of: (stock: Stock) => readonly Row[]) =>
    ids ? (stock: Stock) => of(stock).map(row => ({ ...row, id: row['id'] ?? left.shift() })) : of
  // Levels take their ids before movements do.
  const levels = rows(parts, withIds(levelRows))
  return {
    text: ids ? ledgerTextWithIds : ledgerText,
    values: [
      ...batchArrays.valuesOf(rows(parts, batchRows)),
      ...levelArrays.valuesOf(levels),
      ...balanceArrays.valuesOf(rows(parts, balanceRows)),
      ...movementArrays.valuesOf(rows(parts, withIds(movementRows))),
      ...bookArrays.valuesOf(rows(parts, withIds(bookRows))),
    ],
  }
}

/** How many ids the new rows need. */
export const ledgerIds = (parts: Parts): number =>
  parts.reduce(
    (sum, { part: { stock } }) =>
      sum + stock.movements.length + stock.bookLines.length + levelRows(stock).filter(({ id }) => !id).length,
    0,
  )

const written = { tenant_id: 'bigint', now: 'timestamptz' }
const batchColumns = {
  ...written,
  id: 'bigint',
  item_variant_id: 'bigint',
  number: 'text',
  manufacture_date: 'date',
  expiry_date: 'date',
  expired: 'boolean',
}
const levelColumns = {
  ...written,
  id: 'bigint',
  item_variant_id: 'bigint',
  storage_place_id: 'bigint',
  batch_id: 'bigint',
  quantity: 'numeric',
  quarantine: 'numeric',
  reserved: 'numeric',
  expected: 'numeric',
  expires_on: 'date',
}
const balanceColumns = {
  ...written,
  item_variant_id: 'bigint',
  storage_place_id: 'bigint',
  quantity: 'numeric',
  quarantine: 'numeric',
  expired: 'numeric',
  expired_before: 'date',
  value: 'numeric',
}
const entryColumns = {
  command: 'integer',
  day: 'date',
  sku: 'text',
  category: 'text',
  entry_accounts: 'integer',
}
const movementColumns = {
  ...written,
  item_variant_id: 'bigint',
  storage_place_id: 'bigint',
  batch_id: 'bigint',
  kind: 'text',
  quantity: 'numeric',
  quarantine: 'numeric',
  value: 'numeric',
  quantity_after: 'numeric',
  source_type: 'text',
  source_id: 'bigint',
  document_date: 'timestamptz',
  id: 'bigint',
  ...entryColumns,
  entry_movements: 'integer',
}
const bookColumns = {
  ...written,
  account: 'text',
  amount: 'numeric',
  item_variant_id: 'bigint',
  storage_place_id: 'bigint',
  source_type: 'text',
  source_id: 'bigint',
  document_date: 'timestamptz',
  id: 'bigint',
  ...entryColumns,
}
const [batchArrays, levelArrays, balanceArrays, movementArrays, bookArrays] = inOneStatement(
  batchColumns,
  levelColumns,
  balanceColumns,
  movementColumns,
  bookColumns,
)

type LedgerParts = {
  readonly levelId: string
  /** The id of a movement or a line of the books `r`. */
  readonly rowId: string
  /**
   * SQL that finds whether other entries share each balance. `apart`: a part of the statement before the write. `join`: a join within the
   * write.
   */
  readonly others: { readonly apart: string; readonly join: string }
}

/**
 * Looks for an entry that this statement does not write, but that shares the average and the value with one that it writes. The order makes
 * PostgreSQL look at the position only. Without it PostgreSQL read all entries of a tenant most of whose entries belong to another
 * position.
 */
const otherEntry = `
          select b.now as changed_at from stock_levels
          where tenant_id = b.tenant_id and item_variant_id = b.item_variant_id
            and place_key = coalesce(b.storage_place_id, 0) and id not in (select id from levels)
          order by batch_key
          limit 1`

const ledgerTextOf = (given: LedgerParts): string => `
      with new_batches as (
        insert into batches (tenant_id, id, item_variant_id, number, manufacture_date, expiry_date, expired, created_at, updated_at)
        select b.tenant_id, b.id, b.item_variant_id, b.number, b.manufacture_date, b.expiry_date, b.expired, b.now, b.now
        from ${batchArrays.from} as b (${batchArrays.names})
      ), levels as (
        insert into stock_levels (
          tenant_id, id, item_variant_id, storage_place_id, batch_id,
          quantity, quarantine_quantity, reserved_quantity, expected_quantity, updated_at, expires_on
        )
        select
          l.tenant_id, ${given.levelId}, l.item_variant_id, l.storage_place_id, l.batch_id,
          l.quantity, l.quarantine, l.reserved, l.expected, l.now, l.expires_on
        from ${levelArrays.from} with ordinality as l (${levelArrays.names}, position)
        order by l.position
        on conflict (tenant_id, id) do update set
          quantity = excluded.quantity,
          quarantine_quantity = excluded.quarantine_quantity,
          reserved_quantity = excluded.reserved_quantity,
          expected_quantity = excluded.expected_quantity,
          updated_at = excluded.updated_at,
          expires_on = excluded.expires_on
        returning tenant_id, id, item_variant_id, place_key, batch_key
      ),${given.others.apart} balances as (
        insert into stock_balances as stored (
          tenant_id, item_variant_id, storage_place_id, quantity, quarantine_quantity, expired_quantity, expired_before, value,
          averaged_at, valued_at, updated_at
        )
        select
          b.tenant_id, b.item_variant_id, b.storage_place_id, b.quantity, b.quarantine, b.expired, b.expired_before, b.value,
          others.changed_at, others.changed_at, b.now
        from ${balanceArrays.from} as b (${balanceArrays.names})
${given.others.join}
        on conflict (tenant_id, item_variant_id, place_key) do update set
          quantity = excluded.quantity, quarantine_quantity = excluded.quarantine_quantity, value = excluded.value,
          expired_quantity = excluded.expired_quantity, expired_before = excluded.expired_before,
          updated_at = excluded.updated_at,
          averaged_at = case
            when cost_ratio(excluded.value, excluded.quantity) is distinct from cost_ratio(stored.value, stored.quantity)
              then coalesce(excluded.averaged_at, stored.averaged_at)
            else stored.averaged_at
          end,
          valued_at = case
            when (excluded.quantity, excluded.value) is distinct from (stored.quantity, stored.value)
              then coalesce(excluded.valued_at, stored.valued_at)
            else stored.valued_at
          end
      ), movements as materialized (
        select r.*, ${given.rowId} as row_id
        from ${movementArrays.from} with ordinality as r (${movementArrays.names}, position)
        order by r.position
      ), lines as materialized (
        select r.*, ${given.rowId} as row_id
        from ${bookArrays.from} with ordinality as r (${bookArrays.names}, position)
        order by r.position
      ), booked as (
        insert into book_lines (
          tenant_id, id, entry_id, entry_accounts, account, amount, item_variant_id, storage_place_id, sku, category,
          source_type, source_id, day, document_date, created_at
        )
        select
          b.tenant_id, b.row_id, coalesce(m.id, b.entry_id), b.entry_accounts, b.account, b.amount, b.item_variant_id, b.storage_place_id,
          b.sku, b.category, b.source_type, b.source_id, b.day, b.document_date, b.now
        from (select *, min(row_id) over (partition by tenant_id, command) as entry_id from lines) b
        left join (select tenant_id, command, min(row_id) as id from movements group by tenant_id, command) m
          on m.tenant_id = b.tenant_id and m.command = b.command
        order by b.position
      )
      insert into stock_movements (
        tenant_id, id, stock_level_id, item_variant_id, storage_place_id, batch_id, kind, quantity, quarantine_quantity, value,
        quantity_after, source_type, source_id, document_date, created_at, day, sku, category, entry_id, entry_accounts, entry_movements
      )
      select
        m.tenant_id, m.row_id, l.id, m.item_variant_id, m.storage_place_id, m.batch_id, m.kind, m.quantity, m.quarantine, m.value,
        m.quantity_after, m.source_type, m.source_id, m.document_date, m.now, m.day, m.sku, m.category, m.entry_id, m.entry_accounts,
        m.entry_movements
      from (select *, min(row_id) over (partition by tenant_id, command) as entry_id from movements) m
      join levels l on l.tenant_id = m.tenant_id and l.item_variant_id = m.item_variant_id
        and l.place_key = coalesce(m.storage_place_id, 0) and l.batch_key = coalesce(m.batch_id, 0)
      order by m.position`

const ledgerText = ledgerTextOf({
  levelId: `coalesce(l.id, nextval('ids'))`,
  rowId: `nextval('ids')`,
  others: { apart: '', join: `        left join lateral (${otherEntry}\n        ) others on true` },
})
/** For Citus. A worker node cannot draw ids, and Citus turns an insert that selects straight from a table into a wrong statement. */
const ledgerTextWithIds = ledgerTextOf({
  levelId: 'l.id',
  rowId: 'r.id',
  others: {
    apart: ` others as materialized (
        select b.tenant_id, b.item_variant_id, coalesce(b.storage_place_id, 0) as place_key, other.changed_at
        from ${balanceArrays.from} as b (${balanceArrays.names})
        cross join lateral (${otherEntry}
        ) other
      ),`,
    join: `        left join others on others.tenant_id = b.tenant_id and others.item_variant_id = b.item_variant_id
          and others.place_key = coalesce(b.storage_place_id, 0)`,
  },
})

type Row = Readonly<Record<string, unknown>>

const rows = (parts: Parts, of: (stock: Stock) => readonly Row[]): Row[] =>
  parts.flatMap(({ work, part }) => of(part.stock).map(row => ({ ...row, tenant_id: work.tenant.id, now: work.now })))

const place = (position: Position, level: Level) => ({
  item_variant_id: position.itemVariantId,
  storage_place_id: position.storagePlaceId,
  batch_id: level.batch?.id ?? null,
})

const batchRows = (stock: Stock): Row[] =>
  stock.newBatches.map(batch => ({
    id: batch.id,
    item_variant_id: batch.itemVariantId,
    number: batch.number,
    manufacture_date: batch.manufactureDate,
    expiry_date: batch.expiryDate,
    // A batch that comes in expired gets no event of its expiry: its document shows it.
    expired: batch.expiryDate !== null && batch.expiryDate < stock.today,
  }))

const levelRows = (stock: Stock): Row[] =>
  [...stock.positions.values()].flatMap(position =>
    [...position.levels.values()]
      .filter(level => level.changed)
      .map(level => ({
        id: level.id,
        ...place(position, level),
        quantity: formatMicro(level.quantity),
        quarantine: formatMicro(level.quarantine),
        reserved: formatMicro(level.reserved),
        expected: formatMicro(level.expected),
        expires_on: level.batch === null ? null : expiryOf(level.batch),
      })),
  )

/** The balance is written also where only an entry has changed, because its time says when the available quantity changed. */
const balanceRows = (stock: Stock): Row[] =>
  [...stock.positions.values()]
    .filter(position => position.changed || hasChangedLevel(position))
    .map(position => ({
      item_variant_id: position.itemVariantId,
      storage_place_id: position.storagePlaceId,
      quantity: formatMicro(position.quantity),
      quarantine: formatMicro(position.quarantine),
      expired: formatMicro(position.expired),
      expired_before: stock.today,
      value: formatCost(position.value),
    }))

const movementRows = (stock: Stock): Row[] => {
  const opening = entryOpener(stock)
  return stock.movements.map(({ command, cause, position, level, quantity, quarantine, value, quantityAfter }) => {
    if (levelOf(position, level.batch) !== level) throw new Error('stock was taken from levels that are not loaded')
    const entry = opening(command)
    return {
      ...place(position, level),
      kind: cause.kind,
      quantity: formatMicro(quantity),
      quarantine: formatMicro(quarantine),
      value: formatCost(value),
      quantity_after: formatMicro(quantityAfter),
      ...bookedAs(stock, cause, position),
      command,
      entry_accounts: entry?.accounts ?? null,
      entry_movements: entry?.movements ?? null,
    }
  })
}

const bookRows = (stock: Stock): Row[] => {
  const opening = entryOpener(stock)
  for (const { command } of stock.movements) opening(command)
  return stock.bookLines.map(({ command, cause, account, where, amount }) => ({
    account,
    amount: formatCost(amount),
    item_variant_id: where?.itemVariantId ?? null,
    storage_place_id: where?.storagePlaceId ?? null,
    ...bookedAs(stock, cause, where),
    command,
    entry_accounts: opening(command)?.accounts ?? null,
  }))
}

/** Returns the entry of a command on the first call, then undefined: only the first row of an entry has its accounts. */
function entryOpener(stock: Stock): (command: number) => Entry | undefined {
  const entries = new Map(entriesOf(stock))
  return command => {
    const entry = entries.get(command)
    entries.delete(command)
    return entry
  }
}

/** The columns of a row that repeat its source and the variant as it is now. */
function bookedAs(stock: Stock, { sourceType, sourceId, documentDate }: Cause, where: Where | null): Row {
  const variant = where === null ? undefined : stock.variants.get(where.itemVariantId)
  if (where !== null && variant === undefined) throw new Error(`the variant ${where.itemVariantId} was not asked for`)
  return {
    source_type: sourceType,
    source_id: sourceId,
    document_date: documentDate,
    day: dayIn(stock.timeZone, documentDate),
    sku: variant?.sku ?? null,
    category: variant?.category ?? null,
  }
}

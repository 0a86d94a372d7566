/**
 * The statement that writes the stock ledger of any number of tenants: the only one that makes batches, and that writes levels, balances and
 * movements.
 */

import type { Work } from '../../kit/documents/work.ts'
import { formatCost, formatMicro } from '../../platform/decimal.ts'
import type { Query } from '../../platform/postgres/round-trip.ts'
import { inOneStatement } from '../../platform/postgres/row-arrays.ts'
import { expiryOf } from './pick-order.ts'
import { hasChangedLevel, type Level, levelOf, type Position, type Stock } from './stock.ts'

type Parts = readonly { readonly work: Work; readonly part: { readonly stock: Stock } }[]

/**
 * Writes what the commands posted, as data-modifying CTEs: one text whatever was posted, so that it is prepared once; an empty
 * part costs microseconds. Foreign keys between the parts hold: they are checked at the end of the statement. Rows are
 * inserted in posting order, so that their ids ascend in it.
 */
export function writeLedger(parts: Parts, ids?: readonly string[]): Query {
  const left = [...(ids ?? [])]
  const withIds = (of: (stock: Stock) => readonly Row[]) =>
    ids ? (stock: Stock) => of(stock).map(row => ({ ...row, id: row['id'] ?? left.shift() })) : of
  // Levels take their ids before movements.
  const levels = rows(parts, withIds(levelRows))
  return {
    text: ids ? ledgerTextWithIds : ledgerText,
    values: [
      ...batchArrays.valuesOf(rows(parts, batchRows)),
      ...levelArrays.valuesOf(levels),
      ...balanceArrays.valuesOf(rows(parts, balanceRows)),
      ...movementArrays.valuesOf(rows(parts, withIds(movementRows))),
    ],
  }
}

/** How many of the rows that it makes take an id. */
export const ledgerIds = (parts: Parts): number =>
  parts.reduce(
    (sum, { part: { stock } }) => sum + stock.movements.length + levelRows(stock).filter(({ id }) => !id).length,
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
}
const [batchArrays, levelArrays, balanceArrays, movementArrays] = inOneStatement(
  batchColumns,
  levelColumns,
  balanceColumns,
  movementColumns,
)

type LedgerParts = {
  readonly levelId: string
  readonly movementId: string
  /** Of each balance, whether other entries share it: looked up as it is written, or before. */
  readonly others: { readonly apart: string; readonly join: string }
}

/**
 * An entry that this statement does not write, but that shares the average and the value with what it does. By its order PostgreSQL looks
 * at the position alone. Without the order it read all entries of a tenant of which most are of another position.
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
        insert into stock_levels as stored (
          tenant_id, id, item_variant_id, storage_place_id, batch_id,
          quantity, quarantine_quantity, reserved_quantity, expected_quantity, updated_at, expires_on, writes
        )
        select
          l.tenant_id, ${given.levelId}, l.item_variant_id, l.storage_place_id, l.batch_id,
          l.quantity, l.quarantine, l.reserved, l.expected, l.now, l.expires_on, 1
        from ${levelArrays.from} with ordinality as l (${levelArrays.names}, position)
        order by l.position
        on conflict (tenant_id, id) do update set
          quantity = excluded.quantity,
          quarantine_quantity = excluded.quarantine_quantity,
          reserved_quantity = excluded.reserved_quantity,
          expected_quantity = excluded.expected_quantity,
          updated_at = excluded.updated_at,
          expires_on = excluded.expires_on,
          writes = stored.writes + 1
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
          updated_at = excluded.updated_at, writes = stored.writes + 1,
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
      )
      insert into stock_movements (
        tenant_id,${given.movementId} stock_level_id, item_variant_id, storage_place_id, batch_id, kind, quantity, quarantine_quantity, value,
        quantity_after, source_type, source_id, document_date, created_at
      )
      select
        m.tenant_id,${given.movementId && ' m.id,'} l.id, m.item_variant_id, m.storage_place_id, m.batch_id, m.kind, m.quantity, m.quarantine, m.value,
        m.quantity_after, m.source_type, m.source_id, m.document_date, m.now
      from ${movementArrays.from} with ordinality as m (${movementArrays.names}, position)
      join levels l on l.tenant_id = m.tenant_id and l.item_variant_id = m.item_variant_id
        and l.place_key = coalesce(m.storage_place_id, 0) and l.batch_key = coalesce(m.batch_id, 0)
      order by m.position`

const ledgerText = ledgerTextOf({
  levelId: `coalesce(l.id, nextval('ids'))`,
  movementId: '',
  others: { apart: '', join: `        left join lateral (${otherEntry}\n        ) others on true` },
})
/** For Citus: the node gives no ids, and an insert that selects from a table itself becomes a wrong statement there. */
const ledgerTextWithIds = ledgerTextOf({
  levelId: 'l.id',
  movementId: ' id,',
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
    // One that comes in expired is told as such by its document.
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

/** Also where only an entry has changed: the balance says when what is available has. */
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

const movementRows = (stock: Stock): Row[] =>
  stock.movements.map(({ cause, position, level, quantity, quarantine, value, quantityAfter }) => {
    if (levelOf(position, level.batch) !== level) throw new Error('stock was taken from levels that are not loaded')
    return {
      ...place(position, level),
      kind: cause.kind,
      quantity: formatMicro(quantity),
      quarantine: formatMicro(quarantine),
      value: formatCost(value),
      quantity_after: formatMicro(quantityAfter),
      source_type: cause.sourceType,
      source_id: cause.sourceId,
      document_date: cause.documentDate,
    }
  })

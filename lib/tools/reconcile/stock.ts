/**
 * Checks the stock: each check is one set-based query that returns the wrong records. They take nothing from the ledger's code, except the
 * share of the stock value that GET /stock shows.
 */

import { stockValue } from '../../domain/stock/levels/stock-value.ts'
import { type Fragment, fixedFragment, sql } from '../../platform/postgres/postgres.ts'
import { barcodeChecks } from './barcodes.ts'
import { bookChecks } from './books.ts'
import type { Check } from './check.ts'
import { countChecks } from './counts.ts'
import { kitChecks } from './kits.ts'
import { landedCostChecks } from './landed-costs.ts'
import { expectedFromManufacturing, manufacturingChecks, reservedForManufacturing } from './manufacturing.ts'
import { planningChecks } from './planning.ts'
import { expectedByOrders, purchasingChecks, receiptLines } from './purchasing.ts'
import { referenceChecks } from './references.ts'
import { reversalChecks } from './reversals.ts'
import { reservedByHolds, reservedByOrders, returnLines, salesChecks, shipmentLines } from './sales.ts'

/** A level as text: `level 1042 (variant 1007, place 1003, batch none)` */
const levelWords = sql.fragment`format(
  'level %s (variant %s, place %s, batch %s)',
  l.id, l.item_variant_id, coalesce(l.storage_place_id::text, 'none'), coalesce(l.batch_id::text, 'none')
)`
/** A balance as text, for the columns `item_variant_id` and `place_key` of an unaliased row. */
const balanceWords = sql.fragment`format('variant %s at place %s', item_variant_id, coalesce(nullif(place_key, 0)::text, 'none'))`

const levelsEqualMovements = (name: string, column: string): Check => ({
  name,
  faultRows: sql.fragment`
    select l.tenant_id, ${levelWords} as subject, coalesce(m.total, 0) as expected, ${sql.identifier(['l', column])} as found
    from stock_levels l
    left join (
      select tenant_id, stock_level_id, sum(${sql.identifier([column])}) as total from stock_movements group by 1, 2
    ) m on m.tenant_id = l.tenant_id and m.stock_level_id = l.id
    where ${sql.identifier(['l', column])} <> coalesce(m.total, 0)`,
})

/** Compared both ways, so that a balance without levels, or levels without a balance, show, too. */
const balancesEqualLevels = (name: string, column: string): Check => ({
  name,
  faultRows: sql.fragment`
    select tenant_id, ${balanceWords} as subject, l.total as expected, b.total as found
    from (
      select tenant_id, item_variant_id, place_key, sum(${sql.identifier([column])}) as total from stock_levels group by 1, 2, 3
    ) l
    full join (
      select tenant_id, item_variant_id, place_key, ${sql.identifier([column])} as total from stock_balances
    ) b using (tenant_id, item_variant_id, place_key)
    where l.total is distinct from b.total`,
})

const stockChecks: readonly Check[] = [
  levelsEqualMovements('level quantity = sum of its movements', 'quantity'),
  levelsEqualMovements('level quarantine = sum of its movements', 'quarantine_quantity'),
  balancesEqualLevels('balance quantity = sum of its levels', 'quantity'),
  balancesEqualLevels('balance quarantine = sum of its levels', 'quarantine_quantity'),
  {
    name: 'balance expired = sum of its levels that had expired when it was written',
    faultRows: sql.fragment`
      select b.tenant_id, ${balanceWords} as subject, coalesce(l.total, 0) as expected, b.expired_quantity as found
      from stock_balances b
      left join lateral (
        select sum(quantity - quarantine_quantity) as total from stock_levels
        where tenant_id = b.tenant_id and item_variant_id = b.item_variant_id and place_key = b.place_key
          and batch_id is not null and expires_on < b.expired_before
      ) l on true
      where b.expired_quantity <> coalesce(l.total, 0)`,
  },
  {
    name: 'balance value = sum of its movements',
    faultRows: sql.fragment`
      select tenant_id, ${balanceWords} as subject, m.total as expected, b.value as found
      from stock_balances b
      full join (
        select tenant_id, item_variant_id, coalesce(storage_place_id, 0) as place_key, sum(value) as total
        from stock_movements group by 1, 2, 3
      ) m using (tenant_id, item_variant_id, place_key)
      where coalesce(m.total, 0) <> coalesce(b.value, 0)`,
  },
  {
    name: 'balance value is 0 or more, and 0 without stock',
    faultRows: sql.fragment`
      select tenant_id, ${balanceWords} as subject, '0' as expected, value as found
      from stock_balances where value < 0 or (quantity = 0 and value <> 0)`,
  },
  {
    name: 'shown stock values add up to the balance value',
    faultRows: sql.fragment`
      select tenant_id, ${balanceWords} as subject, value as expected, shown as found
      from (
        select b.tenant_id, b.item_variant_id, b.place_key, b.value, sum(${fixedFragment(stockValue('l'))}) as shown
        from stock_balances b
        join stock_levels l
          on l.tenant_id = b.tenant_id and l.item_variant_id = b.item_variant_id and l.place_key = b.place_key
        group by 1, 2, 3, 4
      ) shares
      where shown <> value`,
  },
  {
    name: 'quantity_after follows the movements and is never negative',
    faultRows: sql.fragment`
      select tenant_id, format('movement %s', id) as subject, running as expected, quantity_after as found
      from (
        select tenant_id, id, quantity_after,
          sum(quantity) over (partition by tenant_id, stock_level_id order by id) as running
        from stock_movements
      ) m
      where quantity_after <> running or quantity_after < 0`,
  },
  {
    // For each note, every place at which the variant had moved by then: all movements in one pass, with the notes among them.
    name: 'past balance = sum of the movements until then',
    faultRows: sql.fragment`
      select tenant_id, format(
          'variant %s at place %s after movement %s', item_variant_id, coalesce(nullif(place_key, 0)::text, 'none'), id
        ) as subject,
        format('quantity %s, value %s', trim_scale(running_quantity), trim_scale(running_value)) as expected,
        case when noted_quantity is not null
          then format('quantity %s, value %s', trim_scale(noted_quantity), trim_scale(noted_value))
        end as found
      from (
        select *,
          sum(quantity) over moved_until_then as running_quantity, sum(value) over moved_until_then as running_value,
          count(*) filter (where not is_note) over moved_until_then as movements
        from (
          select tenant_id, item_variant_id, coalesce(storage_place_id, 0) as place_key, id, false as is_note, quantity, value,
            null::numeric as noted_quantity, null::numeric as noted_value
          from stock_movements
          union all
          select note.tenant_id, note.item_variant_id, b.place_key, note.movement_id, true, 0, 0, p.quantity, p.value
          from (select distinct tenant_id, item_variant_id, movement_id from past_stock_balances) note
          join stock_balances b on b.tenant_id = note.tenant_id and b.item_variant_id = note.item_variant_id
          left join past_stock_balances p
            on p.tenant_id = note.tenant_id and p.item_variant_id = note.item_variant_id
              and p.movement_id = note.movement_id and p.place_key = b.place_key
        ) m
        window moved_until_then as (
          partition by tenant_id, item_variant_id, place_key order by id, is_note rows unbounded preceding
        )
      ) m
      where is_note and case when movements = 0 then noted_quantity is not null
        else (running_quantity, running_value) is distinct from (noted_quantity, noted_value) end`,
  },
  {
    name: 'movements name their level',
    faultRows: sql.fragment`
      select m.tenant_id, format('movement %s', m.id) as subject, ${levelWords} as expected,
        format(
          'variant %s, place %s, batch %s', m.item_variant_id, coalesce(m.storage_place_id::text, 'none'),
          coalesce(m.batch_id::text, 'none')
        ) as found
      from stock_movements m
      join stock_levels l on l.tenant_id = m.tenant_id and l.id = m.stock_level_id
      where (m.item_variant_id, coalesce(m.storage_place_id, 0), coalesce(m.batch_id, 0))
        <> (l.item_variant_id, l.place_key, l.batch_key)`,
  },
  {
    name: 'expiry of a level, where it is known, = that of its batch',
    faultRows: sql.fragment`
      select l.tenant_id, ${levelWords} as subject, coalesce(b.expiry_date, 'infinity') as expected, l.expires_on as found
      from stock_levels l join batches b on b.tenant_id = l.tenant_id and b.id = l.batch_id
      where l.expires_on <> coalesce(b.expiry_date, 'infinity')`,
  },
  {
    name: 'batches belong to the variant of their level',
    faultRows: sql.fragment`
      select l.tenant_id, ${levelWords} as subject, b.item_variant_id as expected, l.item_variant_id as found
      from stock_levels l join batches b on b.tenant_id = l.tenant_id and b.id = l.batch_id
      where b.item_variant_id <> l.item_variant_id`,
  },
]

/** Per document, the lines' quantities and values against those of the movements with the document as their source. */
const linesEqualMovements = (options: {
  readonly name: string
  readonly items: Fragment
  readonly movements: Fragment
}): Check => ({
  name: options.name,
  faultRows: sql.fragment`
    select tenant_id, format('document %s, variant %s, batch %s', document_id, item_variant_id, coalesce(nullif(batch_key, 0)::text, 'none')) as subject,
      case when i.quantity is not null then format('quantity %s, value %s', trim_scale(i.quantity), trim_scale(i.value)) end as expected,
      case when m.quantity is not null then format('quantity %s, value %s', trim_scale(m.quantity), trim_scale(m.value)) end as found
    from (${options.items}) i
    full join (${options.movements}) m using (tenant_id, document_id, item_variant_id, batch_key)
    where (i.quantity, i.value) is distinct from (m.quantity, m.value)`,
})

const documentChecks: readonly Check[] = [
  linesEqualMovements({
    name: 'adjustment lines = their movements',
    items: sql.fragment`
      select tenant_id, stock_adjustment_id as document_id, item_variant_id, coalesce(batch_id, 0) as batch_key,
        sum(quantity) as quantity, sum(amount) as value
      from stock_adjustment_items where quantity <> 0 or amount <> 0 group by 1, 2, 3, 4`,
    movements: sql.fragment`
      select tenant_id, source_id as document_id, item_variant_id, coalesce(batch_id, 0) as batch_key,
        sum(quantity) as quantity, sum(value) as value
      from stock_movements where source_type = 'STOCK_ADJUSTMENT' and kind <> 'REVERSAL' group by 1, 2, 3, 4`,
  }),
  ...(['TRANSFER_IN', 'TRANSFER_OUT'] as const).map(kind =>
    linesEqualMovements({
      name: `transfer lines = their ${kind} movements`,
      items: sql.fragment`
        select tenant_id, stock_transfer_id as document_id, item_variant_id, coalesce(batch_id, 0) as batch_key,
          sum(quantity) as quantity, sum(value) as value
        from stock_transfer_items group by 1, 2, 3, 4`,
      movements: sql.fragment`
        select tenant_id, source_id as document_id, item_variant_id, coalesce(batch_id, 0) as batch_key,
          sum(abs(quantity)) as quantity, sum(abs(value)) as value
        from stock_movements where source_type = 'STOCK_TRANSFER' and kind = ${kind} group by 1, 2, 3, 4`,
    }),
  ),
  ...(
    [
      ['receipt lines', 'PURCHASE_RECEIPT', receiptLines],
      ['shipment lines', 'SALES_SHIPMENT', shipmentLines],
      ['return lines', 'SALES_RETURN', returnLines],
    ] as const
  ).map(([name, sourceType, items]) =>
    linesEqualMovements({
      name: `${name} = their movements`,
      items,
      movements: sql.fragment`
        select tenant_id, source_id as document_id, item_variant_id, coalesce(batch_id, 0) as batch_key,
          sum(quantity) as quantity, sum(value) as value
        from stock_movements where source_type = ${sourceType} and kind <> 'REVERSAL' group by 1, 2, 3, 4`,
    }),
  ),
  {
    name: 'adjustment total_amount = sum of its lines',
    faultRows: sql.fragment`
      select a.tenant_id, format('adjustment %s', a.number) as subject, sum(i.amount) as expected, a.total_amount as found
      from stock_adjustments a
      left join stock_adjustment_items i on i.tenant_id = a.tenant_id and i.stock_adjustment_id = a.id
      group by a.tenant_id, a.id
      having sum(i.amount) is distinct from a.total_amount`,
  },
]

/**
 * Expected or reserved quantities against the open remainders of the documents that claim them. Each source selects `tenant_id,
 * item_variant_id, place_key, quantity`. Every area that claims stock adds its own.
 */
const claimsEqualDocuments = (options: {
  readonly name: string
  readonly column: string
  readonly sources: readonly Fragment[]
}): Check => ({
  name: options.name,
  faultRows: sql.fragment`
    select tenant_id, ${balanceWords} as subject, coalesce(d.total, 0) as expected, coalesce(l.total, 0) as found
    from (
      select tenant_id, item_variant_id, place_key, sum(quantity) as total
      from (${sql.join(options.sources, sql.fragment` union all `)}) open group by 1, 2, 3
    ) d
    full join (
      select tenant_id, item_variant_id, place_key, sum(${sql.identifier([options.column])}) as total
      from stock_levels group by 1, 2, 3
    ) l using (tenant_id, item_variant_id, place_key)
    where coalesce(d.total, 0) <> coalesce(l.total, 0)`,
})

const claimChecks: readonly Check[] = [
  claimsEqualDocuments({
    name: 'expected quantity = open remainders of orders',
    column: 'expected_quantity',
    sources: [expectedByOrders, expectedFromManufacturing],
  }),
  claimsEqualDocuments({
    name: 'reserved quantity = open remainders of orders',
    column: 'reserved_quantity',
    sources: [reservedByOrders, reservedByHolds, reservedForManufacturing],
  }),
]

const eventChecks: readonly Check[] = [
  {
    // Old events are deleted from the beginning, so the sequence need not begin at 1.
    name: 'events have a sequence without gaps but those that are noted',
    faultRows: sql.fragment`
      select e.tenant_id, 'events' as subject,
        format('%s to %s', s.event_sequence - e.events - g.left_out + 1, s.event_sequence) as expected,
        format('%s to %s', e.first, e.last) as found
      from (select tenant_id, count(*) as events, min(sequence) as first, max(sequence) as last from events group by 1) e
      join tenant_streams s on s.tenant_id = e.tenant_id
      cross join lateral (
        select coalesce(sum(until_sequence - after_sequence), 0) as left_out from event_gaps
        where tenant_id = e.tenant_id and after_sequence >= e.first and until_sequence < e.last
      ) g
      where e.last <> s.event_sequence or e.last - e.first + 1 - g.left_out <> e.events`,
  },
]

/** All checks, in the order in which they run. */
export const checks: readonly Check[] = [
  ...stockChecks,
  ...documentChecks,
  ...reversalChecks,
  ...countChecks,
  ...barcodeChecks,
  ...kitChecks,
  ...claimChecks,
  ...planningChecks,
  ...purchasingChecks,
  ...landedCostChecks,
  ...salesChecks,
  ...manufacturingChecks,
  ...bookChecks,
  ...referenceChecks,
  ...eventChecks,
]

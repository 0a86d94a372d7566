/**
 * The SQL of the lines of the books: those that movements imply, and those that are booked without movements (docs/rules/books.md). Only
 * this file and lib/domain/accounting/accounts.ts know which account a movement changes.
 */
import { type Fragment, fixedFragment, sql } from '../../../platform/postgres/postgres.ts'
import { accountNames, otherSides } from '../../accounting/accounts.ts'

const cases = Object.entries(otherSides).map(([source, account]) => `when '${source}' then '${account}'`)

/** Both sides of a movement `m`, as rows `side (account, amount)`. The second side of a transfer has no account. */
export const sidesOfMovement = `(values ('INVENTORY', m.value), (case m.source_type ${cases.join(' ')} end, -m.value)) side (account, amount)`

/**
 * The lines of an entry `e` (`tenant_id, id, entry_movements`), with debit and credit netted: `account, storage_place_id, item_variant_id,
 * sku, category, amount`.
 */
export const linesOfEntry = `(
    select account, storage_place_id, item_variant_id, sku, category, sum(amount) as amount
    from (
      select side.account, m.storage_place_id, m.item_variant_id, m.sku, m.category, side.amount
      from (
        select * from stock_movements where tenant_id = e.tenant_id and id >= e.id order by id limit e.entry_movements
      ) m
      cross join lateral ${sidesOfMovement}
      where side.account is not null
      union all
      select account, storage_place_id, item_variant_id, sku, category, amount
      from (select * from book_lines where tenant_id = e.tenant_id and entry_id = e.id offset 0) b
    ) each
    group by account, storage_place_id, item_variant_id, sku, category
    having sum(amount) <> 0
  )`

/** The position of an account in the order of balances. */
export const accountOrder = (account: string): string =>
  `array_position(array[${accountNames.map(name => `'${name}'`).join(', ')}], ${account})`

/** The document of the row `r` (`tenant_id, source_type, source_id`): its `number`, and the `reason` of an adjustment. */
export const sourceOf = (row: string): string => `(
    ${[
      ['STOCK_ADJUSTMENT', 'stock_adjustments', 'reason'],
      ['PURCHASE_RECEIPT', 'purchase_receipts'],
      ['MANUFACTURING_ORDER', 'manufacturing_orders'],
      ['SALES_SHIPMENT', 'sales_shipments'],
      ['SALES_RETURN', 'sales_returns'],
      ['STOCK_TRANSFER', 'stock_transfers'],
      ['LANDED_COST', 'landed_costs'],
    ]
      .map(
        ([type, table, reason = 'null::text']) =>
          `(select number, ${reason} as reason from ${table} where ${row}.source_type = '${type}' and tenant_id = ${row}.tenant_id and id = ${row}.source_id limit 1)`,
      )
      .join('\n    union all ')}
  )`

/** The SQL of the part by which lines are split: a category, a reason, or the place. */
const without = { part: `''`, place: '0::bigint' }
export const splits = {
  account: without,
  category: { ...without, part: `coalesce(category, '')` },
  place: { ...without, place: 'coalesce(storage_place_id, 0)' },
  reason: { ...without, part: `coalesce(reason, '')` },
}
export type Split = keyof typeof splits

/**
 * The lines of many entries, with debit and credit of each entry netted: `entry_id, created_at, day, account, category, storage_place_id,
 * reason, amount`.
 * @param rows conditions on movements and lines `r`, of one tenant
 */
export const linesOf = (rows: { readonly movements: Fragment; readonly lines: Fragment }): Fragment => sql.fragment`
  select l.entry_id, l.created_at, l.day, l.account, l.category, l.storage_place_id, adjusted.reason, l.amount
  from (
    select tenant_id, entry_id, created_at, day, account, category, storage_place_id, item_variant_id, source_id, sum(amount) as amount
    from (
      select m.tenant_id, m.entry_id, m.created_at, m.day, side.account, m.category, m.storage_place_id, m.item_variant_id, m.source_id, side.amount
      from (
        select r.tenant_id, r.entry_id, r.created_at, r.day, r.category, r.storage_place_id, r.item_variant_id, r.source_type, r.source_id, r.value
        from stock_movements r where ${rows.movements}
      ) m
      cross join lateral ${fixedFragment(sidesOfMovement)}
      where side.account is not null
      union all
      select r.tenant_id, r.entry_id, r.created_at, r.day, r.account, r.category, r.storage_place_id, r.item_variant_id, r.source_id, r.amount
      from book_lines r where ${rows.lines}
    ) each
    group by tenant_id, entry_id, created_at, day, account, category, storage_place_id, item_variant_id, source_id
    having sum(amount) <> 0
  ) l
  left join lateral (
    select reason from stock_adjustments
    where tenant_id = l.tenant_id and id = l.source_id and l.account = 'STOCK_ADJUSTMENT' limit 1
  ) adjusted on true`

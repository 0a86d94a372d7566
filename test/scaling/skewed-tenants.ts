/**
 * Fills a database with one huge tenant among many small ones, in every table that has a tenant, including those that a later migration
 * adds. The rows serve to plan statements. What an endpoint answers must not be tested with them.
 */
import type { Client } from 'pg'

/** The number of rows of the huge tenant in each table. There are twice as many lines of documents. Small tenants have two rows. */
export const HUGE_ROWS = 20_000
const SMALL_TENANTS = 1_000
const SMALL_ROWS = 2

/** The huge tenant, and the id before the ids of its rows: in every table its nth row has the id `HUGE_BASE + n`. */
export const HUGE_TENANT = '1'
export const HUGE_BASE = 1_000_000
/** The sequence of ids continues here: above those of the last small tenant. */
const FIRST_FREE_ID = (SMALL_TENANTS + 2) * HUGE_BASE

/** Tables in which a tenant has few rows, whatever its size. Tasks are included, since only the first half of the orders have some. */
const fewRows: Readonly<Record<string, number>> = {
  api_keys: 20,
  book_notes: 2,
  // A note has as many rows as there are accounts, days and parts.
  book_turnovers: 900,
  event_gaps: 20,
  manufacturing_order_tasks: HUGE_ROWS,
  storage_places: 200,
  webhook_subscriptions: 5,
  webhook_secrets: 5,
  security_recent: 200,
  security_hours: 200,
  security_networks: 200,
}

/**
 * The values in turn, each for a number of rows. Each column changes at other rows than its neighbours, so that every pair of values
 * occurs.
 */
const turns = (values: string, { of = 1 } = {}) =>
  `(array[${values
    .split(' ')
    .map(value => `'${value}'`)
    .join()}])[1 + n / ${of} % ${values.split(' ').length}]`
const when = (condition: string, value: string) => `case when ${condition} then ${value} end`

/** The age of the nth row. */
const time = `now() - interval '1 second' * (${2 * HUGE_ROWS} - n)`
/** Made as lib/pipeline/requests/request-number.ts makes it. */
const idOfRequest = `(extract(epoch from ${time}) * 1000)::bigint * 4096 + n`
/** A hundred rows a day. Those of a day are spread over the rows of ten days. */
const dateOfRow = `now() + interval '1 day' * (n / 100 - n % 10)`
/** The same number a day, up to some hours ago. */
const pastDateOfRow = `now() - interval '1 second' * (${HUGE_ROWS} + 864 * (${HUGE_ROWS} - n))`
const sameRow = `base + 1 + (n - 1) % ${HUGE_ROWS}`

/** Values of columns (`column` or `table.column`) that cannot be the usual ones of their type, or by which lists filter. */
const special: Readonly<Record<string, string>> = {
  active: 'true',
  archived: 'n % 100 = 0',
  batch_id: 'null',
  'batches.expiry_date': `(${dateOfRow})::date`,
  // A tenth of the batches have the same number, which batches of different variants may.
  'batches.number': `case when n % 10 = 1 then 'LOT' else 'N-' || n end`,
  'account_codes.categories': "'[]'",
  'book_lines.account': turns(
    'WORK_IN_PROGRESS PRODUCTION_COSTS_ABSORBED PRODUCTION_EXPENSED VALUATION_DIFFERENCE LANDED_COST_EXPENSED',
  ),
  'book_lines.day': `(${pastDateOfRow})::date`,
  'book_lines.entry_accounts': when('n % 2 = 0', '1023'),
  'book_lines.entry_id': 'base + n',
  'book_lines.source_type': turns('MANUFACTURING_ORDER LANDED_COST PURCHASE_RECEIPT STOCK_ADJUSTMENT PRODUCT', {
    of: 2,
  }),
  'book_notes.entry_id': `base + ${HUGE_ROWS}`,
  'book_turnovers.account': "'INVENTORY'",
  'book_turnovers.day': 'current_date - n % 900',
  'book_turnovers.split': turns('account category place reason'),
  currency: "'EUR'",
  customer_id: 'base + 1 + n / 17 % 10',
  external_ref: "'R-' || n",
  external_return_ref: "'R-' || n",
  from_storage_place_id: 'base + 1',
  holds_stock: 'true',
  hour: 'extract(epoch from now())::int / 3600',
  is_open: '(n + 1) / 2 % 3 = 0',
  minimum_stock: when('n % 2 = 0', '2'),
  manufacturing_allowed: 'true',
  minute: "date_trunc('minute', now())",
  number: "'N-' || n",
  operation_type: 'null',
  purchase_allowed: 'true',
  quarantine_quantity: '0',
  received_quantity: '0',
  reserved_quantity: 'case when n % 10 > 5 then 3 else 0 end',
  shipped_quantity: '0',
  expected_quantity: '0',
  sales_allowed: 'true',
  sku: "'S-' || n",
  storage_place_id: 'base + 1',
  supplier_id: 'base + 1 + n / 17 % 10',
  supplier_sku: "'S-' || n",
  tax_rounding: "'LINE'",
  tax_rounding_mode: "'HALF_UP'",
  taxes: "'[]'",
  to_storage_place_id: 'base + 2',
  unit_id: 'base + 1',
  'api_keys.token_hash': "decode(md5((base + n)::text), 'hex')",
  'cell_keys.token_hash': "decode(md5((base + n)::text), 'hex')",
  'commands.id': idOfRequest,
  'refused_requests.id': idOfRequest,
  idempotency_key: "'K-' || n",
  'commands.key_id': 'base + 1 + n % 20',
  'refused_requests.key_id': 'base + 1 + n % 20',
  request_id: "'req_' || rpad(lpad(to_hex(base + n), 12, '0'), 32, '0')",
  distribution: "'VALUE'",
  'events.type': turns('stock.changed sales_order.created sales_order.updated'),
  // A command makes the huge tenant's first place.
  'storage_places.is_main': `n = 1 and t <> ${HUGE_TENANT}`,
  'items.type': turns('PRODUCT MATERIAL SERVICE'),
  'mails.kind': "'quota_exhausted'",
  'operator_actions.phase': turns('begun ended'),
  'operator_actions.outcome': "'done'",
  'manufacturing_orders.completed_at': when('n % 4 = 3', time),
  'manufacturing_orders.expensed_cost': '0',
  'manufacturing_orders.operations_cost': '0',
  'manufacturing_orders.posted_cost': '1',
  'manufacturing_orders.sales_order_id': sameRow,
  'manufacturing_orders.status': turns('NOT_STARTED IN_PROGRESS PARTIALLY_DONE DONE'),
  'manufacturing_orders.type': turns('MAKE_TO_STOCK MAKE_TO_ORDER', { of: 4 }),
  'manufacturing_orders.planned_start_date': when('n % 5 > 0', dateOfRow),
  'item_variants.barcode': "'B-' || n",
  'item_variants.barcodes': "jsonb_build_array('B-' || n)",
  'variant_barcodes.code': "'B-' || n",
  'product_texts.text': "'t-' || n",
  components: "'[]'",
  'kit_batches.batch_id': sameRow,
  'kit_lines.kind': turns('ORDER HOLD SHIPMENT'),
  'purchase_orders.expected_date': when('n % 5 > 0', dateOfRow),
  'sales_orders.delivery_date': when('n % 5 > 0', dateOfRow),
  'past_stock_balances.place_key': 'base + 1',
  'purchase_orders.completed_at': when('n % 3 = 2 or n % 6 = 0', time),
  'purchase_orders.date': pastDateOfRow,
  'purchase_orders.delivery_status': turns('NOT_RECEIVED PARTIALLY_RECEIVED RECEIVED'),
  'purchase_receipts.received_date': pastDateOfRow,
  'purchase_orders.status': "case when n % 3 = 2 or n % 6 = 0 then 'DONE' else 'OPEN' end",
  'recipes.item_variant_id': when('n % 2 = 0', sameRow),
  // None of the holds is due. Otherwise each unit of work would end some.
  'reservations.expires_at': `${dateOfRow} + interval '11 days'`,
  'reservations.sales_order_id': when('n % 3 = 1', sameRow),
  'reservations.status': turns('HELD CONSUMED EXPIRED'),
  'sales_orders.cancelled_at': when('n % 3 = 2', time),
  'sales_orders.delivery_status': turns('NOT_SHIPPED PACKED PARTIALLY_PACKED PARTIALLY_SHIPPED SHIPPED', { of: 3 }),
  'sales_orders.status': turns('OPEN DONE CANCELLED'),
  'sales_returns.return_date': when('n % 3 = 1', time),
  'sales_returns.source_type': "'SALES_ORDER'",
  'sales_returns.status': turns('NOT_RETURNED RETURNED CANCELLED'),
  'stock_adjustments.reason': "'COUNT'",
  'stock_counts.completed_at': when('n % 3 = 1', time),
  'stock_counts.status': turns('OPEN DONE CANCELLED'),
  'stock_levels.batch_id': when('n % 10 = 0', sameRow),
  'stock_levels.expires_on': when('n % 10 = 0', "'infinity'::date"),
  'stock_movements.batch_id': when('n % 10 = 0', sameRow),
  'stock_movements.day': `(${pastDateOfRow})::date`,
  'stock_movements.entry_accounts': '1023',
  'stock_movements.entry_id': 'base + n',
  'stock_movements.entry_movements': '1',
  'stock_movements.kind': "'ADJUSTMENT'",
  'stock_movements.source_type': turns(
    'STOCK_ADJUSTMENT PURCHASE_RECEIPT MANUFACTURING_ORDER SALES_SHIPMENT SALES_RETURN STOCK_TRANSFER LANDED_COST',
  ),
  'tenant_streams.event_sequence': `base + ${HUGE_ROWS}`,
  'tenant_streams.generation': '1',
  'webhook_deliveries.completed_at': when('n % 100 > 0', time),
  'webhook_deliveries.next_attempt_at': when('n % 100 = 0', time),
  'webhook_deliveries.sequence': 'base + n',
  'webhook_deliveries.status': "case when n % 100 = 0 then 'pending' else 'succeeded' end",
  'webhook_deliveries.subscription_id': 'base + 1',
  'webhook_relays.relayed_sequence': `base + ${HUGE_ROWS} - 30`,
  'webhook_subscriptions.enabled': 'true',
  'webhook_subscriptions.events': "'{*}'",
  'webhook_subscriptions.status': "'active'",
}

/** The usual values of columns, by the first word of the column's type. */
const usual: Readonly<Record<string, string>> = {
  bigint: sameRow,
  boolean: 'false',
  bytea: "decode(md5(n::text), 'hex')",
  date: 'current_date',
  integer: '1',
  jsonb: "'{}'",
  numeric: '1',
  smallint: '1',
  text: "'T-' || n",
  timestamp: time,
  xid8: 'n::text::xid8',
}

type Column = { readonly name: string; readonly type: string; readonly required: boolean }
type Table = { readonly name: string; readonly key: readonly string[]; readonly columns: readonly Column[] }

/** Differences from the usual values: rows of the huge tenant by table, and values of all tenants' columns (`column` or `table.column`). */
export type Skew = {
  readonly rows?: Readonly<Record<string, number>>
  readonly values?: Readonly<Record<string, string>>
}

/**
 * Inserts all rows without checks of foreign keys and without triggers, then vacuums and analyzes. Ids of the sequence begin above all
 * others.
 */
export async function fillSkewed(client: Client, skew: Skew = {}): Promise<void> {
  await client.query("set session_replication_role = 'replica'")
  await client.query(`
    insert into tenants (tenant_id, name, owner_email, plan)
    select t, 'Tenant', 'owner@example.com', 'pro' from generate_series(${HUGE_TENANT}, ${SMALL_TENANTS} + 1) t`)
  const { rows } = await client.query<Table>(tables)
  for (const table of rows) await client.query(insertOf(table, skew))
  await client.query(`alter sequence ids restart with ${FIRST_FREE_ID}`)
  await client.query('reset session_replication_role')
  await client.query('vacuum analyze')
}

function insertOf({ name, key, columns }: Table, skew: Skew): string {
  const isOfTenantOnly = key.length === 1
  const isOfLines = key.length === 3 && key[2] === 'id'
  const rows = skew.rows?.[name] ?? fewRows[name] ?? HUGE_ROWS * (isOfLines ? 2 : 1)
  const values = { ...special, ...skew.values }
  const expressionOf = (column: Column): string => {
    if (column.name === 'tenant_id') return 't'
    if (isOfLines && column.name === key[1]) return 'base + (n + 1) / 2'
    if (column.name === 'id') return column.type === 'text' ? "'evt_' || base + n" : 'base + n'
    const chosen = values[`${name}.${column.name}`] ?? values[column.name]
    if (chosen !== undefined) return chosen
    if (!column.required) return 'null'
    const value = column.type.endsWith('[]') ? "'{}'" : usual[/^\w+/.exec(column.type)?.[0] ?? '']
    if (value === undefined) throw new Error(`no value for ${name}.${column.name} of type ${column.type}`)
    return key.includes(column.name) && column.type === 'bigint' ? 'base + n' : value
  }
  return `
    insert into ${name} (${columns.map(column => column.name).join()})
    select ${columns.map(expressionOf).join()}
    from (
      select t, t * ${HUGE_BASE}::bigint as base
      from generate_series(${HUGE_TENANT}, ${SMALL_TENANTS} + 1) t
    ) tenants cross join lateral generate_series(
      1, ${isOfTenantOnly ? '1' : `case when t = ${HUGE_TENANT} then ${rows} else ${SMALL_ROWS} end`}
    ) n`
}

/** The tables that have a tenant, without partitions, with the columns that an insert may give. */
const tables = `
  select c.relname as name,
    (
      select array_agg(a.attname::text order by array_position(i.indkey::int2[], a.attnum))
      from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any (i.indkey::int2[])
        and array_position(i.indkey::int2[], a.attnum) < i.indnkeyatts
      where i.indisprimary
        -- Of a table in periods each has its own.
        and i.indrelid = coalesce((select min(inhrelid::oid) from pg_inherits where inhparent = c.oid), c.oid)
    ) as key,
    json_agg(json_build_object(
      'name', a.attname, 'type', format_type(a.atttypid, null), 'required', a.attnotnull
    ) order by a.attnum) as columns
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    -- The directory of cells is empty where all tenants live in one.
    and c.relname <> all ('{tenants,cell_tenants,cell_keys,tenant_moves}')
    and exists (select from pg_attribute t where t.attrelid = c.oid and t.attname = 'tenant_id')
  group by c.oid, c.relname
  order by c.relname`

/**
 * The statements that copy the template's parts into the tables of the service: for all blocks of a range one per table and part. Ids
 * move by their block, wherever they stand; times by the block's; numbers and sequences go on from those of the blocks before.
 */
import type { Client } from 'pg'
import { blockOf, IDS_PER_BLOCK, type Part, type PartName, parts, SEQUENCE_MARK } from './template.ts'

export const TEMPLATE_SCHEMA = 'grow_template'

type Column = { readonly name: string; readonly type: string }
type Table = { readonly name: string; readonly columns: readonly Column[] }

/** Up to which movement notes were made: with the last block. */
const PROGRESS = 'past_stock_balances_progress'
/** Kept by triggers on what is copied, or of no use: secrets that were sealed with another key. */
const LEFT_OUT = new Set(['product_texts', 'variant_barcodes', 'spent_documents', 'webhook_secrets', PROGRESS])
/** Of these only what the last days brought is kept. */
const KEPT_DAYS = 30
const KEPT_FOR_DAYS = new Set(['commands', 'events', 'webhook_deliveries'])
/** Notes are made after every so many movements of a variant. */
const BLOCKS_PER_NOTE = 16

/** The column that tells to which part a row belongs, by the block in it: the first of these that a table has. */
const KEYS = ['id', 'movement_id', 'idempotency_key', 'item_variant_id', 'tenant_id']

const tablesOfTemplate = `
  select c.relname as name,
    json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, null)) order by a.attnum) as columns
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
  where c.relnamespace = '${TEMPLATE_SCHEMA}'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    and exists (select from pg_attribute t where t.attrelid = c.oid and t.attname = 'tenant_id')
  group by c.oid, c.relname
  -- As they were made: what is referred to comes first.
  order by c.oid`

/** How many copies of each repeated part stand before a block, in all of its tenant and before it. */
const before = { base: '(b.part > 1)::int', catalogue: 'b.catalogues', trade: 'b.trades', counts: 'b.counts' } as const
/** The same for the whole tenant, with all that it has. */
const inAll = { base: '1', catalogue: 'p.catalogues', trade: 'p.trades', counts: 'p.counts' } as const

const sumOf = (copies: Readonly<Record<PartName, string>>, each: (part: PartName) => number): string =>
  parts.map(part => `${copies[part]} * ${each(part)}`).join(' + ')

/** The block to which a part's ids move with a block `b`. */
const movedTo = (part: PartName): string =>
  ({ base: 'b.base', catalogue: 'b.catalogue', trade: 'b.block', counts: 'b.block' })[part]

/**
 * Statements in their order, first those of the base of all tenants, on which foreign keys of the others rest; $1 and $2 are the first block and the one behind the last, $3 the
 * time at which all ends.
 */
export async function copyStatements(
  client: Client,
  made: Readonly<Record<PartName, Part>>,
): Promise<readonly (readonly string[])[]> {
  const { rows: tables } = await client.query<Table>(tablesOfTemplate)
  const base: string[] = []
  const others: string[] = []
  for (const table of tables.filter(({ name }) => !LEFT_OUT.has(name)))
    for (const part of parts) {
      const text = await copyStatement(client, table, { part, made })
      if (text !== undefined) (part === 'base' ? base : others).push(text)
    }
  others.push(`
    insert into ${PROGRESS} (tenant_id, movement_id)
    select p.base * ${IDS_PER_BLOCK}, p.last_movement from ${TEMPLATE_SCHEMA}.grow_plan p
    where p.last_block >= $1 and p.last_block < $2 and $3::timestamptz is not null`)
  return [base, others]
}

async function copyStatement(
  client: Client,
  { name, columns }: Table,
  { part, made }: { readonly part: PartName; readonly made: Readonly<Record<PartName, Part>> },
): Promise<string | undefined> {
  // The body of an event begins with its id.
  const key = name === 'events' ? 'body' : KEYS.find(key => columns.some(column => column.name === key))
  const isOfPart = (block: number) => `substring(t.${key}::text from '\\d{9}') = '${block}'`
  const condition = isOfPart(blockOf(part))
  const { rows } = await client.query<Record<string, string | null>>(
    `select ${columns.map(column => `t."${column.name}"::text as "${column.name}"`).join()} from ${TEMPLATE_SCHEMA}.${name} t where ${condition}`,
  )
  if (rows.length === 0) return undefined
  const firstNumbers = await client.query<{ part: PartName; rows: number }>(
    parts
      .map(
        one =>
          `select '${one}' as part, count(*)::int as rows from ${TEMPLATE_SCHEMA}.${name} t where ${isOfPart(blockOf(one))}`,
      )
      .join(' union all '),
  )
  const rowsOf = Object.fromEntries(firstNumbers.rows.map(row => [row.part, row.rows])) as Record<PartName, number>
  const earlier = parts.slice(0, parts.indexOf(part))
  const expressionOf = ({ name: column, type }: Column): string => {
    const from = `t."${column}"`
    const values = rows.map(row => row[column] ?? '')
    const found = overrides(made)[`${name}.${column}`]
    if (found !== undefined) return found
    if (column === 'sequence' || (name === 'commands' && column.endsWith('_sequence')))
      return `${from} - ${earlier.reduce((sum, one) => sum + made[one].events, 0)} + ${sumOf(before, one => made[one].events)}`
    const named = parts.filter(one => values.some(value => value.includes(String(blockOf(one)))))
    if (column === 'number' && named.length === 0)
      return numberOf(
        from,
        `${earlier.reduce((sum, one) => sum + rowsOf[one], 0)}`,
        sumOf(before, one => rowsOf[one]),
      )
    if (type === 'timestamp with time zone') return `b.at + (${from} - '${made[part].startedAt}'::timestamptz)`
    if (named.length === 0) return from
    if (type === 'bigint') return idOf(from, named)
    if (type !== 'text') throw new Error(`${name}.${column} of type ${type} has ids of the template`)
    const moved = named.reduce((text, one) => `replace(${text}, '${blockOf(one)}', ${movedTo(one)}::text)`, from)
    if (!values.some(value => value.includes(SEQUENCE_MARK))) return moved
    return `replace(${moved}, '${SEQUENCE_MARK}', (${expressionOf({ name: 'sequence', type: 'bigint' })})::text)`
  }
  return `
    insert into ${name} (${columns.map(column => `"${column.name}"`).join()})
    select ${columns.map(expressionOf).join(', ')}
    from ${TEMPLATE_SCHEMA}.grow_blocks b
    join ${TEMPLATE_SCHEMA}.grow_plan p on p.base = b.base
    cross join ${TEMPLATE_SCHEMA}.${name} t
    where b.block >= $1 and b.block < $2 and b.part = ${parts.indexOf(part) + 1} and ${condition}
      and ${KEPT_FOR_DAYS.has(name) ? `b.at > $3::timestamptz - interval '${KEPT_DAYS} days'` : '$3::timestamptz is not null'}
      ${name === 'past_stock_balances' ? `and b.block % ${BLOCKS_PER_NOTE} = 0` : ''}`
}

/** An id of the template moves with its block; other numbers stay. */
const idOf = (value: string, named: readonly PartName[]): string =>
  `case ${named
    .map(
      part =>
        `when ${value} / ${IDS_PER_BLOCK} = ${blockOf(part)} then ${movedTo(part)} * ${IDS_PER_BLOCK} + ${value} % ${IDS_PER_BLOCK}`,
    )
    .join(' ')} else ${value} end`

/** `SO-00012`: as a counted number of lib/kit/documents/statements.ts. */
function numberOf(from: string, less: string, more: string): string {
  const count = `(split_part(${from}, '-', 2)::bigint - ${less} + ${more})`
  return `split_part(${from}, '-', 1) || '-' || lpad(${count}::text, greatest(length(${count}::text), 5), '0')`
}

/** What a tenant's own rows tell of all its parts. */
function overrides(made: Readonly<Record<PartName, Part>>): Readonly<Record<string, string>> {
  const events = sumOf(inAll, part => made[part].events)
  const kinds = Object.keys(made.counts.counts)
  const counts = kinds.map(kind => `'${kind}', ${sumOf(inAll, part => made[part].counts[kind] ?? 0)}`)
  return {
    'api_keys.token_hash': 'sha256(uuid_send(gen_random_uuid()))',
    'tenant_streams.document_counts': `jsonb_build_object(${counts.join()})`,
    'tenant_streams.event_sequence': events,
    'tenant_streams.last_command_at': 'p.ends_at',
    'webhook_relays.relayed_sequence': events,
    'webhook_subscriptions.from_sequence': 't.from_sequence',
  }
}

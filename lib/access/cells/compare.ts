/**
 * Compares the directory with what the cells hold, and brings it into line: after a restore one is behind the other. What a cell
 * holds is true; no cell is changed here.
 */
import * as v from 'valibot'
import { MAIN } from '../../platform/cells.ts'
import { type Connection, type Pool, rows, sql, statement } from '../../platform/postgres/postgres.ts'

/** Rows that are read or written at a time. */
const PAGE = 10_000

const Tenant = v.object({ key: v.string() })
const Key = v.object({ key: v.string(), tenant_id: v.string(), may_be_gone: v.boolean() })
/** `key`: the hash of its token. */
type Key = v.InferOutput<typeof Key>

/** Where the directory and a cell disagree; tenants by id. */
export type Disagreement = {
  readonly cell: string
  /** What the directory names and the cell does not have. */
  readonly lost: { readonly tenants: readonly string[]; readonly keys: readonly Key[] }
  /** What the cell has and the directory does not name. */
  readonly unknown: { readonly tenants: readonly string[]; readonly keys: readonly Key[] }
  /** Tenants that the cell has, and another one by the directory: which is right no program knows. */
  readonly twice: readonly { readonly tenantId: string; readonly cell: string }[]
}

/** Looks at all tenants and keys of a further cell; `pool` is its own. Whoever has a stream of events in it lives there. */
export async function compareCell(main: Connection, cell: string, pool: Connection): Promise<Disagreement> {
  const named = await all<{ key: string }>('0', after =>
    main.any(rows(Tenant)`
      select tenant_id::text as key from cell_tenants where cell = ${cell} and tenant_id > ${after}::bigint
      order by tenant_id limit ${PAGE}`),
  )
  const there = await all<{ key: string }>('0', after =>
    pool.any(rows(Tenant)`
      select tenant_id::text as key from tenant_streams where tenant_id > ${after}::bigint order by tenant_id limit ${PAGE}`),
  )
  // Housekeeping removes keys that ended, not before they are 98 days old, and does not tell the directory.
  const namedKeys = await all<Key>('', after =>
    main.any(rows(Key)`
      select encode(k.token_hash, 'hex') as key, k.tenant_id,
        coalesce(k.noted_at < now() - interval '98 days', true) as may_be_gone
      from cell_keys k join cell_tenants t on t.tenant_id = k.tenant_id and t.cell = ${cell}
      where k.token_hash > decode(${after}, 'hex') order by k.token_hash limit ${PAGE}`),
  )
  const keys = await all<Key>('', after =>
    pool.any(rows(Key)`
      select encode(token_hash, 'hex') as key, tenant_id, false as may_be_gone
      from api_keys k
      where token_hash > decode(${after}, 'hex') and exists (select from tenant_streams s where s.tenant_id = k.tenant_id)
      order by token_hash limit ${PAGE}`),
  )
  // Who is on the way is where its move says (lib/tools/moves), and may be in no cell for a moment.
  const moving = new Set(
    (await main.any(rows(Tenant)`select tenant_id::text as key from tenant_moves`)).map(of => of.key),
  )
  const ofThoseWhoStay = (found: Key[]) => found.filter(({ tenant_id: tenantId }) => !moving.has(tenantId))
  const idsOfThoseWhoStay = (found: Keyed[]) => found.map(({ key }) => key).filter(id => !moving.has(id))
  const notNamed = idsOfThoseWhoStay(missing(there, named))
  const twice = await elsewhere(main, notNamed)
  const isTwice = new Set(twice.map(({ tenantId }) => tenantId))
  return {
    cell,
    lost: { tenants: idsOfThoseWhoStay(missing(named, there)), keys: ofThoseWhoStay(missing(namedKeys, keys)) },
    unknown: {
      tenants: notNamed.filter(id => !isTwice.has(id)),
      keys: ofThoseWhoStay(missing(keys, namedKeys)).filter(({ tenant_id }) => !isTwice.has(tenant_id)),
    },
    twice,
  }
}

type Keyed = { readonly key: string }

async function all<R extends Keyed>(
  first: string,
  pageAfter: (after: string) => Promise<readonly R[]>,
): Promise<ReadonlyMap<string, R>> {
  const found = new Map<string, R>()
  for (let after = first; ; ) {
    const page = await pageAfter(after)
    for (const row of page) found.set(row.key, row)
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE) return found
    after = last.key
  }
}

const missing = <R extends Keyed>(of: ReadonlyMap<string, R>, from: ReadonlyMap<string, unknown>): R[] =>
  [...of.values()].filter(({ key }) => !from.has(key))

function* pages<T>(list: readonly T[]): Generator<readonly T[]> {
  for (let at = 0; at < list.length; at += PAGE) yield list.slice(at, at + PAGE)
}

/** Which of these tenants of a cell the directory has in another one, or the main cell itself. */
async function elsewhere(main: Connection, tenantIds: readonly string[]): Promise<Disagreement['twice']> {
  const found: { tenantId: string; cell: string }[] = []
  for (const page of pages(tenantIds)) {
    const ids = sql.array([...page], 'int8')
    const Found = v.object({ tenantId: v.string(), cell: v.string() })
    found.push(
      ...(await main.any(rows(Found)`
        select tenant_id::text as "tenantId", cell from cell_tenants where tenant_id = any(${ids})`)),
      ...(await main.any(rows(Found)`
        select tenant_id::text as "tenantId", ${MAIN} as cell from tenant_streams where tenant_id = any(${ids})`)),
    )
  }
  return found
}

/** The directory forgets what the cell does not have. */
export async function forgetLost(main: Pool, { cell, lost }: Disagreement): Promise<void> {
  await main.transaction(async connection => {
    for (const page of pages(lost.keys)) {
      const hashes = sql.array(
        page.map(({ key }) => key),
        'text',
      )
      await connection.query(statement`
        delete from cell_keys where token_hash in (select decode(hash, 'hex') from unnest(${hashes}) hash)`)
    }
    for (const page of pages(lost.tenants))
      await connection.query(statement`
        delete from cell_tenants where cell = ${cell} and tenant_id = any(${sql.array([...page], 'int8')})`)
  })
}

/** The directory takes in what the cell has. */
export async function takeInUnknown(main: Pool, { cell, unknown }: Disagreement): Promise<void> {
  await main.transaction(async connection => {
    for (const page of pages(unknown.tenants))
      await connection.query(statement`
        insert into cell_tenants (tenant_id, cell)
        select id, ${cell} from unnest(${sql.array([...page], 'int8')}) id
        on conflict do nothing`)
    for (const page of pages(unknown.keys))
      await connection.query(statement`
        insert into cell_keys (token_hash, tenant_id, noted_at)
        select decode(hash, 'hex'), tenant_id, null
        from unnest(${sql.array(
          page.map(({ key }) => key),
          'text',
        )}, ${sql.array(
          page.map(({ tenant_id }) => tenant_id),
          'int8',
        )})
          as keys (hash, tenant_id)
        on conflict do nothing`)
  })
}

/**
 * Compares the directory with the cells and corrects the directory, because after a restore one may be older than the other. The cell is
 * taken to be right. No cell is changed here.
 */
import * as v from 'valibot'
import { MAIN } from '../../platform/cells.ts'
import { type Connection, type Pool, rows, sql, statement } from '../../platform/postgres/postgres.ts'

/** The most rows of one read or write. */
const PAGE = 10_000

const Tenant = v.object({ key: v.string() })
const Key = v.object({ key: v.string(), tenant_id: v.string(), may_be_gone: v.boolean() })
/** `key`: the hash of the key's token. */
type Key = v.InferOutput<typeof Key>

/** Differences between the directory and a cell; tenants by id. */
export type Disagreement = {
  readonly cell: string
  /** In the directory, but not in the cell. */
  readonly lost: { readonly tenants: readonly string[]; readonly keys: readonly Key[] }
  /** In the cell, but not in the directory. */
  readonly unknown: { readonly tenants: readonly string[]; readonly keys: readonly Key[] }
  /** Tenants of this cell that the directory has in another cell. A program cannot know which is right. */
  readonly twice: readonly { readonly tenantId: string; readonly cell: string }[]
}

/** Compares all tenants and keys of a further cell. `pool` is the cell's own. A tenant lives in the cell that has its event sequence. */
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
  // Housekeeping removes ended keys after 98 days or later, but does not remove them from the directory.
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
  // Tenants that are moving are left out: lib/tools/moves knows where they are, and they may be in no cell for a moment.
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

/** The tenants among these that the directory has in another cell, or that the main cell has. */
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

/** Removes from the directory what the cell does not have. */
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

/** Adds to the directory what the cell has. */
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

/** Owns the given Citus cluster: addresses of schemas in it, where they lie, its nodes, and what the run says of what it saw. */
import { Client } from 'pg'
import { connectionString } from '../../../lib/platform/postgres/address.ts'
import { eventually } from '../../support/eventually.ts'

export type Cluster = {
  readonly url: string
  /** On the coordinator, without a schema, over a connection of its own. */
  query<R>(text: string, values?: unknown[]): Promise<R[]>
  /** `host:port` of the nodes that hold shards, in order. */
  readonly nodes: readonly string[]
  /** A schema that Citus distributes, as settings name it. It is made anew: what had the name is dropped. */
  freshSchema(schema: string): Promise<string>
  /** The node on which a schema lies. */
  nodeOf(schema: string): Promise<string>
  move(schema: string, node: string, how: 'block_writes' | 'force_logical'): Promise<void>
  /** Does something on a node itself, or on the coordinator by its address. */
  on<T>(node: string, use: (client: Client) => Promise<T>): Promise<T>
}

let failures = 0

/** Says whether something holds that must. */
export function must(holds: boolean, what: string): void {
  console.log(`${holds ? 'ok  ' : 'FAIL'} ${what}`)
  if (!holds) failures++
}
export const say = (what: string): void => console.log(`     ${what}`)
export const failed = (): number => failures

export async function openCluster(url: string): Promise<Cluster> {
  const use = async <T>(address: string, work: (client: Client) => Promise<T>): Promise<T> => {
    const client = new Client({ connectionString: address })
    client.on('error', () => {}) // what runs on it fails, and tells
    await client.connect()
    try {
      return await work(client)
    } finally {
      await client.end().catch(() => {})
    }
  }
  const query = async <R>(text: string, values: unknown[] = []): Promise<R[]> =>
    use(url, async client => (await client.query(text, values)).rows as R[])
  const workers = await query<{ node: string }>(
    `select node_name || ':' || node_port as node from citus_get_active_worker_nodes() order by 1`,
  )
  const nodeOf = async (schema: string): Promise<string> => {
    const rows = await query<{ node: string }>(
      `select distinct p.nodename || ':' || p.nodeport as node
       from pg_dist_shard s join pg_class c on c.oid = s.logicalrelid join pg_dist_shard_placement p using (shardid)
       where c.relnamespace = $1::regnamespace`,
      [schema],
    )
    if (rows.length !== 1) throw new Error(`${schema} lies on ${rows.length} nodes`)
    return rows[0]?.node ?? ''
  }
  return {
    url,
    query,
    nodes: workers.map(({ node }) => node),
    nodeOf,
    freshSchema: async schema => {
      await query(`drop schema if exists ${schema} cascade`)
      const address = new URL(url)
      address.searchParams.set('schema', schema)
      address.searchParams.set('citus', 'on')
      return address.href
    },
    move: async (schema, node, how) => {
      if ((await nodeOf(schema)) === node) return
      const [, host = '', port = ''] = /^(.*):(\d+)$/.exec(node) ?? []
      // What an earlier move left on the node is dropped some time later, and must be gone.
      await eventually(async () => {
        try {
          await query('select citus_schema_move($1::regnamespace, $2, $3, $4)', [schema, host, Number(port), how])
          return true
        } catch (error) {
          if (/orphaned shard/.test((error as Error).message)) return null
          throw error
        }
      })
    },
    on: (node, work) => {
      const address = new URL(url)
      address.host = node
      return use(address.href, work)
    },
  }
}

/** A connection to one schema, as migrations have it. */
export async function inSchema<T>(address: string, use: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: connectionString(address) })
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}

/** The given Citus cluster: addresses of schemas in it, the nodes that hold them, and the results of the run. */
import { Client } from 'pg'
import { connectionString } from '../../../lib/platform/postgres/address.ts'
import { eventually } from '../../support/eventually.ts'

export type Cluster = {
  readonly url: string
  /** Runs on the coordinator, outside of the schemas, over a connection of its own. */
  query<R>(text: string, values?: unknown[]): Promise<R[]>
  /** `host:port` of the nodes that hold shards, in order. */
  readonly nodes: readonly string[]
  /** The address of a schema that Citus distributes, as settings have it. A schema of this name is dropped first. */
  freshSchema(schema: string): Promise<string>
  /** The node that holds a schema. */
  nodeOf(schema: string): Promise<string>
  move(schema: string, node: string, how: 'block_writes' | 'force_logical'): Promise<void>
  /** Runs `use` on a node itself, or on the coordinator by its address. */
  on<T>(node: string, use: (client: Client) => Promise<T>): Promise<T>
}

let failures = 0

/** Prints whether a condition holds. If not, the run fails. */
export function must(holds: boolean, what: string): void {
  console.log(`${holds ? 'ok  ' : 'FAIL'} ${what}`)
  if (!holds) failures++
}
export const say = (what: string): void => console.log(`     ${what}`)
export const failed = (): number => failures

export async function openCluster(url: string): Promise<Cluster> {
  const use = async <T>(address: string, work: (client: Client) => Promise<T>): Promise<T> => {
    const client = new Client({ connectionString: address })
    client.on('error', () => {}) // the query that runs on it fails and reports the error
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
      // Citus drops the remains of an earlier move some time later, and they must be gone before the next one.
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

/**
 * The cost of the same load for the servers with two cells on one node and on two: processor time, transactions, log, and whose rows each
 * wrote. All servers are on one machine, so it says nothing of throughput.
 */
import { printLines } from '../../../bench/table.ts'
import { familyMs } from '../../../bench/usage.ts'
import { eventually } from '../../support/eventually.ts'
import type { Client } from '../../support/service.ts'
import { openCells, schemaOf } from './cells.ts'
import { type Cluster, must } from './cluster.ts'

const ROUNDS = 2
const LANES = 8
const WRITES = 400

type Measured = Readonly<Record<'processorMs' | 'transactions' | 'log' | 'one' | 'two' | 'prepared', number>>

export async function figures(cluster: Cluster, redisUrl: string): Promise<() => void> {
  const cells = await openCells(cluster, redisUrl)
  const [first = '', second = ''] = cluster.nodes
  const layouts = [
    { name: 'one node', place: first },
    { name: 'two nodes', place: second },
  ]
  const servers = [
    { name: 'coordinator', at: new URL(cluster.url).host },
    { name: 'first node', at: first },
    { name: 'second node', at: second },
  ]
  // Waits until no remains of moves are left. Otherwise their tables would be dropped, and subtracted from the counts, during a
  // measurement.
  const leftOver = async () => {
    await cluster.query('call citus_cleanup_orphaned_resources()')
    return (await cluster.query('select from pg_dist_cleanup')).length === 0
  }
  const spent = new Map<string, Measured>()
  for (let round = 0; round < ROUNDS; round++)
    for (const layout of layouts) {
      await cluster.move(schemaOf('two'), layout.place, 'block_writes')
      await eventually(leftOver, { what: 'that nothing is left where it lay' })
      const before = await Promise.all(servers.map(({ at }) => measure(cluster, at)))
      const service = await cells.start()
      try {
        const clients = [await cells.tenant(service, 'one'), await cells.tenant(service, 'two')]
        await Promise.all(clients.map(business))
      } finally {
        // The sessions end with their connections, and only then are all their statements counted.
        await service.close()
      }
      const after = await Promise.all(servers.map(({ at }) => measure(cluster, at)))
      for (const [at, { name }] of servers.entries()) {
        const key = `${layout.name}|${name}`
        spent.set(key, sumOf(spent.get(key), differenceOf(after[at], before[at])))
      }
    }
  const of = (layout: string, server: string) => spent.get(`${layout}|${server}`)
  must(
    of('one node', 'second node')?.two === 0 && of('two nodes', 'first node')?.two === 0,
    'a cell writes on its node alone',
  )
  const lines = layouts.flatMap(layout =>
    servers.map(server => {
      const each = of(layout.name, server.name)
      const per = (value = 0) => Math.round(value / ROUNDS).toLocaleString('en')
      return [
        layout.name,
        server.name,
        ((each?.processorMs ?? 0) / ROUNDS / 1_000).toFixed(1),
        per(each?.transactions),
        ((each?.log ?? 0) / ROUNDS / 1e6).toFixed(1),
        per(each?.one),
        per(each?.two),
        per(each?.prepared),
      ]
    }),
  )
  return () => {
    console.log(`\n${WRITES} writes in each of two cells, ${LANES} at once, the mean of ${ROUNDS} rounds`)
    printLines(
      ['Cells on', 'Server', 'Processor s', 'Transactions', 'Log MB', 'Rows of one', 'Rows of two', 'Prepared'],
      lines,
    )
  }
}

/** The same writes for every layout: counts of stock, and orders for it. */
async function business(client: Client): Promise<void> {
  const { made } = client
  const place = await made('/storage-places', { title: 'Hall' })
  const product = await made('/products', { title: 'Screw', purchase_price: 0.7 })
  const item_variant_id = product.variants[0].id
  let left = WRITES
  const lanes = Array.from({ length: LANES }, async () => {
    while (left-- > 0)
      await (left % 2 === 0
        ? made('/stock-adjustments', { storage_place_id: place.id, items: [{ item_variant_id, quantity: 3 }] })
        : made('/sales-orders', { customer: { title: 'Miller' }, items: [{ item_variant_id, quantity: 1, price: 2 }] }))
  })
  await Promise.all(lanes)
}

async function measure(cluster: Cluster, server: string): Promise<Measured> {
  const { pid, ...counted } = await cluster.on(server, async client => {
    await client.query('set citus.override_table_visibility = off') // by default shards are hidden
    const { rows } = await client.query<Record<string, string>>(
      `select split_part(pg_read_file('postmaster.pid'), E'\\n', 1) as pid, pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') as log,
         (select xact_commit from pg_stat_database where datname = current_database()) as transactions,
         ${(['one', 'two'] as const)
           .map(
             cell => `(select coalesce(sum(n_tup_ins + n_tup_upd + n_tup_del), 0) from pg_stat_all_tables
               where schemaname = '${schemaOf(cell)}' and relname ~ '_\\d+$') as ${cell},`,
           )
           .join('\n')}
         (select n_tup_ins from pg_stat_all_tables where relname = 'pg_dist_transaction') as prepared`,
    )
    return rows[0] ?? {}
  })
  const value = (name: string) => Number(counted[name] ?? 0)
  return {
    processorMs: await familyMs(Number(pid)),
    transactions: value('transactions'),
    log: value('log'),
    one: value('one'),
    two: value('two'),
    prepared: value('prepared'),
  }
}

const names = ['processorMs', 'transactions', 'log', 'one', 'two', 'prepared'] as const
const combined = (of: (name: (typeof names)[number]) => number): Measured =>
  Object.fromEntries(names.map(name => [name, of(name)])) as Measured
const differenceOf = (after?: Measured, before?: Measured): Measured =>
  combined(name => (after?.[name] ?? 0) - (before?.[name] ?? 0))
const sumOf = (one: Measured | undefined, other: Measured): Measured =>
  combined(name => (one?.[name] ?? 0) + other[name])

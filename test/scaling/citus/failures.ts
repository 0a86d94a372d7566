/**
 * Attacks on a service whose cell is on a node, under load from clients that repeat with the same key: no write is lost or done twice, and
 * the service recovers soon. The node's own server crashes it: a server that kills one of its processes recovers. The user must be a
 * superuser.
 */
import { attackNamed } from '../../failure/attacks.ts'
import { startFollower } from '../../failure/follower.ts'
import { startLoad } from '../../failure/load.ts'
import { prove } from '../../failure/proof.ts'
import { moreAcknowledged, openRig, type Rig } from '../../failure/rig.ts'
import { eventually } from '../../support/eventually.ts'
import { type Cluster, must, say } from './cluster.ts'

const SCHEMA = 'millrace_attacked'
const WRITES_BEFORE = 60
const WRITES_AFTER = 30

export async function failures(cluster: Cluster): Promise<void> {
  const url = await cluster.freshSchema(SCHEMA)
  const crash = async (node: string) => {
    await cluster.on(node, async client => {
      await client.query(`copy (select) to program 'kill -9 $PPID'`).catch(() => {})
    })
    await eventually(() => cluster.on(node, client => client.query('select')))
  }
  const strikes: readonly { readonly name: string; readonly strike: (rig: Rig) => Promise<unknown> }[] = [
    attackNamed('a worker killed'),
    attackNamed('a web process killed'),
    attackNamed('Redis emptied'),
    attackNamed('all connections to Postgres lost'),
    {
      name: 'all connections of the coordinator to the node lost',
      strike: async () =>
        cluster.on(await cluster.nodeOf(SCHEMA), client =>
          client.query(
            `select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'citus_internal%'`,
          ),
        ),
    },
    { name: 'the node crashed', strike: async () => crash(await cluster.nodeOf(SCHEMA)) },
    {
      name: 'a worker killed and the node crashed at once',
      strike: async rig => {
        await Promise.all([attackNamed('a worker killed').strike(rig), crash(await cluster.nodeOf(SCHEMA))])
      },
    },
  ]
  const nothing = async () => {}
  const postgres = { url, pid: 0, kill: nothing, signal: nothing, start: nothing, close: nothing }
  const rig = await openRig({ postgres })
  try {
    const load = startLoad(rig, { clients: 1 })
    const follower = await startFollower(rig)
    for (const { name, strike } of strikes) {
      await moreAcknowledged(rig, WRITES_BEFORE, 'work before the strike')
      await strike(rig)
      const ms = await moreAcknowledged(rig, WRITES_AFTER, `work after: ${name}`)
      say(`${name}: ${WRITES_AFTER} more writes acknowledged ${(ms / 1_000).toFixed(1)} s later`)
    }
    await load.stop()
    await follower.stop()
    await prove(rig, [rig.postgres.url])
    const { faults, figures } = rig.journal
    must(
      faults.length === 0,
      `${strikes.length} attacks: each of ${figures.acknowledged} acknowledged commands is there once, and reconcile finds nothing ${faults
        .slice(0, 5)
        .map(({ text }) => text)
        .join('; ')}`,
    )
    say(`${figures.open} left open, ${load.figures.duplicates} duplicates, ${load.figures.hangUps} hang-ups`)
  } finally {
    await rig.close()
  }
}

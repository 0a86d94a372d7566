/**
 * Runs the service on a Citus cluster and prints what it found: cells on two nodes that move while tenants write, migrations and
 * housekeeping of distributed schemas, random commands compared with models, attacks, and what the servers spend. Not a part of `npm test`.
 *
 *     CITUS_URL=postgres://user@host:port/database node test/scaling/citus.ts [tests|migrations|moves|failures|figures]...
 *
 * The cluster: Citus 13 on PostgreSQL 17, or on 15 and 16 with a collation `pg_catalog.pg_c_utf8` made on every node; a coordinator without
 * shards and at least two workers; `wal_level = logical` and `citus.enable_unsafe_triggers = on` everywhere. The user is a superuser, who
 * reaches the nodes as the coordinator knows them. Schemas `millrace_*` and `test_*` are dropped and made again.
 */
import { testRedis } from '../support/redis.ts'
import { servers } from '../support/servers.ts'
import { failed, openCluster } from './citus/cluster.ts'
import { failures } from './citus/failures.ts'
import { figures } from './citus/figures.ts'
import { migrations } from './citus/migrations.ts'
import { moves } from './citus/moves.ts'
import { tests } from './citus/tests.ts'

const url = process.env['CITUS_URL']
if (!url) {
  console.log('CITUS_URL is not set: nothing is run')
  process.exit(0)
}

const parts = { tests, migrations, moves, failures, figures }
const named = process.argv.slice(2)
const cluster = await openCluster(url)
const { redisUrl, stop } = await servers()
const atTheEnd: (() => void)[] = []
for (const [name, run] of Object.entries(parts)) {
  if (named.length > 0 && !named.includes(name)) continue
  console.log(`── ${name}`)
  // Each test file takes a Redis of its own.
  const redis = name === 'tests' ? { url: redisUrl, close: async () => {} } : await testRedis(redisUrl)
  const print = await run(cluster, redis.url)
  if (print) atTheEnd.push(print)
  await redis.close()
}
await stop()
for (const print of atTheEnd) print()
console.log(failed() === 0 ? 'all held' : `${failed()} failed`)
process.exit(failed() === 0 ? 0 : 1)

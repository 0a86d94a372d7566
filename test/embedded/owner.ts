/** Runs a PostgreSQL and a Redis until it is killed: a process for the tests of what happens then. */
import { join } from 'node:path'
import { startPostgres } from '../../lib/tools/embedded/postgres.ts'
import { startRedis } from '../../lib/tools/embedded/redis.ts'

const folder = process.argv[2] ?? ''
const postgres = await startPostgres({ dataDir: join(folder, 'postgres'), durable: false })
const redis = await startRedis({ dataDir: join(folder, 'redis'), durable: false })
console.log(JSON.stringify([postgres.pid, redis.pid]))
setInterval(() => {}, 60_000)

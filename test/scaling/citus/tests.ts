/**
 * Tests of this repository on the cluster, each file in a distributed schema of its own: random commands compared with models, and more.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { SHARED_DATABASE_URL, SHARED_REDIS_URL } from '../../support/servers.ts'
import { type Cluster, must } from './cluster.ts'

const FILES = [
  'test/{stock,sales,purchasing,manufacturing}/model.test.ts',
  'test/stock/{availability,balances,books-model,expiry,journal,kits}.test.ts',
  'test/documents/together.test.ts',
  'test/operations/periods.test.ts',
  'test/access/{keys,key-changes,http}.test.ts',
  'test/cells/drain.test.ts',
]

export async function tests(cluster: Cluster, redisUrl: string): Promise<void> {
  const url = new URL(cluster.url)
  url.searchParams.set('citus', 'on')
  const ava = spawn('node_modules/.bin/ava', ['--concurrency=2', ...FILES], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {
      ...process.env,
      [SHARED_DATABASE_URL]: url.href,
      [SHARED_REDIS_URL]: redisUrl,
      MODEL_RUNS: '10',
      TOGETHER_RUNS: '5',
    },
  })
  const [status] = await once(ava, 'exit')
  must(status === 0, `tests on distributed schemas: ${FILES.join(' ')}`)
}

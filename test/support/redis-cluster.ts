/** A Redis Cluster of three masters on the loopback address for a test. */
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Command, Redis } from 'ioredis'
import { type Running, searchPath, startChild } from '../../lib/tools/embedded/child.ts'
import { freePort } from '../../lib/tools/embedded/free-port.ts'
import { untilReady } from '../../lib/tools/embedded/readiness.ts'
import { redisProgram } from '../../lib/tools/embedded/redis-program.ts'
import { eventually } from './eventually.ts'
import { temporaryFolder } from './servers.ts'

const MASTERS = 3
const SLOTS = 16_384
const PASSWORD = 'cluster'
const TRIES_MAX = 5

export type TestCluster = {
  /** As REDIS_URL: two of the three nodes, since the third must be found. */
  readonly url: string
  /** A plain connection to each master. */
  readonly masters: readonly Redis[]
  /** Sends a signal to the master that has a key or a hash tag. */
  signal(key: string, signal: NodeJS.Signals): void
  close(): Promise<void>
}

export async function redisCluster(): Promise<TestCluster> {
  const folder = await temporaryFolder()
  const nodes = await Promise.all(Array.from({ length: MASTERS }, (_, at) => startNode(join(folder, String(at)))))
  const masters = nodes.map(({ port }) => new Redis({ host: '127.0.0.1', port, password: PASSWORD }))
  for (const [at, master] of masters.entries()) {
    await master.call('CLUSTER', 'SET-CONFIG-EPOCH', at + 1)
    const from = Math.ceil((SLOTS * at) / MASTERS)
    const to = Math.ceil((SLOTS * (at + 1)) / MASTERS)
    await master.cluster('ADDSLOTS', ...Array.from({ length: to - from }, (_, slot) => from + slot))
    await masters[0]?.call('CLUSTER', 'MEET', '127.0.0.1', nodes[at]?.port ?? 0, nodes[at]?.busPort ?? 0)
  }
  await Promise.all(masters.map(master => eventually(() => isComplete(master), { what: 'a complete cluster' })))
  const [first, second] = nodes
  return {
    url: `redis://:${PASSWORD}@127.0.0.1:${first?.port},127.0.0.1:${second?.port}`,
    masters,
    signal: (key, signal) => {
      const at = Math.floor((new Command('get', [key]).getSlot() * MASTERS) / SLOTS)
      const { running } = nodes[at] as Node
      process.kill(running.pid, signal)
    },
    close: async () => {
      for (const master of masters) master.disconnect()
      for (const { running } of nodes) process.kill(running.pid, 'SIGCONT')
      await Promise.all(nodes.map(({ running }) => running.stop()))
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function isComplete(master: Redis): Promise<boolean> {
  const info = String(await master.cluster('INFO'))
  return info.includes('cluster_state:ok') && info.includes(`cluster_known_nodes:${MASTERS}`)
}

type Node = { readonly running: Running; readonly port: number; readonly busPort: number }

/** Beside other tests a port that was free may be taken by the time that the server asks for it. */
async function startNode(folder: string): Promise<Node> {
  await mkdir(folder, { recursive: true })
  for (let tries = 1; ; tries++)
    try {
      return await tryNode(folder)
    } catch (error) {
      if (tries === TRIES_MAX || !/Address already in use/.test(String(error))) throw error
    }
}

async function tryNode(folder: string): Promise<Node> {
  const file = await redisProgram(() => {})
  // Else the nodes talk on the port 10,000 above, which somebody may have.
  const [port, busPort] = await Promise.all([freePort(), freePort()])
  const config = join(folder, 'redis.conf')
  const lines = [
    'bind 127.0.0.1',
    `port ${port}`,
    `cluster-port ${busPort}`,
    `requirepass ${PASSWORD}`,
    `dir "${folder}"`,
    'cluster-enabled yes',
    'cluster-node-timeout 5000',
    // Else the nodes that are there serve nobody while one is away.
    'cluster-require-full-coverage no',
    'maxmemory-policy noeviction',
    'save ""',
    'appendonly no',
  ]
  await writeFile(config, `${lines.join('\n')}\n`)
  const running = await untilReady({ name: 'Redis', ready: 'Ready to accept connections', onLine: undefined }, onLine =>
    startChild({
      file,
      args: [config],
      cwd: folder,
      env: searchPath(),
      stopSignal: 'SIGTERM',
      stopGraceMs: 10_000,
      onLine,
    }),
  )
  return { running, port, busPort }
}

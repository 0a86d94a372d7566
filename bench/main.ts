/**
 * `npm run bench`: this service and its limits side by side, in one run, on the same Postgres. Prints tables; absolute figures
 * are the machine's, ratios are the service's. `--only adjustments,flood`: parts by name; `--quick`: a glance; `--json`.
 */

import { parseArgs } from 'node:util'
import { bulkRows } from './bulk.ts'
import { adjust } from './chains.ts'
import { coldRows } from './cold.ts'
import { boxRows, holdRows, taxRows } from './compared.ts'
import { crowdRows } from './crowd.ts'
import { dryRunRows } from './dry-runs.ts'
import { floodRows } from './fairness.ts'
import { findRows } from './find.ts'
import { importRows } from './imports.ts'
import type { Bench, Say } from './in-turn.ts'
import { kitRows } from './kits.ts'
import { availabilityRows, pageRows, readRows, replayRows, scanRows } from './read-rows.ts'
import { streamRows } from './streams.ts'
import { printTable, type Result } from './table.ts'
import type { World } from './types.ts'
import { webhookRows } from './webhooks.ts'
import { makeTenant, openWorld } from './world.ts'
import { loneClient, roundTrips, writeRows } from './write-rows.ts'
import { writes } from './writes.ts'

type Part = {
  readonly name: string
  readonly rows: number
  readonly run: (bench: Bench, say: Say) => Promise<Result[]>
}

const parts: readonly Part[] = [
  ...writeRows,
  { name: 'bulk', rows: 2, run: bulkRows },
  { name: 'dry', rows: 1, run: dryRunRows },
  { name: 'holds', rows: 2, run: holdRows },
  { name: 'boxes', rows: 1, run: boxRows },
  { name: 'taxes', rows: 1, run: taxRows },
  { name: 'kits', rows: 3, run: kitRows },
  { name: 'imports', rows: 2, run: importRows },
  { name: 'reads', rows: 2, run: readRows },
  { name: 'pages', rows: 3, run: pageRows },
  { name: 'availability', rows: 2, run: availabilityRows },
  { name: 'scans', rows: 3, run: scanRows },
  { name: 'replay', rows: 1, run: replayRows },
  { name: 'trips', rows: 1, run: roundTrips },
  { name: 'lone', rows: 1, run: loneClient },
  { name: 'flood', rows: 4, run: floodRows },
  { name: 'webhooks', rows: 4, run: webhookRows },
  { name: 'cold', rows: 2, run: coldRows },
  { name: 'streams', rows: 6, run: streamRows },
  { name: 'tenants', rows: 6, run: crowdRows },
  { name: 'find', rows: 16, run: findRows },
]

const { values: options } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
  },
})
const only = options.only?.split(',')
const wanted = parts.filter(({ name }) => only === undefined || only.some(part => name.includes(part)))
if (wanted.length === 0) throw new Error(`--only takes some of: ${parts.map(({ name }) => name).join(', ')}`)

async function many(world: World, count: number): Promise<Bench['tenants']> {
  const made = () => makeTenant(world, { materials: true })
  return Promise.all([made(), ...Array.from({ length: count - 1 }, made)])
}

const say = (line: string) => process.stderr.write(`${line}\n`)
const world = await openWorld()
const results: Result[] = []
try {
  say('making tenants')
  const bench: Bench = {
    world,
    bareTenants: await many(world, 8),
    tenants: await many(world, 50),
    isQuick: options.quick,
    rounds: options.quick ? 1 : 3,
    roundMs: options.quick ? 1_500 : 3_500,
  }
  await writes(world, [adjust], bench.tenants, 64, { ms: 1_000 }) // warm up
  const all = wanted.reduce((sum, { rows }) => sum + rows, 0)
  for (const { name, run } of wanted) {
    const done = results.length
    const tell: Say = (row, what) => say(`row ${done + row + 1} of ${all}, ${name}: ${what}`)
    tell(0, 'begins')
    results.push(...(await run(bench, tell)))
  }
} finally {
  await world.close()
}
if (options.json) process.stdout.write(`${JSON.stringify(results, null, 2)}\n`)
else printTable(results)
process.exitCode = results.some(({ errors = 0 }) => errors > 0) ? 1 : 0

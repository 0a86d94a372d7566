/** The rows of imports: products of a file that are changed, beside products that are made. As `bin/millrace import` takes them. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { products } from '../imports/products.ts'
import { readRows } from '../lib/tools/import/rows.ts'
import { runImport } from '../lib/tools/import/run.ts'
import { serviceOf } from '../lib/tools/import/service.ts'
import { type Bench, gatherStatistics, type Say } from './in-turn.ts'
import { type Result, ratio } from './table.ts'
import { allMs, usageOf, usagePer } from './usage.ts'
import { counted, type Span, type Writes } from './writes.ts'

const [PRODUCTS, PRODUCTS_QUICK] = [20_000, 2_000]

/** `ownMs`: processor time of this process, which imports. */
type Taken = Pick<Writes, 'writes' | 'errors'> & Span & { readonly ms: number; readonly ownMs: number }

export async function importRows(bench: Bench, say: Say): Promise<Result[]> {
  const count = bench.isQuick ? PRODUCTS_QUICK : PRODUCTS
  const linesOf = (price: number) =>
    Array.from({ length: count }, (_, n) => `Import ${n},IMP-${n},${price},tea,Leaves ${n}`)
  say(0, `${count} new products`)
  const made = await taken(bench, linesOf(5))
  await gatherStatistics(bench.world)
  say(0, `${count} changed products`)
  const changed = await taken(bench, linesOf(6), true)
  const errors = made.errors + changed.errors
  const each = usagePer([changed], count)
  const spent = (of: Taken) => (allMs(usagePer([of], 1)) + of.ownMs) / count
  return [
    {
      name: `An import of ${count} changed products, beside new ones: products`,
      ...{ goals: [ratio('>=', 0.8)], unit: '/s', errors },
      ...{ service: (1_000 * count) / changed.ms, limit: (1_000 * count) / made.ms },
    },
    {
      name: 'The same: processor time of a product, of the import and the service',
      ...{ goals: [ratio('<=', 1.25)], unit: 'ms', errors, cost: { each } },
      ...{ service: spent(changed), limit: spent(made) },
    },
  ]
}

let files = 0
/** A line that is not what it should be is an error, and so is an answer without its effect. */
async function taken({ world, tenants: [tenant] }: Bench, lines: readonly string[], update = false): Promise<Taken> {
  const path = join(world.folder, `import-${++files}.csv`)
  const text = ['title,sku,price,category,description', ...lines].join('\n')
  await writeFile(path, text)
  let [ms, ownMs] = [0, 0]
  const [figures] = await counted(world, async () => {
    const from = await usageOf(world)
    const began = performance.now()
    const own = process.cpuUsage()
    const importer = products.open(serviceOf({ baseUrl: world.url, token: tenant.token }), { update })
    const rows = readRows(path, { format: 'csv', columns: products.columns })
    const report = await runImport({ rows, sizeBytes: Buffer.byteLength(text), importer }, () => {})
    ms = performance.now() - began
    const { user, system } = process.cpuUsage(own)
    ownMs = (user + system) / 1_000
    const writes = update ? report.changed : report.created
    const to = await usageOf(world)
    return [{ writes, errors: lines.length - writes, from, to, count: 0, perSecond: 0, p50: 0, p99: 0, latencies: [] }]
  })
  return { ...figures, ms, ownMs }
}

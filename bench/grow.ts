/**
 * `npm run grow`: fills the database of the `npm start` that runs here, or that of DATABASE_URL, with many tenants: few large, most
 * small. It is for measuring; nobody has keys of what it makes (`bin/millrace key issue`).
 */
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { type CliCommand, type Input, Refused } from '../lib/tools/cli/command.ts'
import { runCommand } from '../lib/tools/cli/main.ts'
import { bar, progressLine } from '../lib/tools/cli/progress.ts'
import { optional, whole } from '../lib/tools/cli/values.ts'
import { GrowRefused, grow } from './grow/grow.ts'

/** Large numbers may be written as `20_000_000` or `20,000,000`. */
const upTo = (input: Input, name: string, max: number): number | undefined =>
  optional(input, name, (typed, label) => whole(1, max)(typed.replaceAll(/[_,]/g, ''), label))

let isToStop = false
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => (isToStop = true))

const command: CliCommand = {
  program: 'npm run grow --',
  words: ['grow'],
  summary: 'Fill the database with many tenants, few large and most small',
  options: {
    tenants: { value: 'N', help: 'how many (default 100,000)' },
    movements: { value: 'N', help: 'of stock, in all (default 20,000,000)' },
    orders: {
      value: 'N',
      help: 'sales, purchase and manufacturing orders, in all (default a tenth of the movements)',
    },
    days: { value: 'N', help: 'age of the oldest (default 365)' },
    connections: { value: 'N', help: 'chunks that are copied at the same time (default the processors, 4 at most)' },
    'beside-tenants': { help: 'also where the database has tenants of somebody' },
  },
  details: ['Ended with Ctrl-C it goes on with the next call, whatever the options.'],
  examples: ['', '--tenants 1000 --movements 500000'],
  run: async (input, world) => {
    const movements = upTo(input, 'movements', 1_000_000_000) ?? 20_000_000
    const began = performance.now()
    const minutes = () => `${((performance.now() - began) / 60_000).toFixed(1)} min`
    const grown = await grow({
      tenants: upTo(input, 'tenants', 1_000_000) ?? 100_000,
      movements,
      orders: upTo(input, 'orders', movements) ?? Math.round(movements / 10),
      days: upTo(input, 'days', 3_650) ?? 365,
      connections: upTo(input, 'connections', 64) ?? Math.min(availableParallelism(), 4),
      isBesideTenants: input.options['beside-tenants'] !== undefined,
      databaseUrl: await world.databaseUrl(),
      isToStop: () => isToStop,
      onProgress: ({ what, done, all, rows }) =>
        world.progress.show(
          bar(done, all, `${what}, ${rows > 0 ? `${rows.toLocaleString('en')} rows, ` : ''}${minutes()}`),
        ),
    }).catch(error => {
      throw error instanceof GrowRefused ? new Refused(error.message) : error
    })
    const { isDone, isResumed, largestTenant, typicalTenant, ...size } = grown
    const what = `${size.tenants.toLocaleString('en')} tenants, ${size.movements.toLocaleString('en')} movements, ${size.orders.toLocaleString('en')} orders`
    world.progress.end(
      isDone
        ? `${isResumed ? 'went on with and made' : 'made'} ${what} in ${minutes()}`
        : `ended before it was done: npm run grow goes on with ${what}`,
    )
    return {
      json: { is_done: isDone, ...size, largest_tenant: largestTenant, typical_tenant: typicalTenant },
      text: isDone
        ? `the largest is tenant ${largestTenant}, an ordinary one ${typicalTenant}: bin/millrace key issue --tenant ...`
        : '',
      exitCode: isDone ? 0 : 1,
    }
  },
}

process.exitCode = await runCommand(command, process.argv.slice(2), {
  env: process.env,
  root: fileURLToPath(new URL('..', import.meta.url)),
  out: text => console.log(text),
  err: text => console.error(text),
  progress: progressLine(process.stderr),
})

/**
 * `npm run grow`: fills the database of the `npm start` that runs here, or that of DATABASE_URL, with many tenants: few large, most
 * small. It is for measuring; nobody has keys of what it makes (`bin/millrace key issue`).
 */
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { ConfigError } from '../lib/platform/config-error.ts'
import { Refused } from '../lib/tools/cli/command.ts'
import { explain } from '../lib/tools/cli/explain.ts'
import { bar, progressLine } from '../lib/tools/cli/progress.ts'
import { openWorld } from '../lib/tools/cli/world.ts'
import { type GrowOptions, GrowRefused, grow } from './grow/grow.ts'

const usage = `usage: npm run grow -- [options]
  --tenants N          how many (default 100,000)
  --movements N        of stock, in all (default 20,000,000)
  --orders N           sales, purchase and manufacturing orders, in all (default a tenth of the movements)
  --days N             age of the oldest (default 365)
  --connections N      chunks that are copied at the same time (default the processors, 4 at most)
  --beside-tenants     also where the database has tenants of somebody
Ended with Ctrl-C it goes on with the next call, whatever the options.`

class UsageError extends Error {}

function whole(text: string | undefined, name: string, { otherwise, max }: { otherwise: number; max: number }): number {
  if (text === undefined) return otherwise
  const value = Number(text.replaceAll(/[_,]/g, ''))
  if (Number.isInteger(value) && value >= 1 && value <= max) return value
  throw new UsageError(`--${name} must be a whole number from 1 to ${max.toLocaleString('en')}`)
}

function optionsOf(args: string[]): Omit<GrowOptions, 'databaseUrl'> {
  const text = { type: 'string' } as const
  let parsed: {
    values: Partial<Record<'tenants' | 'movements' | 'orders' | 'days' | 'connections', string>> & {
      'beside-tenants'?: boolean
    }
  }
  try {
    parsed = parseArgs({
      args,
      options: {
        tenants: text,
        movements: text,
        orders: text,
        days: text,
        connections: text,
        'beside-tenants': { type: 'boolean' },
      },
    })
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
  const { values } = parsed
  const movements = whole(values.movements, 'movements', { otherwise: 20_000_000, max: 1_000_000_000 })
  return {
    tenants: whole(values.tenants, 'tenants', { otherwise: 100_000, max: 1_000_000 }),
    movements,
    orders: whole(values.orders, 'orders', { otherwise: Math.round(movements / 10), max: movements }),
    days: whole(values.days, 'days', { otherwise: 365, max: 3_650 }),
    connections: whole(values.connections, 'connections', { otherwise: Math.min(availableParallelism(), 4), max: 64 }),
    isBesideTenants: values['beside-tenants'] ?? false,
  }
}

const say = (text: string) => void process.stderr.write(`${text}\n`)
const line = progressLine(process.stderr)
const root = fileURLToPath(new URL('..', import.meta.url))
let isToStop = false
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => (isToStop = true))

async function main(): Promise<0 | 1 | 2> {
  if (process.argv.includes('--help')) {
    say(usage)
    return 0
  }
  const options = optionsOf(process.argv.slice(2))
  const { world, close } = openWorld({ env: process.env, root, warn: say, progress: line })
  try {
    const began = performance.now()
    const minutes = () => `${((performance.now() - began) / 60_000).toFixed(1)} min`
    const grown = await grow({
      ...options,
      databaseUrl: await world.databaseUrl(),
      isToStop: () => isToStop,
      onProgress: ({ what, done, all, rows }) =>
        line.show(bar(done, all, `${what}, ${rows > 0 ? `${rows.toLocaleString('en')} rows, ` : ''}${minutes()}`)),
    })
    const { tenants, movements, orders } = grown
    const what = `${tenants.toLocaleString('en')} tenants, ${movements.toLocaleString('en')} movements, ${orders.toLocaleString('en')} orders`
    if (!grown.isDone) {
      line.end(`ended before it was done: npm run grow goes on with ${what}`)
      return 1
    }
    line.end(`${grown.isResumed ? 'went on with and made' : 'made'} ${what} in ${minutes()}`)
    say(
      `the largest is tenant ${grown.largestTenant}, an ordinary one ${grown.typicalTenant}: bin/millrace key issue --tenant ...`,
    )
    return 0
  } finally {
    await close()
  }
}

try {
  process.exitCode = await main()
} catch (error) {
  const reasons =
    error instanceof ConfigError
      ? error.faults
      : [
          error instanceof GrowRefused || error instanceof Refused || error instanceof UsageError
            ? error.message
            : explain(error),
        ]
  for (const reason of reasons) say(`grow: ${reason}`)
  if (error instanceof UsageError) say(usage)
  process.exitCode = error instanceof UsageError ? 2 : 1
}

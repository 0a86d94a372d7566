import { readdir, readFile } from 'node:fs/promises'
import { createPool } from '../../lib/platform/postgres/postgres.ts'
import { closeRedis, connectRedis } from '../../lib/platform/redis/redis.ts'
import { createLog } from '../../lib/platform/telemetry/log.ts'
import { collectProcessMetrics, registry } from '../../lib/platform/telemetry/metrics.ts'
import { startClockWatch } from '../../workers/clock-watch.ts'
import { startMoveWatch } from '../../workers/commands/move-watch.ts'
import { startStoreWatch } from '../../workers/commands/store-watch.ts'
import { watchChores } from '../../workers/housekeeping/housekeeping.ts'
import { startWebhooks } from '../../workers/webhooks/webhook-worker.ts'
import { testConfig } from '../support/pipeline.ts'
import { startService } from '../support/service.ts'
import { testServices } from '../support/services.ts'
import { apart } from '../support/suite.ts'
import { within } from '../support/within.ts'

const test = apart(import.meta)

// A web process, a worker and a webhook process in one: /metrics has the metrics of all of them.
const services = await testServices()
const service = await startService(services)
const config = testConfig(services)
const pool = await createPool(services.databaseUrl, { size: 4, ...within(60_000) })
const redis = connectRedis(services.redisUrl, 'worker', 'test webhooks')
const log = createLog({ level: 'silent', processName: 'test' })
const webhooks = await startWebhooks({ config, pool, redis, log })
watchChores([{ name: 'main', pool }])
const main = { name: 'main', databaseUrl: services.databaseUrl, pool }
const clocks = startClockWatch({ cells: [main], redis, log })
const moves = startMoveWatch({ config, cells: [main], redis, log })
const stores = startStoreWatch({ cells: [main], redis })
collectProcessMetrics('web', { processName: 'test', build: 'abc' })
test.after.always(async () => {
  await Promise.all([stores.close(), moves.close(), clocks.close()])
  await webhooks.close()
  await closeRedis(redis)
  await pool.end()
  await service.close()
  await services.close()
})

const read = (name: string) => readFile(new URL(`../../docs/dashboards/${name}`, import.meta.url), 'utf8')

type Panel = { type: string; title: string; targets?: { expr: string }[]; gridPos: { x: number; y: number; w: number } }

async function dashboardQueries(): Promise<string[]> {
  const { panels } = JSON.parse(await read('millrace.json')) as { panels: Panel[] }
  return panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
}

/** The text of every `expr:`, including folded ones. */
async function alertQueries(): Promise<string[]> {
  const text = await read('alerts.yml')
  return [...text.matchAll(/^ {8}expr: (?:>-\n((?: {10}.*\n)+)|(.*)\n)/gm)].map(
    ([, folded, plain]) => folded ?? plain ?? '',
  )
}

const METRIC = /\b((?:millrace|nodejs|process)_[a-z0-9_]+)\b(?:\{([^}]*)\})?/g

const metricsText = async () => (await fetch(`${service.adminUrl}/metrics`)).text()

/** `x_bucket`, `x_sum` and `x_count` belong to the histogram `x`. */
function nameIn(exposed: ReadonlySet<string>, name: string): string | undefined {
  return [name, name.replace(/_(?:bucket|sum|count)$/, '')].find(candidate => exposed.has(candidate))
}

test('every metric and label of the dashboard and the alerts is on /metrics', async t => {
  const exposed = new Set([...(await metricsText()).matchAll(/^# TYPE (\S+) /gm)].map(match => match[1] ?? ''))
  const queries = [...(await dashboardQueries()), ...(await alertQueries())]
  t.true(queries.length > 40)
  for (const query of queries) {
    t.true(/^(?:up\{|vector\(1\)|.*\bnode_filesystem_)/s.test(query) || [...query.matchAll(METRIC)].length > 0, query)
    for (const [, name = '', selector = ''] of query.matchAll(METRIC)) {
      const known = nameIn(exposed, name)
      t.truthy(known, `${name} in ${query}`)
      const metric = registry.getSingleMetric(known ?? '') as unknown as { labelNames?: string[] } | undefined
      for (const [, label = ''] of selector.matchAll(/(\w+)\s*(?:=~|!=|=)/g))
        t.true(metric?.labelNames?.includes(label), `${label} in ${query}`)
    }
  }
})

test('every metric of ours is shown or watched', async t => {
  const used = [...(await dashboardQueries()), ...(await alertQueries())].join('\n')
  for (const [, name = ''] of (await metricsText()).matchAll(/^# TYPE (millrace_\S+) /gm))
    t.regex(used, new RegExp(`\\b${name}`), name)
})

test('every panel has a title and a place of its own, and every alert a severity and a page that says what to do', async t => {
  const { panels } = JSON.parse(await read('millrace.json')) as { panels: Panel[] }
  const places = new Set(panels.map(({ gridPos }) => `${gridPos.x} ${gridPos.y}`))
  t.is(places.size, panels.length)
  for (const panel of panels) {
    t.truthy(panel.title)
    t.true(panel.gridPos.x + panel.gridPos.w <= 24)
  }
  const alerts = (await read('alerts.yml')).split('- alert: ').slice(1)
  t.is(alerts.length, (await alertQueries()).length)
  for (const alert of alerts) {
    t.regex(alert, /labels: \{ severity: (?:page|ticket|none) \}/)
    const name = /^\w+/.exec(alert)?.[0] ?? ''
    t.regex(
      alert,
      new RegExp(
        `\\n {10}summary: \\S[^\\n]*\\n {10}runbook_url: https://docs\\.example/millrace/alerts/${name}\\.md\\n`,
      ),
    )
    const page = await read(`../alerts/${name}.md`)
    t.regex(
      page,
      new RegExp(`^# ${name}\\n\\n\\*\\*You see:\\*\\* [^]*\\n\\*\\*Do:\\*\\* [^]*\\n\\*\\*Over when:\\*\\* `),
    )
  }
  const pages = await readdir(new URL('../../docs/alerts', import.meta.url))
  t.is(pages.length, alerts.length, 'a page without an alert')
})

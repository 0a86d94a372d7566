/**
 * Owns which tests `npm test` leaves out and `npm run torture` runs: those that take long and seldom find anything, and those that start
 * processes of the service. `npm test` starts them for some attacks, for commands whose worker is killed, and for one `npm start`.
 */
import { globSync, readFileSync } from 'node:fs'

/** By this, torture tells files of `npm test` to run also the tests that they have for it alone. */
export const AT_LENGTH = 'MILLRACE_TEST_AT_LENGTH'
export const isAtLength = process.env[AT_LENGTH] !== undefined

/** Walks through the portal of which `npm test` takes its share. */
const WALKS = ['portal/kits', 'portal/order-money', 'portal/portal', 'portal/scans', 'portal/shop-floor']
const HERE = new URL('.', import.meta.url)

/** Below `test/`, without their ending. All other walks are among them. */
export const atLength: readonly string[] = [
  'api/http-time',
  'api/linear-time',
  'cells/broken-off',
  'cells/broken-off-anywhere',
  'cells/drain',
  'cells/online',
  'cli/program',
  'client/generators',
  'client/package',
  'contract/spectral',
  'docs/docs-page',
  'docs/recovery',
  'docs/recovery-to-a-moment',
  'docs/trials',
  'embedded/servers',
  'embedded/start',
  'embedded/start-outputs',
  'failure/broken-ways',
  'failure/disk-full',
  'failure/kits',
  'failure/midnight',
  'failure/outage',
  'failure/processes',
  'failure/redis-full',
  'failure/redis-refuses',
  'failure/sockets',
  'failure/webhooks',
  'operations/aged',
  'operations/backup',
  'operations/backup-check',
  'operations/clocks',
  'operations/failover',
  'operations/game-day',
  'operations/pgbouncer',
  'operations/restore-cells',
  'operations/rollout',
  'operations/tls',
  'pipeline/deadly',
  'pipeline/full-redis',
  'pipeline/killed-bulk',
  'pipeline/slow-tenants',
  ...globSync('portal/*.test.ts', { cwd: HERE })
    .filter(file => readFileSync(new URL(file, HERE), 'utf8').includes('portalService('))
    .map(file => file.replace('.test.ts', ''))
    .filter(file => !WALKS.includes(file))
    .sort(),
  'scaling/cluster',
  'scaling/replica',
  'telemetry/alert-rules',
]

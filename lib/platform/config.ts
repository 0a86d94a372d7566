/** The settings of every process, read from the environment and checked once at start. No other file may read `process.env`. */
import * as v from 'valibot'
import { ConfigError, shownSetting } from './config-error.ts'
import { nearestOf } from './nearest.ts'
import { type Network, readNetworks } from './networks.ts'
import { withTlsOf } from './postgres/tls.ts'
import { readRedisAddress } from './redis/address.ts'
import { SECRET_FILE_SETTINGS, withSecretFiles } from './secret-files.ts'
import { databaseUrl, parts, readSecretKeys, Settings } from './settings.ts'
import type { Sampling } from './tracing/tracing.ts'

/** These are enough to spread tenants over a dozen nodes. Each shard costs a worker three connections. */
const CLUSTER_SHARDS = 16
const isCluster = (redisUrl: string | undefined): boolean =>
  redisUrl !== undefined && readRedisAddress(redisUrl)?.kind === 'cluster'

/** A further cell (docs/decisions/0010), and its replica. */
export type CellSetting = {
  readonly name: string
  readonly databaseUrl: string
  readonly databaseReadUrl: string | undefined
}

export type Config = {
  /** Absent for embedded services. */
  readonly databaseUrl: string | undefined
  readonly databaseReadUrl: string | undefined
  /** Further cells beside that of DATABASE_URL: CELL_<NAME>_URL, by name. */
  readonly cells: readonly CellSetting[]
  /** One Redis, or a cluster: lib/platform/redis/address.ts. */
  readonly redisUrl: string | undefined
  readonly smtpUrl: string | undefined
  /** The sender of mails to tenants' owners. */
  readonly mailFrom: string
  /** Networks, with ports, that webhooks may call although they are not public, also over `http`. */
  readonly webhookAllowedNetworks: readonly Network[]
  /** The first key encrypts webhook secrets, all decrypt. Absent: a key in the data folder. */
  readonly webhookSecretKeys: readonly Buffer[] | undefined
  readonly host: string
  readonly port: number
  readonly adminHost: string
  readonly adminPort: number
  /** Whether `X-Forwarded-For` names the caller (only behind a proxy that sets it). */
  readonly trustProxy: boolean
  readonly logLevel: string
  /** `web.1` and the like, for logs and metrics. */
  readonly processName: string
  /** The commit or build of this deployment; empty if not given. */
  readonly build: string
  readonly dataFolder: string
  readonly databasePoolSize: number
  /** Whether answers are compressed for callers who accept that. */
  readonly httpCompression: boolean
  /** Origins whose pages may call the API and read its answers; `*`: all. */
  readonly corsOrigins: readonly string[]
  /** The most connections of callers to one server process. */
  readonly httpConnectionsMax: number
  /** The number of hash tags over which tenants are spread: by default 1 on a single Redis, 16 on a cluster. */
  readonly queueShards: number
  /** Tenants that one worker process drains at once. */
  readonly workerConcurrency: number
  readonly commandBatchMax: number
  readonly commandDeadlineMs: number
  /** How long Redis keeps an answer for replays, in seconds. After that the command log answers. */
  readonly replayCacheSeconds: number
  /** When the books are checked each night, `HH:MM` in UTC; undefined: never. */
  readonly reconcileAt: string | undefined
  /** The share of a processor that this check may use. */
  readonly reconcileShare: number
  readonly freePlanVariantsMax: number
  /** The most subscriptions of a tenant. A lower setting removes none. */
  readonly webhookSubscriptionsMax: number
  /** The most deliveries of a tenant that a webhook process begins in a second. Others wait. */
  readonly webhookDeliveriesPerSecond: number
  /** Absent: no traces. */
  readonly tracing: Sampling | undefined
  /** A line for each variable that is no setting and almost has the name of one. */
  readonly misspelt: readonly string[]
}

/**
 * Reads and checks the settings. An empty variable counts as absent.
 * @throws ConfigError with a line for each wrong setting: the variable, the reason, and the given value
 */
export function loadConfig(variables: NodeJS.ProcessEnv = process.env): Config {
  const env = withSecretFiles(variables)
  const given = Object.fromEntries(
    Object.entries(env).flatMap(([name, value = '']) =>
      value === '' ? [] : [[name, isAddress(name) ? withTlsOf(value, env) : value]],
    ),
  )
  // Only the first fault of each setting is reported.
  const cellSettings = Object.fromEntries(Object.keys(given).flatMap(cellSettingOf))
  const result = v.safeParse(v.object({ ...Settings.entries, ...cellSettings }), given, { abortPipeEarly: true })
  if (!result.success) {
    throw new ConfigError(
      ...result.issues.map(({ path, message }) => {
        const name = String(path?.[0]?.key)
        return `${name} ${message}, not ${shownSetting(name, given[name] ?? '')}`
      }),
    )
  }
  const settings = result.output
  return {
    cells: readCells(given),
    databaseUrl: settings.DATABASE_URL,
    databaseReadUrl: settings.DATABASE_READ_URL,
    redisUrl: settings.REDIS_URL,
    smtpUrl: settings.SMTP_URL,
    mailFrom: settings.MAIL_FROM,
    webhookAllowedNetworks: parts(settings.WEBHOOK_ALLOWED_NETWORKS).flatMap(part => readNetworks(part) ?? []),
    webhookSecretKeys:
      settings.WEBHOOK_SECRET_KEY === undefined ? undefined : readSecretKeys(settings.WEBHOOK_SECRET_KEY),
    host: settings.HOST,
    port: settings.PORT,
    adminHost: settings.ADMIN_HOST,
    adminPort: settings.ADMIN_PORT,
    trustProxy: settings.TRUST_PROXY === 'true',
    logLevel: settings.LOG_LEVEL,
    processName: settings.MILLRACE_PROCESS,
    build: settings.MILLRACE_BUILD,
    dataFolder: settings.MILLRACE_DATA,
    databasePoolSize: settings.DATABASE_POOL_SIZE,
    httpCompression: settings.HTTP_COMPRESSION === 'on',
    corsOrigins: parts(settings.CORS_ORIGINS),
    httpConnectionsMax: settings.HTTP_CONNECTIONS_MAX,
    queueShards: settings.QUEUE_SHARDS ?? (isCluster(settings.REDIS_URL) ? CLUSTER_SHARDS : 1),
    workerConcurrency: settings.WORKER_CONCURRENCY,
    commandBatchMax: settings.COMMAND_BATCH_MAX,
    commandDeadlineMs: settings.COMMAND_DEADLINE_MS,
    replayCacheSeconds: settings.REPLAY_CACHE_SECONDS,
    reconcileAt: settings.RECONCILE_AT,
    reconcileShare: settings.RECONCILE_SHARE,
    freePlanVariantsMax: settings.FREE_PLAN_VARIANTS_MAX,
    webhookSubscriptionsMax: settings.WEBHOOK_SUBSCRIPTIONS_MAX,
    webhookDeliveriesPerSecond: settings.WEBHOOK_DELIVERIES_PER_SECOND,
    tracing: tracingOf(settings),
    misspelt: misspeltIn(given),
  }
}

function misspeltIn(given: NodeJS.ProcessEnv): string[] {
  const known = [...Object.keys(Settings.entries), ...SECRET_FILE_SETTINGS]
  return Object.keys(given).flatMap(name => {
    const nearest = cellSetting.test(name) ? undefined : nearestOf(name, known)
    return nearest === undefined ? [] : [`${name} is no setting; the nearest one is ${nearest}`]
  })
}

const isAddress = (name: string): boolean =>
  name === 'DATABASE_URL' || name === 'DATABASE_READ_URL' || cellSetting.test(name)

/** The settings of a cell contain its name in capitals. */
const cellSetting = /^CELL_(?<name>.+?)(?<read>_READ)?_URL$/
const CELL_NAME = /^[A-Z][A-Z0-9]{0,30}$/

function cellSettingOf(variable: string): [string, v.GenericSchema<string>][] {
  const { name = '' } = cellSetting.exec(variable)?.groups ?? {}
  if (name === '') return []
  const isName = CELL_NAME.test(name) && name !== 'MAIN'
  const message = 'must be named after a cell in capitals and digits (CELL_EAST_URL), but MAIN, which is DATABASE_URL'
  return [
    [
      variable,
      isName
        ? databaseUrl()
        : v.pipe(
            v.string(),
            v.check(() => false, message),
          ),
    ],
  ]
}

function readCells(given: NodeJS.ProcessEnv): CellSetting[] {
  const cells: CellSetting[] = []
  const faults: string[] = []
  for (const [variable, value = ''] of Object.entries(given)) {
    const { name, read } = cellSetting.exec(variable)?.groups ?? {}
    if (name === undefined) continue
    if (read === undefined)
      cells.push({ name: name.toLowerCase(), databaseUrl: value, databaseReadUrl: given[`CELL_${name}_READ_URL`] })
    else if (!given[`CELL_${name}_URL`]) faults.push(`${variable} is set but CELL_${name}_URL is not`)
  }
  if (faults.length > 0) throw new ConfigError(...faults)
  return cells.sort((a, b) => (a.name < b.name ? -1 : 1))
}

function tracingOf(settings: v.InferOutput<typeof Settings>): Sampling | undefined {
  const endpoint = settings.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? settings.OTEL_EXPORTER_OTLP_ENDPOINT
  const isOff = settings.OTEL_SDK_DISABLED.toLowerCase() === 'true' || settings.OTEL_TRACES_EXPORTER === 'none'
  if (endpoint === undefined || isOff) return undefined
  const sampler = settings.OTEL_TRACES_SAMPLER
  return {
    base: sampler.replace('parentbased_', '') as Sampling['base'],
    parentBased: sampler.startsWith('parentbased_'),
    ratio: settings.OTEL_TRACES_SAMPLER_ARG,
  }
}

/** A setting that a process needs. @throws ConfigError */
export function required(value: string | undefined, name: string): string {
  if (value === undefined) throw new ConfigError(`${name} is not set (npm start sets it for the embedded services)`)
  return value
}

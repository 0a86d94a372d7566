/**
 * The settings of every process, read from the environment and checked once at start. Nothing else may read
 * `process.env`.
 */
import { isIP } from 'node:net'
import * as v from 'valibot'
import { type Network, readNetworks } from './networks.ts'
import { faultOf } from './postgres/address.ts'
import { readRedisAddress } from './redis/address.ts'
import type { Sampling } from './tracing/tracing.ts'

/** Settings are missing or wrong: one line for the operator about each. */
export class ConfigError extends Error {
  override name = 'ConfigError'

  constructor(...faults: readonly string[]) {
    super(faults.join('\n'))
  }

  get faults(): readonly string[] {
    return this.message.split('\n')
  }
}

const port = (fallback: number) =>
  v.optional(
    v.pipe(
      v.string(),
      v.regex(/^\d{1,5}$/, 'must be a port number'),
      v.transform(Number),
      v.maxValue(65535, 'must be a port number'),
    ),
    String(fallback),
  )
const wholeNumber = (min: number, max: number) =>
  v.pipe(
    v.string(),
    v.regex(/^\d{1,9}$/, 'must be a whole number'),
    v.transform(Number),
    v.minValue(min, `must be ${min} or more`),
    v.maxValue(max, `must be ${max} or less`),
  )
/** An address to listen on. */
const address = () =>
  v.optional(
    v.pipe(
      v.string(),
      v.check(text => text === 'localhost' || isIP(text) !== 0, 'must be an IP address or localhost'),
    ),
    '127.0.0.1',
  )
const whole = (fallback: number, min: number, max: number) => v.optional(wholeNumber(min, max), String(fallback))
const url = (protocols: readonly string[]) =>
  v.pipe(
    v.string(),
    v.check(
      text => URL.canParse(text) && protocols.includes(new URL(text).protocol),
      `must be a URL that starts with ${protocols.map(p => `${p}//`).join(' or ')}`,
    ),
  )

const databaseUrl = () =>
  v.pipe(
    url(['postgres:', 'postgresql:']),
    v.rawCheck(({ dataset, addIssue }) => {
      const message = dataset.typed ? faultOf(dataset.value) : undefined
      if (message !== undefined) addIssue({ message })
    }),
  )

/** Comma-separated parts without white space, none empty. */
const parts = (text: string): string[] =>
  text
    .split(',')
    .map(part => part.trim())
    .filter(part => part !== '')

/** Keys of 32 bytes in base64 or hex, comma-separated; undefined when one is none. */
export function readSecretKeys(text: string): readonly Buffer[] | undefined {
  const keys = parts(text).map(part => Buffer.from(part, /^[0-9a-f]{64}$/i.test(part) ? 'hex' : 'base64'))
  return keys.length > 0 && keys.every(key => key.length === 32) ? keys : undefined
}

/** Enough to spread tenants over a dozen nodes; each shard costs a worker three connections. */
const CLUSTER_SHARDS = 16
const isCluster = (redisUrl: string | undefined): boolean =>
  redisUrl !== undefined && readRedisAddress(redisUrl)?.kind === 'cluster'

const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const

const Settings = v.object({
  DATABASE_URL: v.optional(databaseUrl()),
  DATABASE_READ_URL: v.optional(databaseUrl()),
  REDIS_URL: v.optional(
    v.pipe(
      v.string(),
      v.check(
        text => readRedisAddress(text) !== undefined,
        'must be a URL that starts with redis:// or rediss://, or for a cluster redis://host1:port1,host2:port2 (several nodes) or redis+cluster://host:port',
      ),
    ),
  ),
  SMTP_URL: v.optional(url(['smtp:', 'smtps:'])),
  MAIL_FROM: v.optional(
    v.pipe(v.string(), v.regex(/^[^\r\n][^\r\n@]*@[^\r\n]+$/, 'must be an e-mail address')),
    'Millrace <millrace@localhost>',
  ),
  WEBHOOK_ALLOWED_NETWORKS: v.optional(
    v.pipe(
      v.string(),
      v.check(
        text => parts(text).every(part => readNetworks(part) !== undefined),
        'must be a comma-separated list of networks (10.1.0.0/16), addresses, or the words loopback, private, link-local, unique-local, each on every port or on some (10.1.0.0/16:8080, loopback:9000-9100, [fd00::/8]:443)',
      ),
    ),
    '',
  ),
  WEBHOOK_SECRET_KEY: v.optional(
    v.pipe(
      v.string(),
      v.check(
        text => readSecretKeys(text) !== undefined,
        'must be 32 bytes in base64 or hex (openssl rand -base64 32); several, comma-separated, while changing it',
      ),
    ),
  ),
  HOST: address(),
  PORT: port(3000),
  ADMIN_HOST: address(),
  ADMIN_PORT: port(0),
  TRUST_PROXY: v.optional(v.picklist(['true', 'false'], 'must be true or false'), 'false'),
  LOG_LEVEL: v.optional(
    v.picklist(
      ['fatal', 'error', 'warn', 'info', 'debug', 'silent'],
      'must be one of fatal, error, warn, info, debug, silent',
    ),
    'info',
  ),
  MILLRACE_PROCESS: v.optional(v.string(), 'process'),
  MILLRACE_DATA: v.optional(v.string(), '.millrace'),
  DATABASE_POOL_SIZE: whole(10, 2, 200),
  HTTP_COMPRESSION: v.optional(v.picklist(['on', 'off'], 'must be on or off'), 'on'),
  HTTP_CONNECTIONS_MAX: whole(5_000, 10, 1_000_000),
  QUEUE_SHARDS: v.optional(wholeNumber(1, 256)),
  WORKER_CONCURRENCY: whole(64, 1, 1_000),
  COMMAND_BATCH_MAX: whole(16, 1, 32),
  COMMAND_DEADLINE_MS: whole(15_000, 100, 60_000),
  REPLAY_CACHE_SECONDS: whole(86_400, 60, 30 * 86_400),
  FREE_PLAN_VARIANTS_MAX: whole(50, 1, 1_000_000),
  WEBHOOK_SUBSCRIPTIONS_MAX: whole(100, 1, 1_000),
  WEBHOOK_DELIVERIES_PER_SECOND: whole(1_000, 1, 100_000),
  // Traces: whether and which. The exporter reads the rest of OpenTelemetry's variables itself.
  OTEL_EXPORTER_OTLP_ENDPOINT: v.optional(url(['http:', 'https:'])),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: v.optional(url(['http:', 'https:'])),
  OTEL_SDK_DISABLED: v.optional(v.string(), 'false'),
  OTEL_TRACES_EXPORTER: v.optional(v.picklist(['otlp', 'none'], 'must be otlp or none'), 'otlp'),
  OTEL_TRACES_SAMPLER: v.optional(
    v.picklist(samplers, `must be one of ${samplers.join(', ')}`),
    'parentbased_always_on',
  ),
  OTEL_TRACES_SAMPLER_ARG: v.optional(
    v.pipe(v.string(), v.regex(/^(?:0(?:\.\d+)?|1(?:\.0+)?)$/, 'must be a share between 0 and 1'), v.transform(Number)),
    '1',
  ),
})

/** A further cell (docs/decisions/0010), and its replica. */
export type CellSetting = {
  readonly name: string
  readonly databaseUrl: string
  readonly databaseReadUrl: string | undefined
}

export type Config = {
  /** Absent where the embedded services are to be used. */
  readonly databaseUrl: string | undefined
  readonly databaseReadUrl: string | undefined
  /** Beside that of DATABASE_URL: those of CELL_<NAME>_URL, by name. */
  readonly cells: readonly CellSetting[]
  /** One Redis, or a cluster: lib/redis/address.ts. */
  readonly redisUrl: string | undefined
  readonly smtpUrl: string | undefined
  /** Who the mails to tenants' owners come from. */
  readonly mailFrom: string
  /** Networks, and ports there, that webhooks may go to although they are not public; there over `http` too. */
  readonly webhookAllowedNetworks: readonly Network[]
  /** The first encrypts webhook secrets, all decrypt. Absent: a key of the data folder. */
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
  readonly dataFolder: string
  readonly databasePoolSize: number
  /** Whether answers are compressed for callers who take it. */
  readonly httpCompression: boolean
  /** Connections of callers to one server process. */
  readonly httpConnectionsMax: number
  /** Hash tags over which tenants are spread: by default 1 on a single Redis, 16 on a cluster. */
  readonly queueShards: number
  /** Tenants that one worker process drains at once. */
  readonly workerConcurrency: number
  readonly commandBatchMax: number
  readonly commandDeadlineMs: number
  /** How long Redis keeps an answer for replays; then the command log answers them. */
  readonly replayCacheSeconds: number
  readonly freePlanVariantsMax: number
  /** Of one tenant. Those that it has already stay. */
  readonly webhookSubscriptionsMax: number
  /** Of one tenant, that a webhook process begins; what is over waits. */
  readonly webhookDeliveriesPerSecond: number
  /** Absent: no traces. */
  readonly tracing: Sampling | undefined
}

/**
 * Reads and checks the settings. An empty variable counts as absent.
 * @throws ConfigError with a line for each that is wrong: the variable, the reason, and what was given.
 */
export function loadConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''))
  // Of one setting the first fault says enough.
  const cellSettings = Object.fromEntries(Object.keys(given).flatMap(cellSettingOf))
  const result = v.safeParse(v.object({ ...Settings.entries, ...cellSettings }), given, { abortPipeEarly: true })
  if (!result.success) {
    throw new ConfigError(
      ...result.issues.map(({ path, message }) => {
        const name = String(path?.[0]?.key)
        return `${name} ${message}, not ${shown(name, given[name] ?? '')}`
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
    dataFolder: settings.MILLRACE_DATA,
    databasePoolSize: settings.DATABASE_POOL_SIZE,
    httpCompression: settings.HTTP_COMPRESSION === 'on',
    httpConnectionsMax: settings.HTTP_CONNECTIONS_MAX,
    queueShards: settings.QUEUE_SHARDS ?? (isCluster(settings.REDIS_URL) ? CLUSTER_SHARDS : 1),
    workerConcurrency: settings.WORKER_CONCURRENCY,
    commandBatchMax: settings.COMMAND_BATCH_MAX,
    commandDeadlineMs: settings.COMMAND_DEADLINE_MS,
    replayCacheSeconds: settings.REPLAY_CACHE_SECONDS,
    freePlanVariantsMax: settings.FREE_PLAN_VARIANTS_MAX,
    webhookSubscriptionsMax: settings.WEBHOOK_SUBSCRIPTIONS_MAX,
    webhookDeliveriesPerSecond: settings.WEBHOOK_DELIVERIES_PER_SECOND,
    tracing: tracingOf(settings),
  }
}

/** The settings of a cell, by its name in capitals. */
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

const VALUE_LENGTH_MAX = 100

/** What was given for a setting, on one line and without what may be secret. */
function shown(name: string, value: string): string {
  if (name === 'WEBHOOK_SECRET_KEY') return `what is given (${value.length} characters, not shown)`
  if (/_(?:URL|ENDPOINT)$/.test(name)) return shownUrl(value)
  return JSON.stringify(value.length > VALUE_LENGTH_MAX ? `${value.slice(0, VALUE_LENGTH_MAX)}...` : value)
}

/** Scheme and host of a URL. Any other part may hold a password, or half of one: a `/`, `#` or `@` in it ends it early. */
function shownUrl(value: string): string {
  const url = value.includes('://') ? URL.parse(value) : null
  const isSure = url !== null && url.host !== '' && (url.username !== '' || url.password !== '' || !value.includes('@'))
  if (!isSure) return 'what is given (not shown, since it may hold a password)'
  return JSON.stringify(`${url.protocol}//${value.includes('@') ? '***@' : ''}${url.host}`)
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

/** A setting that a process cannot do without. @throws ConfigError */
export function required(value: string | undefined, name: string): string {
  if (value === undefined) throw new ConfigError(`${name} is not set (npm start sets it for the embedded services)`)
  return value
}

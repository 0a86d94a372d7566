/** The environment variables of every process, with form, bounds and default. config.ts reads them. */
import { isIP } from 'node:net'
import * as v from 'valibot'
import { readNetworks } from './networks.ts'
import { faultOf } from './postgres/address.ts'
import { readRedisAddress } from './redis/address.ts'

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

export const databaseUrl = () =>
  v.pipe(
    url(['postgres:', 'postgresql:']),
    v.rawCheck(({ dataset, addIssue }) => {
      const message = dataset.typed ? faultOf(dataset.value) : undefined
      if (message !== undefined) addIssue({ message })
    }),
  )

/** Comma-separated parts without white space, none empty. */
export const parts = (text: string): string[] =>
  text
    .split(',')
    .map(part => part.trim())
    .filter(part => part !== '')

/** An origin in the form of the header `Origin`, or `*`. */
const isOrigin = (text: string): boolean => text === '*' || (URL.canParse(text) && new URL(text).origin === text)

/** Keys of 32 bytes in base64 or hex, comma-separated; undefined when one is invalid. */
export function readSecretKeys(text: string): readonly Buffer[] | undefined {
  const keys = parts(text).map(part => Buffer.from(part, /^[0-9a-f]{64}$/i.test(part) ? 'hex' : 'base64'))
  return keys.length > 0 && keys.every(key => key.length === 32) ? keys : undefined
}

const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const

export const Settings = v.object({
  DATABASE_URL: v.optional(databaseUrl()),
  DATABASE_READ_URL: v.optional(databaseUrl()),
  REDIS_URL: v.optional(
    v.pipe(
      v.string(),
      v.check(
        text => readRedisAddress(text) !== undefined,
        'must be a URL that starts with redis:// or rediss:// and names its database, if any, by a number (redis://host:6379/0), or for a cluster redis://host1:port1,host2:port2 (several nodes) or redis+cluster://host:port',
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
  MILLRACE_BUILD: v.optional(
    v.pipe(v.string(), v.regex(/^[\w.+-]{0,64}$/, 'must be 64 letters, digits or . _ + - at most (a commit)')),
    '',
  ),
  MILLRACE_DATA: v.optional(v.string(), '.millrace'),
  DATABASE_POOL_SIZE: whole(10, 2, 200),
  HTTP_COMPRESSION: v.optional(v.picklist(['on', 'off'], 'must be on or off'), 'on'),
  CORS_ORIGINS: v.optional(
    v.pipe(
      v.string(),
      v.check(
        text => parts(text).every(isOrigin),
        'must be a comma-separated list of origins (https://shop.example), or *',
      ),
    ),
    '',
  ),
  HTTP_CONNECTIONS_MAX: whole(5_000, 10, 1_000_000),
  QUEUE_SHARDS: v.optional(wholeNumber(1, 256)),
  WORKER_CONCURRENCY: whole(64, 1, 1_000),
  COMMAND_BATCH_MAX: whole(16, 1, 32),
  COMMAND_DEADLINE_MS: whole(15_000, 100, 60_000),
  RECONCILE_AT: v.optional(
    v.pipe(v.string(), v.regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'must be an hour and a minute of UTC (02:30)')),
  ),
  RECONCILE_SHARE: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^(?:0?\.\d{1,3}|1(?:\.0+)?)$/, 'must be a share between 0.001 and 1'),
      v.transform(Number),
      v.minValue(0.001, 'must be a share between 0.001 and 1'),
    ),
    '0.2',
  ),
  REPLAY_CACHE_SECONDS: whole(3_600, 60, 30 * 86_400),
  FREE_PLAN_VARIANTS_MAX: whole(50, 1, 1_000_000),
  WEBHOOK_SUBSCRIPTIONS_MAX: whole(100, 1, 1_000),
  WEBHOOK_DELIVERIES_PER_SECOND: whole(1_000, 1, 100_000),
  // Whether there are traces, and which. The exporter itself reads OpenTelemetry's other variables.
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

/** What is said about settings that are wrong: of each one, with what was given, and never what is secret. */
import { loadConfig } from '../../lib/platform/config.ts'
import { ConfigError } from '../../lib/platform/config-error.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

const faultsOf = (env: NodeJS.ProcessEnv): readonly string[] => {
  try {
    loadConfig(env)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.faults
    throw error
  }
}

test('all wrong settings are named at once, one line each, with what was given', t => {
  t.deepEqual(
    faultsOf({
      PORT: '70000',
      HOST: 'example.com',
      TRUST_PROXY: 'yes',
      WORKER_CONCURRENCY: '0',
      MAIL_FROM: 'two\nlines',
      WEBHOOK_ALLOWED_NETWORKS: '10.0.0.0/8,lan',
      LOG_LEVEL: 'x'.repeat(10_000),
      DATABASE_POOL_SIZE: '20',
    }),
    [
      'MAIL_FROM must be an e-mail address, not "two\\nlines"',
      'WEBHOOK_ALLOWED_NETWORKS must be a comma-separated list of networks (10.1.0.0/16), addresses, or the words loopback, private, link-local, unique-local, each on every port or on some (10.1.0.0/16:8080, loopback:9000-9100, [fd00::/8]:443), not "10.0.0.0/8,lan"',
      'HOST must be an IP address or localhost, not "example.com"',
      'PORT must be a port number, not "70000"',
      'TRUST_PROXY must be true or false, not "yes"',
      `LOG_LEVEL must be one of fatal, error, warn, info, debug, silent, not "${'x'.repeat(100)}..."`,
      'WORKER_CONCURRENCY must be 1 or more, not "0"',
    ],
  )
  t.deepEqual(faultsOf({ PORT: '', LOG_LEVEL: '' }), [])
})

test('of an address what leads there is shown, of what is no address nothing', t => {
  const shown = (name: string, value: string) => faultsOf({ [name]: value })[0]?.split(', not ')[1]
  t.is(shown('DATABASE_URL', 'mysql://app@db.example:3306/millrace'), '"mysql://***@db.example:3306"')
  t.is(shown('REDIS_URL', 'http://cache.example:6379'), '"http://cache.example:6379"')
  t.is(shown('SMTP_URL', 'https://mail.example/'), '"https://mail.example"')
})

test('no secret of a wrong setting is shown, however it is broken', t => {
  const secret = 'Hidden4Ever'
  const urls = [
    `mysql://user:${secret}@host/db`,
    `mysql://${secret}@host/db`,
    `mysql://host/db?password=${secret}`,
    `mysql://host/db#${secret}`,
    `postgres://user:x#${secret}@host/db`,
    `postgres://user:${secret}`,
    `postgres://user:/${secret}@host`,
    `mysql://user:1/${secret}@host`,
    `mysql://user@host/${secret}@host`,
    `postgres//user:${secret}@host/db`,
    `postgres:user:${secret}@host/db`,
    `user:${secret}@host/db`,
    `http://:${secret}@host`,
    `redis://:${secret}@host1:1,http://:${secret}@host2:2`,
    secret,
  ]
  const names = [
    'DATABASE_URL',
    'DATABASE_READ_URL',
    'REDIS_URL',
    'SMTP_URL',
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
  ]
  let refused = 0
  for (const name of names)
    for (const url of urls) {
      const faults = faultsOf({ [name]: url })
      refused += faults.length
      t.notRegex(faults.join('\n'), new RegExp(secret, 'i'), `${name}=${url}`)
    }
  t.true(refused > 50, `${refused}`)
  t.deepEqual(faultsOf({ WEBHOOK_SECRET_KEY: secret }), [
    'WEBHOOK_SECRET_KEY must be 32 bytes in base64 or hex (openssl rand -base64 32); several, comma-separated, while changing it, not what is given (11 characters, not shown)',
  ])
})

/** The messages about wrong settings: they name each one and its value, and never a secret. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { loadConfig } from '../../lib/platform/config.ts'
import { ConfigError } from '../../lib/platform/config-error.ts'
import { temporaryFolder } from '../support/servers.ts'
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

test('every secret setting can lie in a file, whose white space at the ends does not count', async t => {
  const folder = await temporaryFolder()
  const secret = async (name: string, text: string) => {
    await writeFile(join(folder, name), text)
    return join(folder, name)
  }
  const key = 'a'.repeat(64)
  const config = loadConfig({
    DATABASE_URL_FILE: await secret('main', 'postgres://m:first@db/millrace\n'),
    DATABASE_READ_URL_FILE: await secret('read', 'postgres://m:second@db/millrace'),
    REDIS_URL_FILE: await secret('redis', ' redis://:third@cache:6379\r\n'),
    SMTP_URL_FILE: await secret('mail', 'smtp://m:fourth@mail:587\n'),
    WEBHOOK_SECRET_KEY_FILE: await secret('key', `${key}\n`),
    CELL_EAST_URL_FILE: await secret('east', 'postgres://m:fifth@east/millrace\n'),
    CELL_EAST_READ_URL_FILE: await secret('east-read', 'postgres://m:sixth@east2/millrace\n'),
  })
  t.is(config.databaseUrl, 'postgres://m:first@db/millrace')
  t.is(config.databaseReadUrl, 'postgres://m:second@db/millrace')
  t.is(config.redisUrl, 'redis://:third@cache:6379')
  t.is(config.smtpUrl, 'smtp://m:fourth@mail:587')
  t.is(config.webhookSecretKeys?.[0]?.toString('hex'), key)
  t.deepEqual(config.cells, [
    {
      name: 'east',
      databaseUrl: 'postgres://m:fifth@east/millrace',
      databaseReadUrl: 'postgres://m:sixth@east2/millrace',
    },
  ])
  t.deepEqual(
    faultsOf({
      DATABASE_URL: 'postgres://db/millrace',
      DATABASE_URL_FILE: join(folder, 'main'),
      SMTP_URL_FILE: await secret('empty', '\n'),
      REDIS_URL_FILE: '/none/there',
    }),
    [
      'DATABASE_URL_FILE is set beside DATABASE_URL: set one of them',
      `SMTP_URL_FILE names an empty file, "${folder}/empty"`,
      'REDIS_URL_FILE names a file that cannot be read (ENOENT), "/none/there"',
    ],
  )
  const wrong = faultsOf({ DATABASE_URL_FILE: await secret('wrong', 'mysql://m:Hidden4Ever@db') })
  t.deepEqual(wrong, ['DATABASE_URL must be a URL that starts with postgres:// or postgresql://, not "mysql://***@db"'])
})

test('a misspelt setting is named with the nearest one; other variables are left alone', t => {
  const misspelt = (...names: string[]) => loadConfig(Object.fromEntries(names.map(name => [name, 'x']))).misspelt
  t.deepEqual(misspelt('DATABASE_POOL_SZIE', 'WEBHOOK_ALOWED_NETWORKS', 'log_level', 'REDIS_URI', 'SMTP_URL_FIEL'), [
    'DATABASE_POOL_SZIE is no setting; the nearest one is DATABASE_POOL_SIZE',
    'WEBHOOK_ALOWED_NETWORKS is no setting; the nearest one is WEBHOOK_ALLOWED_NETWORKS',
    'log_level is no setting; the nearest one is LOG_LEVEL',
    'REDIS_URI is no setting; the nearest one is REDIS_URL',
    'SMTP_URL_FIEL is no setting; the nearest one is SMTP_URL_FILE',
  ])
  const others = ['PATH', 'HOME', 'HOSTNAME', 'PWD', 'POST', 'SHLVL', 'NODE_ENV', 'PGHOST', 'OTEL_SERVICE_NAME']
  // The variables that Kubernetes sets for a service called millrace, and those of Compose and of the command line.
  const ours = ['MILLRACE_PORT', 'MILLRACE_SERVICE_HOST', 'MILLRACE_OPERATOR', 'MILLRACE_URL', 'MILLRACE_TOKEN']
  t.deepEqual(misspelt(...others, ...ours, 'MILLRACE_BIND', 'MILLRACE_MEMORY', 'REDIS_PORT', 'REDIS_MAXMEMORY'), [])
})

test('a misspelt parameter of an address is refused with the nearest one: the tables would be those of another schema', t => {
  const fault = (query: string) => faultsOf({ DATABASE_URL: `postgres://db/millrace?${query}` })[0]
  t.is(fault('shema=west'), 'DATABASE_URL has a parameter "shema"; the nearest one is schema, not "postgres://db"')
  t.regex(fault('schema=west&cittus=on') ?? '', /"cittus"; the nearest one is citus/)
  t.regex(fault('sslmdoe=verify-full') ?? '', /"sslmdoe"; the nearest one is sslmode/)
  t.is(fault('schema=west&connect_timeout=3&application_name=a&options=-c%20work_mem%3D8MB'), undefined)
})

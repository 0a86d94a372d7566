/** TLS to PostgreSQL with the modes of libpq: with a server whose certificate a private authority signed, and with one without TLS. */
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as v from 'valibot'
import { loadConfig } from '../../lib/platform/config.ts'
import { openClient } from '../../lib/platform/postgres/client.ts'
import { isDependencyFailure } from '../../lib/platform/postgres/failures.ts'
import { createPool, rows } from '../../lib/platform/postgres/postgres.ts'
import { RoundTripPool } from '../../lib/platform/postgres/round-trip-pool.ts'
import { authority } from '../support/certificates.ts'
import { benchOfFile, ofTests } from '../support/of-file.ts'
import { temporaryFolder } from '../support/servers.ts'
import { testsOf } from '../support/suite.ts'
import { tlsPostgres } from '../support/tls-postgres.ts'

const test = testsOf(import.meta)

const services = await benchOfFile()
const [ours, foreign] = [await authority(), await authority()]
const server = ofTests(test, () => tlsPostgres(ours))

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

type Parameters = Record<string, string>

/** The state of a connection: `tls`, `plain`, or why there is none. */
async function outcome(url: string): Promise<string> {
  try {
    const { client, end } = await openClient(url)
    const found = await client.query('select ssl from pg_stat_ssl where pid = pg_backend_pid()')
    await end()
    return found.rows[0].ssl ? 'tls' : 'plain'
  } catch (error) {
    return isDependencyFailure(error) ? (error as Error).message : `no failure of a dependency: ${error}`
  }
}

const withoutTls = (parameters: Parameters) => {
  const url = new URL(services.databaseUrl)
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url.href
}

const [untrusted, wrongHost, none] = [/certificate/, /altnames/, /does not support SSL/]
const right = { sslrootcert: ours.cert }
const wrong = { sslrootcert: foreign.cert }

// The same as psql 15 does with these parameters, except for verify-full without sslrootcert, which psql refuses without
// ~/.postgresql/root.crt.
const modes: { parameters: Parameters; here: string | RegExp; elsewhere: string | RegExp; without: string | RegExp }[] =
  [
    { parameters: {}, here: 'tls', elsewhere: 'tls', without: 'plain' },
    { parameters: right, here: 'tls', elsewhere: 'tls', without: 'plain' },
    { parameters: wrong, here: 'plain', elsewhere: 'plain', without: 'plain' },
    { parameters: { sslmode: 'disable', ...wrong }, here: 'plain', elsewhere: 'plain', without: 'plain' },
    { parameters: { sslmode: 'allow' }, here: 'plain', elsewhere: 'plain', without: 'plain' },
    { parameters: { sslmode: 'prefer' }, here: 'tls', elsewhere: 'tls', without: 'plain' },
    { parameters: { sslmode: 'prefer', ...wrong }, here: 'plain', elsewhere: 'plain', without: 'plain' },
    { parameters: { sslmode: 'require' }, here: 'tls', elsewhere: 'tls', without: none },
    { parameters: { sslmode: 'require', ...right }, here: 'tls', elsewhere: 'tls', without: none },
    { parameters: { sslmode: 'require', ...wrong }, here: untrusted, elsewhere: untrusted, without: none },
    { parameters: { sslmode: 'verify-ca', ...right }, here: 'tls', elsewhere: 'tls', without: none },
    { parameters: { sslmode: 'verify-ca', ...wrong }, here: untrusted, elsewhere: untrusted, without: none },
    { parameters: { sslmode: 'verify-full', ...right }, here: 'tls', elsewhere: wrongHost, without: none },
    { parameters: { sslmode: 'verify-full', ...wrong }, here: untrusted, elsewhere: untrusted, without: none },
    { parameters: { sslmode: 'verify-full' }, here: untrusted, elsewhere: untrusted, without: none },
    { parameters: { sslrootcert: 'system' }, here: untrusted, elsewhere: untrusted, without: none },
    { parameters: { ssl: 'true' }, here: 'tls', elsewhere: 'tls', without: none },
  ]

for (const { parameters, here, elsewhere, without } of modes) {
  const words = Object.entries(parameters).map(([name, value]) => {
    const meaning =
      new Map([
        [ours.cert, 'OURS'],
        [foreign.cert, 'FOREIGN'],
      ]).get(value) ?? value
    return `${name}=${meaning}`
  })
  test(`${words.join('&') || 'no sslmode'}: the right host, another name of it, and a server without TLS`, async t => {
    for (const [url, expected] of [
      [server.url(parameters), here],
      [server.url(parameters, { host: '127.0.0.1' }), elsewhere],
      [withoutTls(parameters), without],
    ] as const) {
      const found = await outcome(url)
      if (typeof expected === 'string') t.is(found, expected)
      else t.regex(found, expected)
    }
  })
}

test('allow and prefer go the other way where the server refuses the first', async t => {
  const as = (user: string, sslmode: string) => outcome(server.url({ sslmode }, { user }))
  t.is(await as('with_tls', 'allow'), 'tls')
  t.is(await as('without_tls', 'prefer'), 'plain')
  t.regex(await as('with_tls', 'disable'), /pg_hba.conf/)
  t.regex(await as('without_tls', 'require'), /pg_hba.conf/)
})

test('a client shows its certificate', async t => {
  const { cert, key } = await ours.issue({ subject: '/CN=by_certificate' })
  const as = (parameters: Parameters) =>
    outcome(server.url({ sslmode: 'require', ...parameters }, { user: 'by_certificate' }))
  t.is(await as({ sslcert: cert, sslkey: key }), 'tls')
  t.regex(await as({}), /certificate/)
})

test('pools of both kinds open what the address asks for', async t => {
  const limits = { size: 1, statementTimeoutMs: 5_000, idleInTransactionTimeoutMs: 5_000 }
  const isTls = 'select ssl from pg_stat_ssl where pid = pg_backend_pid()'
  for (const [sslmode, expected] of [
    ['verify-full', true],
    ['prefer', true],
    ['disable', false],
  ] as const) {
    const url = server.url({ sslmode, ...right })
    const pool = await createPool(url, limits)
    t.deepEqual(
      await pool.one(rows(v.object({ ssl: v.boolean() }))`select ssl from pg_stat_ssl where pid = pg_backend_pid()`),
      { ssl: expected },
    )
    await pool.end()
    const trips = new RoundTripPool(url, { ...limits, typed: true })
    t.deepEqual(await trips.use(connection => connection.send([{ text: isTls, values: [] }])), [[{ ssl: expected }]])
    await trips.end()
  }
  const wrongly = server.url({ sslmode: 'verify-full', ...wrong })
  await t.throwsAsync(createPool(wrongly, limits), { message: untrusted })
})

test('connections are opened in one place, and beside it to ask after a silent one', async t => {
  const files = []
  for (const folder of ['bin', 'lib', 'server', 'workers'])
    for (const name of await readdir(join(ROOT, folder), { recursive: true }))
      if (name.endsWith('.ts') && /new (?:pg\.)?Client\(/.test(await readFile(join(ROOT, folder, name), 'utf8')))
        files.push(`${folder}/${name}`)
  t.deepEqual(files, ['lib/platform/postgres/client.ts', 'lib/platform/postgres/silence.ts'])
})

const faultOf = (parameters: string, env: NodeJS.ProcessEnv = {}): string => {
  try {
    loadConfig({ DATABASE_URL: `postgres://user:Hidden4Ever@db.example/db${parameters}`, ...env })
    return 'none'
  } catch (error) {
    return (error as Error).message
  }
}

test('what an address says wrongly of TLS is one line, without the password', async t => {
  const garbage = join(await temporaryFolder(), 'garbage.pem')
  await writeFile(garbage, 'no certificate')
  const { cert, key } = await ours.issue({})
  const { key: another } = await ours.issue({})
  const cases: [string, RegExp][] = [
    [
      '?sslmode=strict',
      /^DATABASE_URL must say sslmode=disable, allow, prefer, require, verify-ca or verify-full, not "/,
    ],
    ['?ssl=yes', /^DATABASE_URL must say sslmode=disable, /],
    [
      '?sslmode=verify-ca',
      /^DATABASE_URL must name a file of certificates in sslrootcert beside sslmode=verify-ca, not/,
    ],
    [
      '?sslmode=require&sslrootcert=system',
      /^DATABASE_URL must say sslmode=verify-full beside sslrootcert=system, not/,
    ],
    ['?sslrootcert=/nowhere.pem', /^DATABASE_URL must name a file that can be read in sslrootcert \(ENOENT: .*\), not/],
    [`?sslrootcert=${garbage}`, /^DATABASE_URL must name certificates in sslrootcert \(.*\), not/],
    [`?sslcert=${cert}`, /^DATABASE_URL must name both sslcert and sslkey, or neither, not/],
    [
      `?sslcert=${cert}&sslkey=${another}`,
      /^DATABASE_URL must name a certificate in sslcert and its key in sslkey \(.*\), not/,
    ],
    ['?sslmode=require&sslcrl=/crl.pem', /^DATABASE_URL must say of TLS no more than .*: sslcrl is not known, not/],
    [`?sslmode=require&sslcert=${cert}&sslkey=${key}`, /^none$/],
    ['?sslrootcert=system', /^none$/],
  ]
  for (const [parameters, expected] of cases) {
    const fault = faultOf(parameters)
    t.regex(fault, expected)
    t.notRegex(fault, /Hidden4Ever|\n/)
  }
})

test('variables of libpq say what an address leaves out, for every cell', t => {
  const address = 'postgres://user@db.example/db'
  const { databaseUrl, databaseReadUrl, cells } = loadConfig({
    DATABASE_URL: address,
    DATABASE_READ_URL: `${address}?sslmode=disable`,
    CELL_EAST_URL: `${address}?schema=east`,
    PGSSLMODE: 'verify-full',
    PGSSLROOTCERT: ours.cert,
  })
  const said = (url = '') => Object.fromEntries(new URL(url).searchParams)
  const both = { sslmode: 'verify-full', sslrootcert: ours.cert }
  t.deepEqual(said(databaseUrl), both)
  t.deepEqual(said(databaseReadUrl), { ...both, sslmode: 'disable' })
  t.deepEqual(said(cells[0]?.databaseUrl), { schema: 'east', ...both })
  t.regex(faultOf('', { PGSSLMODE: 'strict' }), /^DATABASE_URL must say sslmode=/)
})

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findKeys } from '../../lib/access/stored-keys.ts'
import { generateToken, hashToken } from '../../lib/access/token.ts'
import { scopes } from '../../lib/nouns.ts'
import { statement } from '../../lib/platform/postgres/postgres.ts'
import { runCommandLine } from '../../lib/tools/cli/main.ts'
import { serviceOfFile } from '../support/of-file.ts'
import { columns } from '../support/records.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

const service = await serviceOfFile()
const { pool } = service
const root = await mkdtemp(join(tmpdir(), 'millrace-cli-'))
test.after.always(() => rm(root, { recursive: true }))

const both = { DATABASE_URL: service.databaseUrl, REDIS_URL: service.redisUrl }

/** Runs a command line as typed. It has no quotes: `+` is a space within a word. */
async function run(line: string, env: NodeJS.ProcessEnv = both) {
  const out: string[] = []
  const err: string[] = []
  const status = await runCommandLine(
    line
      .split(' ')
      .filter(Boolean)
      .map(word => word.replaceAll('+', ' ')),
    { env, root, out: text => out.push(text), err: text => err.push(text) },
  )
  return { status, out: out.join('\n'), err: err.join('\n') }
}

async function json(line: string): Promise<Record<string, unknown>> {
  const { status, out, err } = await run(`${line} --json`)
  if (status !== 0) throw new Error(err)
  return JSON.parse(out) as Record<string, unknown>
}

/** The key of a token as the access check finds it. */
async function keyOf(token: unknown) {
  const hash = hashToken(String(token))
  return (await findKeys(pool, [hash])).get(hash)
}

const newTenant = async () =>
  String((await json('tenant create --name Acme+Ltd --owner-email owner@acme.example'))['tenant_id'])

test('a tenant is created on the free plan in euros, and listed', async t => {
  const created = await json('tenant create --name Acme+Ltd --owner-email owner@acme.example')
  t.deepEqual(Object.keys(created), ['tenant_id'])
  t.regex(String(created['tenant_id']), /^\d+$/)
  const { tenants } = (await json('tenant list')) as { tenants: Record<string, unknown>[] }
  const listed = tenants.find(tenant => tenant['tenant_id'] === created['tenant_id'])
  t.like(listed, { name: 'Acme Ltd', plan: 'free', currency: 'EUR', closed_through: null })
  const { out } = await run('tenant list')
  t.regex(out, /^TENANT +NAME +OWNER/)
  t.regex(out, new RegExp(`^${created['tenant_id']} +Acme Ltd +owner@acme.example +free +EUR +UTC +- +\\d{4}-`, 'm'))
})

test('a tenant has a time zone of the IANA base, shown as given; an offset or another text is refused', async t => {
  const made = await json('tenant create --name Acme+Ltd --owner-email owner@acme.example --time-zone Pacific/Niue')
  const change = (zone: string) => run(`tenant update ${made['tenant_id']} --time-zone ${zone}`)
  t.regex((await change('US/Eastern')).out, /, EUR, US\/Eastern; /)
  for (const zone of ['01:00', 'Nowhere/Town', 'Z', 'posix/UTC']) {
    const { status, err } = await change(zone)
    t.is(status, 1, zone)
    t.true(err.includes(`--time-zone ${zone} is no time zone of the IANA base`), err)
  }
  const { tenants } = (await json('tenant list')) as { tenants: Record<string, unknown>[] }
  t.like(
    tenants.find(({ tenant_id }) => tenant_id === made['tenant_id']),
    { time_zone: 'US/Eastern' },
  )
  t.is((await run('tenant create --name A --owner-email a@b.example --time-zone Nowhere')).status, 1)
})

test('a tenant is changed in what is named, suspended and resumed', async t => {
  const tenantId = await newTenant()
  const before = { tenant_id: tenantId, name: 'Acme Ltd', owner_email: 'owner@acme.example', plan: 'free' }
  t.like(await json(`tenant update ${tenantId} --plan pro`), { ...before, plan: 'pro', suspended_at: null })
  // `tenant update` names the tenant as every other command does.
  const changed = await run(`tenant update --tenant ${tenantId} --name Acme+Inc --owner-email books@acme.example`)
  t.is(changed.out, `Tenant ${tenantId}: Acme Inc, books@acme.example, plan pro, EUR, UTC; its keys are served`)
  t.regex((await run(`tenant update ${tenantId} --suspend`)).out, /; suspended since \d{4}-\d\d-\d\d \d\d:\d\d UTC$/)
  const listed = await run('tenant list')
  t.regex(listed.out, /SUSPENDED \(UTC\)\n/)
  const day = '\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d'
  t.regex(listed.out, new RegExp(`^${tenantId} +Acme Inc +books@acme.example +pro +EUR +UTC +- +${day} +${day}$`, 'm'))
  t.like(await json(`tenant update ${tenantId} --resume`), { name: 'Acme Inc', plan: 'pro', suspended_at: null })
})

test('a key is issued with all scopes and the default limits', async t => {
  const tenantId = await newTenant()
  const issued = await json(`key issue --tenant ${tenantId}`)
  t.deepEqual(Object.keys(issued), ['key_id', 'token'])
  const key = await keyOf(issued['token'])
  t.like(key?.access, {
    tenantId,
    keyId: String(issued['key_id']),
    userName: 'owner@acme.example',
    ratePerMinute: 600,
    burst: 100,
    dailyDocuments: 500,
  })
  t.deepEqual([...(key?.access.scopes ?? [])], [...scopes])
  t.is(key?.expiresAt, null)
})

test('a key is issued with what is asked for', async t => {
  const tenantId = await newTenant()
  const { token } = await json(
    `key issue --tenant ${tenantId} --name Sync --user Jane+Doe --scopes read:stock,read:sales --rate-per-minute 60 --burst 5 --daily-documents 0 --expires-at 2099-01-01`,
  )
  const key = await keyOf(token)
  t.like(key?.access, { keyName: 'Sync', userName: 'Jane Doe', ratePerMinute: 60, burst: 5, dailyDocuments: 0 })
  t.deepEqual(key?.access.scopes, new Set(['read:sales', 'read:stock']))
  t.is(key?.expiresAt, Date.parse('2099-01-01T00:00:00Z'))
})

test('a token is printed when it is made and never again', async t => {
  const tenantId = await newTenant()
  const { out } = await run(`key issue --tenant ${tenantId}`)
  const token = /mrk_\w{38}/.exec(out)?.[0]
  t.truthy(token)
  const listed = await run(`key list --tenant ${tenantId}`)
  t.regex(listed.out, /^KEY +NAME .*\n\d+ +API key +owner@acme.example +valid +600 +100 +500 .* all$/)
  const asJson = await run(`key list --tenant ${tenantId} --json`)
  t.false((listed.out + asJson.out).includes('mrk_'))
})

test('a key list tells when each key was last used, to the second', async t => {
  const tenantId = await newTenant()
  const [used, unused] = [await json(`key issue --tenant ${tenantId}`), await json(`key issue --tenant ${tenantId}`)]
  const keyId = String(used['key_id'])
  const day = Math.floor(Date.now() / 86_400_000)
  const lastUse = async () => {
    const { keys } = (await json(`key list --tenant ${tenantId}`)) as {
      keys: { key_id: string; last_used_at: string | null }[]
    }
    t.is(keys.find(({ key_id }) => key_id === unused['key_id'])?.last_used_at, null)
    return keys.find(({ key_id }) => key_id === keyId)?.last_used_at?.slice(11)
  }
  await pool.query(statement`
    insert into security_hours (tenant_id, hour, key_id, metric, method, route, total, seconds)
    select ${tenantId}::bigint, ${24 * day} + hour, ${keyId}::bigint, metric, '', '', 2, array[7, 100 * hour + metric]
    from generate_series(8, 9) hour, generate_series(0, 1) metric`)
  t.is(await lastUse(), '09:15:01.000Z')
  await pool.query(statement`
    insert into security_recent (tenant_id, hour, batch, place, second, key_id, metric, method, route, count)
    select ${tenantId}::bigint, ${24 * day + 10}, 1, place, 60 - place, ${keyId}::bigint, 0, '', '', 1
    from generate_series(1, 2) place`)
  t.is(await lastUse(), '10:00:59.000Z')
  t.regex((await run(`key list --tenant ${tenantId}`)).out, /LAST USE \(UTC\)/)
})

test('a key is revoked and rotated', async t => {
  const tenantId = await newTenant()
  const first = await json(`key issue --tenant ${tenantId}`)
  const second = await json(`key rotate ${first['key_id']} --overlap-seconds 60`)
  t.deepEqual(Object.keys(second), ['key_id', 'token'])
  t.not(second['token'], first['token'])
  const inWords = `Key ${first['key_id']} (API key) of tenant ${tenantId} (Acme Ltd)`
  t.is((await run(`key revoke ${first['key_id']}`)).out, `${inWords} is revoked.`)
  const again = await run(`key revoke ${first['key_id']}`)
  t.is(again.status, 0)
  t.regex(again.out.replace(inWords, ''), /^ was revoked already, at \d{4}-\d\d-\d\d \d\d:\d\d UTC\.$/)
  t.like(await json(`key revoke ${first['key_id']}`), {
    key_id: first['key_id'],
    tenant_id: tenantId,
    name: 'API key',
    revoked: true,
    was_revoked: true,
  })
  const { keys } = (await json(`key list --tenant ${tenantId}`)) as { keys: { key_id: string; status: string }[] }
  t.deepEqual(columns(keys, 'key_id', 'status'), [
    [first['key_id'], 'revoked'],
    [second['key_id'], 'valid'],
  ])
})

test('a key is updated in what is named; one that is revoked is not', async t => {
  const tenantId = await newTenant()
  const { key_id } = await json(`key issue --tenant ${tenantId} --scopes read:stock`)
  const { key_id: successor } = await json(`key rotate ${key_id}`)
  const change = '--name Shop+sync --user Jane --burst 7 --daily-documents 9 --expires-at 2099-01-01'
  const { out, err } = await run(`key update ${key_id} ${change}`)
  t.is(err, '')
  t.regex(
    out,
    new RegExp(`^Key ${key_id} \\(Shop sync\\) of tenant ${tenantId} \\(Acme Ltd\\) is changed\\.\n\nKEY +NAME`),
  )
  t.regex(out, /\d+ +Shop sync +Jane +valid +600 +7 +9 .* 2099-01-01 00:00 .* read:stock$/m)
  t.true(out.endsWith(`The daily documents are those of key ${successor} too: one quota for rotated keys.`))
  t.like(await json(`key update ${key_id} --scopes read:sales --rate-per-minute 5 --expires-at never`), {
    tenant_id: tenantId,
    key_id,
    scopes: ['read:sales'],
    rate_per_minute: 5,
    burst: 7,
    expires_at: null,
    same_quota: [],
  })
  t.regex((await run(`key update ${key_id} --expires-at 2020-01-01`)).err, /the key has expired, at 2020-01-01/)
  await run(`key revoke ${key_id}`)
  const refused = await run(`key update ${key_id} --burst 8`)
  t.is(refused.status, 1)
  t.regex(refused.err, new RegExp(`^millrace key update: Key ${key_id} \\(Shop sync\\) .* was revoked at .* for good$`))
})

test('a key is revoked while Redis is away, with a warning', async t => {
  const { key_id, token } = await json(`key issue --tenant ${await newTenant()}`)
  for (const redisUrl of ['redis://127.0.0.1:1', '']) {
    const { status, err } = await run(`key revoke ${key_id}`, { ...both, REDIS_URL: redisUrl })
    t.is(status, 0)
    t.regex(err, /Redis was not told .*; servers notice within 5 seconds/)
  }
  t.true((await keyOf(token))?.revoked)
})

test('a period is closed through a day that is not in the future, and opened', async t => {
  const tenantId = await newTenant()
  const today = new Date().toISOString().slice(0, 10)
  t.deepEqual(await json(`period close --tenant ${tenantId} --through ${today}`), {
    tenant_id: tenantId,
    closed_through: today,
  })
  const future = await run(`period close --tenant ${tenantId} --through 2999-01-01`)
  t.is(future.status, 1)
  t.regex(future.err, /in the future/)
  t.deepEqual(await json(`period open --tenant ${tenantId}`), { tenant_id: tenantId, closed_through: null })
})

test('a migrated database is up to date', async t => {
  t.deepEqual(await json('migrate'), { applied: [] })
})

test('what is not there is refused with 1 and the reason on standard error', async t => {
  const refused = [
    'tenant update 999999999 --plan pro',
    'key issue --tenant 999999999',
    'key list --tenant 999999999',
    'key update 999999999 --burst 1',
    'key revoke 999999999',
    'key rotate 999999999',
    'period close --tenant 999999999 --through 2020-01-01',
    'period open --tenant 999999999',
  ]
  for (const line of refused) {
    const { status, out, err } = await run(line)
    t.is(status, 1, line)
    t.is(out, '')
    t.regex(err, /^millrace \w+ \w+: there is no [\w ]+999999999/)
  }
})

test('a wrong command line is 2 and names the option', async t => {
  const tenant = 'tenant create --owner-email a@b.example --name'
  const key = 'key issue --tenant 1'
  const close = 'period close --tenant 1 --through'
  const wrong: [string, RegExp][] = [
    ['', /Usage/],
    ['nonsense', /no such command/],
    ['key', /key issue/],
    ['tenant create', /--name is required/],
    ['tenant create --name Acme', /--owner-email is required/],
    ['tenant create --name Acme --owner-email nobody', /--owner-email must be an e-mail address/],
    [`${tenant} +`, /--name must not be empty/],
    [`${tenant} Acme --plan gold`, /--plan must be one of free, pro/],
    [`${tenant} Acme --currency XYZ`, /--currency must be an ISO 4217/],
    [`${tenant} Acme --colour red`, /--colour/],
    [`${tenant} Acme Ltd`, /Ltd: one argument too many/],
    ['tenant update --plan pro', /--tenant is required/],
    ['tenant update 1 --tenant 2 --plan pro', /name the tenant once: --tenant ID/],
    ['tenant update --tenant x --plan pro', /--tenant must be a whole number/],
    ['tenant update 1', /name something to change/],
    ['tenant update 1 --suspend --resume', /exclude each other/],
    ['tenant update 1 --plan gold', /--plan must be one of free, pro/],
    ['key issue --tenant one', /--tenant must be a whole number/],
    [`${key} --burst 0`, /--burst must be a whole number between 1 and/],
    [`${key} --burst`, /--burst/],
    [`${key} --rate-per-minute 1.5`, /--rate-per-minute/],
    [`${key} --daily-documents=-1`, /--daily-documents/],
    [`${key} --scopes read:stock,read:all`, /read:all is no scope; .*read:catalog/],
    [`${key} --expires-at tomorrow`, /--expires-at must be an ISO-8601/],
    ['key update 1', /name something to change: --name, .*--expires-at/],
    ['key update 1 --burst 0', /--burst must be/],
    ['key update 1 --expires-at tomorrow', /--expires-at must be/],
    ['key revoke', /ID is required/],
    ['key revoke one', /ID must be a whole number/],
    [`${close} 2026-02-30`, /--through must be a calendar day/],
    [`${close} 2026-10-31T00:00:00Z`, /--through must be a calendar day/],
  ]
  for (const [line, message] of wrong) {
    const { status, out, err } = await run(line)
    t.is(status, 2, line)
    t.is(out, '', line)
    t.regex(err, message)
  }
})

test('the version is that of the package, with nothing set', async t => {
  const { version } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8'))
  t.deepEqual(await run('--version', {}), { status: 0, out: `millrace ${version}`, err: '' })
  t.deepEqual(JSON.parse((await run('--version --json', {})).out), { version })
  t.is((await run('--version key list', {})).status, 2)
})

test('each command has help with its options and an example', async t => {
  const list = await run('--help')
  t.is(list.status, 0)
  const names = [...list.out.matchAll(/^ {2}(\w+(?: \w+)?) {2,}\S/gm)].map(match => match[1] ?? '')
  t.true(names.includes('key issue'))
  for (const name of names) {
    const { status, out } = await run(`${name} --help`)
    t.is(status, 0, name)
    t.regex(out, new RegExp(`Usage: bin/millrace ${name}[\\s\\S]*Examples?:\n {2}bin/millrace ${name}`))
  }
})

test('without DATABASE_URL the service that runs here is found through run.json', async t => {
  const folder = await mkdtemp(join(root, 'data-'))
  const env = { MILLRACE_DATA: folder }
  const nothing = await run('tenant list', env)
  t.is(nothing.status, 1)
  t.regex(nothing.err, /^[^\n]*set DATABASE_URL, or start the service with npm start[^\n]*$/)
  const runs = {
    base_url: 'http://127.0.0.1:1',
    database_url: service.databaseUrl,
    redis_url: service.redisUrl,
    processes: [],
  }
  await writeFile(join(folder, 'run.json'), JSON.stringify(runs))
  t.is((await run('tenant list', env)).status, 0)
  await writeFile(join(folder, 'run.json'), '{')
  t.regex((await run('tenant list', env)).err, /run\.json is damaged/)
})

test('a database that does not answer, or a setting that is wrong, is one line and 1', async t => {
  const away = await run('tenant list', { DATABASE_URL: 'postgresql://millrace:secret@127.0.0.1:1/millrace' })
  t.is(away.status, 1)
  t.regex(away.err, /^millrace tenant list: a service does not answer: [^\n]*ECONNREFUSED[^\n]*$/)
  t.false(away.err.includes('secret'))
  const wrong = await run('tenant list', { DATABASE_URL: 'mysql://x' })
  t.is(wrong.status, 1)
  t.regex(wrong.err, /DATABASE_URL must be a URL/)
})

test('a demo is refused while the service does not answer, and leaves no tenant behind', async t => {
  const demos = async () => (await run('tenant list')).out.match(/Roasters/g)?.length
  const before = await demos()
  const { status, err } = await run('demo --base-url http://127.0.0.1:1')
  t.is(status, 1)
  t.regex(err, /does not answer/)
  t.is(await demos(), before)
})

test('mcp begins only with a key for the address that it calls, and never sends that of the demo elsewhere', async t => {
  const folder = await mkdtemp(join(root, 'mcp-'))
  const token = generateToken()
  await writeFile(join(folder, 'demo.json'), JSON.stringify({ tenant_id: '1', token }))
  const refused = async (line: string, env: NodeJS.ProcessEnv) => {
    const { status, out, err } = await run(line, { MILLRACE_DATA: folder, ...env })
    t.deepEqual([status, out], [line.endsWith('--json') || line.endsWith('ftp://x') ? 2 : 1, ''], err)
    t.false(err.includes(token))
    return err
  }
  t.regex(
    await refused('mcp', {}),
    /^millrace mcp: no service runs here: start it with npm start, or set MILLRACE_URL$/,
  )
  t.regex(await refused('mcp', { MILLRACE_URL: 'http://127.0.0.1:1' }), /no API key: set MILLRACE_TOKEN/)
  t.regex(await refused('mcp --base-url http://127.0.0.1:1', {}), /no API key: set MILLRACE_TOKEN/)
  const wrong = { MILLRACE_URL: 'http://127.0.0.1:1', MILLRACE_TOKEN: `${token}x` }
  t.regex(await refused('mcp', wrong), /^millrace mcp: MILLRACE_TOKEN is no API key[^\n]*$/)
  t.regex(await refused('mcp --base-url ftp://x', wrong), /--base-url must be an address/)
  t.regex(await refused('mcp --json', wrong), /Unknown option '--json'/)
})

test('the books of some days are written as CSV: the lines of entries, or what to book of each account', async t => {
  const client = await service.tenant()
  const { body } = await client.post('/products', { title: 'Oak', sku: '=OAK' })
  const items = [{ item_variant_id: body.variants[0].id, quantity: 3, unit_cost: 1.5 }]
  t.is((await client.post('/stock-adjustments', { items })).status, 201)
  const days = '--from 2000-01-01 --to 2099-12-31'
  const lines = async (options: string) => {
    const { status, out, err } = await run(`tenant journal --tenant ${client.tenantId} ${days} ${options}`)
    t.is(status, 0, err)
    return out.split('\r\n')
  }
  const [head, ...entries] = await lines('')
  t.regex(head ?? '', /^id,day,document_date,.*,account,account_code,debit,credit,/)
  t.is(entries.length, 2)
  t.true(
    entries.some(line => line.includes('INVENTORY,,4.5,0,') && line.includes("'=OAK")),
    entries.join(),
  )
  const [columns, ...balances] = await lines('--by account')
  t.regex(columns ?? '', /^account,.*net_rounded/)
  t.deepEqual(
    balances.map(line => line.split(',')[0]).filter(account => /^(INVENTORY|STOCK_ADJUSTMENT)$/.test(account ?? '')),
    ['INVENTORY', 'STOCK_ADJUSTMENT'],
  )
  t.is((await run(`tenant journal --tenant ${client.tenantId} ${days} --by place`)).status, 2)
  t.like(await run(`tenant journal --tenant 99999999 ${days}`), {
    status: 1,
    err: 'millrace tenant journal: there is no tenant 99999999',
  })
})

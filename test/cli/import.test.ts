/**
 * The guarantees of `import`: it goes through the running service, reports faults of rows by line, can be repeated safely, and shows its
 * progress apart from its answer.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as v from 'valibot'
import { rows } from '../../lib/platform/postgres/postgres.ts'
import { runCommandLine } from '../../lib/tools/cli/main.ts'
import { bar, progressLine } from '../../lib/tools/cli/progress.ts'
import { table } from '../../lib/tools/cli/table.ts'
import { serviceOfFile } from '../support/of-file.ts'
import { column } from '../support/records.ts'
import type { Client } from '../support/service.ts'
import { testsOf } from '../support/suite.ts'
import { receiver } from '../webhooks/receiver.ts'

const test = testsOf(import.meta, { isSerial: true })

const service = await serviceOfFile()
const folder = await mkdtemp(join(tmpdir(), 'millrace-import-'))
test.after.always(() => rm(folder, { recursive: true }))

async function run(...args: string[]) {
  const out: string[] = []
  const err: string[] = []
  const drawn: string[] = []
  const status = await runCommandLine(args, {
    env: { DATABASE_URL: service.databaseUrl, REDIS_URL: service.redisUrl },
    root: '/nonexistent',
    out: text => out.push(text),
    err: text => err.push(text),
    progress: { show: text => drawn.push(text), end: text => drawn.push(text) },
  })
  return { status, out: out.join('\n'), err: err.join('\n'), drawn }
}

let files = 0
async function imported(client: Client, name: string, text: string, ...more: string[]) {
  const path = join(folder, `${++files}-${name}`)
  await writeFile(path, text)
  return run('import', '--tenant', client.tenantId, '--base-url', service.url, path, ...more)
}

const products = async (client: Client) => {
  const { body } = await client.get('/products?limit=200')
  return body.data as { title: string; external_ref: string | null; variants: { sku: string; price: number }[] }[]
}

/** The summary: made, unchanged and refused rows. */
const summary = (made: number, unchanged: number, refused: number, kind = 'products') =>
  table(['ROWS OF', 'MADE', 'UNCHANGED', 'REFUSED'], [[kind, made, unchanged, refused]])

const NOBODY = '999999999'
const FILE = 'title,sku,price,batch_tracked\nOak,OAK,12.50,\n"Ash, white",ASH,.75,true\nElm,ELM,,no\n'

// One after the other: at once they would open as many connections, each of which plans all statements.
test('a file becomes products, with a progress bar apart from the answer', async t => {
  const client = await service.tenant()
  const { status, out, err, drawn } = await imported(client, 'a.csv', FILE)
  t.is(status, 0, err)
  t.is(out, summary(3, 0, 0))
  t.is(err, '')
  t.is(drawn.at(-1), '[##############################] 100 %  3 rows')
  const made = await products(client)
  t.deepEqual(made.map(({ title, variants }) => [title, variants[0]?.sku, variants[0]?.price]).sort(), [
    ['Ash, white', 'ASH', 0.75],
    ['Elm', 'ELM', null],
    ['Oak', 'OAK', 12.5],
  ])
})

test('importing again makes nothing, in any order of rows, and also under other keys', async t => {
  const client = await service.tenant()
  await imported(client, 'a.csv', FILE)
  const made = await products(client)
  t.is((await imported(client, 'a.csv', FILE)).out, summary(0, 3, 0))
  const [header, ...rows] = FILE.trim().split('\n')
  const turned = [header, 'Beech,BEECH,1,', ...rows.reverse()].join('\n')
  t.is((await imported(client, 'a.csv', turned)).out, summary(1, 3, 0))
  // These bodies differ, so their keys do. Only the skus show that the products are there, as after the 30 days for which keys are kept.
  const spelled = ['{"title":" Oak","sku":"OAK","price":12.5}', '{"title":"Elm","sku":" ELM","category":null}']
  const { status, out } = await imported(client, 'a.jsonl', spelled.join('\n'))
  t.deepEqual([status, out], [0, summary(0, 2, 0)])
  t.deepEqual((await products(client)).slice(0, 3), made)
})

test('refused rows are told by their lines, and the others go in', async t => {
  const client = await service.tenant()
  await imported(client, 'a.csv', FILE)
  const text = [
    '{"title":"Good","sku":"GOOD"}',
    '{"title":"Oak","sku":"OAK","price":13}',
    '',
    '{"sku":"NAMELESS"}',
    '{"title":"x","price":-1}',
    '{"title":"x"',
    '{"title":"Two","variants":[{"sku":"T-1"},{"sku":"T-2"}]}',
  ].join('\n')
  const { status, out, err } = await imported(client, 'b.jsonl', text)
  t.is(status, 1)
  t.is(out, summary(2, 0, 4))
  t.deepEqual(
    err.split('\n').map(line => line.replace('millrace import: ', '').replaceAll(/\d{4,}/g, 'ID')),
    [
      'line 2: sku: "OAK" is taken by ID, a variant of product ID',
      'line 4: title: is required',
      'line 5: price: must be 0 or more',
      'line 6: body: "," or "}" was expected at position 12',
    ],
  )
  const asJson = JSON.parse((await imported(client, 'b.jsonl', text, '--json')).out)
  t.like(asJson, { kind: 'products', created: 0, already_there: 2, failed: 4, stopped: null })
  t.deepEqual(asJson.errors[1], { line: 4, message: 'title: is required' })
})

test('a row that stands twice in a file is made once when it has a sku', async t => {
  const client = await service.tenant()
  const { out } = await imported(client, 'a.csv', 'title,sku\nOak,OAK\nOak,OAK\n')
  t.is(out, summary(1, 1, 0))
  t.is((await products(client)).length, 1)
})

test('rows of one product go in the order of the file: the first one makes it', async t => {
  const client = await service.tenant()
  const [records, repeats] = [12, 4]
  const rows = Array.from({ length: records * repeats }, (_, row) => {
    const record = row % records
    const repeat = Math.floor(row / records)
    // Repetitions next to each other and far apart: by sku, by reference, and by one sku among several.
    return record < 5
      ? { title: `${repeat}`, sku: `S-${record}` }
      : record < 9
        ? { title: `${repeat}`, external_ref: `R-${record}`, sku: `R-${record}-${repeat}` }
        : { title: `${repeat}`, variants: [{ sku: `V-${record}-${repeat}` }, { sku: ` V-${record}` }] }
  })
  const near = rows.toSorted((a, b) => JSON.stringify(a).length - JSON.stringify(b).length)
  for (const [order, file] of [rows, near.filter(({ sku }) => sku?.startsWith('S'))].entries()) {
    const shop = order === 0 ? client : await service.tenant()
    const firsts = file.filter(({ title }) => title === '0').length
    const lines = file.map(row => JSON.stringify(row)).join('\n')
    const { out } = await imported(shop, 'a.jsonl', lines)
    t.is(out, summary(firsts, 0, file.length - firsts))
    t.deepEqual([...new Set((await products(shop)).map(({ title }) => title))], ['0'])
    // Records that were imported stay as they are, however often the file is imported.
    t.is((await imported(shop, 'a.jsonl', lines)).out, summary(0, firsts, file.length - firsts))
  }
})

test('numbers that mean two things are refused before anything is made, until --decimal says which', async t => {
  const client = await service.tenant()
  const file = 'sep=;\ntitle;sku;price;;\nOak;OAK;1.250;;\n;;;;\nElm;ELM;3;;\n'
  const refused = await imported(client, 'a.csv', file)
  t.is(refused.status, 1)
  t.regex(
    refused.err,
    /line 3: price: "1\.250" is 1250 with a decimal comma, and 1\.250 with a decimal point: say which with --decimal/,
  )
  t.deepEqual(await products(client), [])
  const mixed = await imported(client, 'a.csv', 'title;price\nOak;12,50\nElm;12.50\n')
  t.regex(mixed.err, /line 3: price: "12.50" has another decimal sign than "12,50" on line 2: say which/)
  t.deepEqual(await products(client), [])
  t.is((await imported(client, 'a.csv', file, '--decimal', 'comma')).out, summary(2, 0, 0))
  // A number with both separators is clear. The other numbers could mean two values.
  t.is((await imported(client, 'b.csv', 'title;sku;price\nAsh;ASH;12,50\nFir;FIR;1.250,50\n')).out, summary(2, 0, 0))
  t.is((await imported(client, 'b.csv', 'title,sku,price\nYew,YEW,"1,250.50"\n')).out, summary(1, 0, 0))
  t.is(
    (await imported(client, 'b.csv', 'title,sku,price\nBox,BOX,1.250\n', '--decimal', 'point')).out,
    summary(1, 0, 0),
  )
  t.deepEqual(Object.fromEntries((await products(client)).map(({ title, variants: [one] }) => [title, one?.price])), {
    ...{ Oak: 1250, Elm: 3, Ash: 12.5, Fir: 1250.5, Yew: 1250.5, Box: 1.25 },
  })
  t.regex((await imported(client, 'a.csv', file, '--decimal', 'dot')).err, /--decimal must be one of comma, point/)
})

test('a barcode that a spreadsheet turned into a number is refused with its line', async t => {
  const client = await service.tenant()
  const { status, out, err } = await imported(
    client,
    'a.csv',
    'title,sku,barcode\nOak,OAK,4.00638E+12\nElm,ELM,4006381333931\nAsh,2.0261E+08,\n',
  )
  t.deepEqual([status, out], [1, summary(1, 0, 2)])
  t.regex(err, /line 2: barcode: "4.00638E\+12" is what a spreadsheet makes of a long number/)
  t.regex(err, /line 4: sku: "2.0261E\+08" is what/)
})

test("the plan's limit stops the import, and what is in stays", async t => {
  const client = await service.tenant({ plan: 'free' })
  const rows = Array.from({ length: 120 }, (_, n) => `Product ${n},SKU-${n}`)
  const { status, err } = await imported(client, 'a.csv', ['title,sku', ...rows].join('\n'))
  t.is(status, 1)
  t.regex(err, /stopped: the free plan holds 50 unarchived variants/)
  t.is((await products(client)).length, 50)
})

test('the key of an import ends with it, may do nothing else, and does not stay in the list', async t => {
  const client = await service.tenant()
  await imported(client, 'a.csv', FILE)
  const keys = await service.pool.any(rows(v.object({ id: v.string(), scopes: v.string(), revoked: v.boolean() }))`
    select id, array_to_string(scopes, ' ') as scopes, revoked_at is not null as revoked
    from api_keys where tenant_id = ${client.tenantId} and name = 'millrace import'`)
  t.like(keys, [{ scopes: 'read:catalog write:catalog.product.create write:catalog.product.update', revoked: true }])
  const { out } = await run('key', 'list', '--tenant', client.tenantId, '--json')
  t.deepEqual(column(JSON.parse(out).keys, 'key_id'), [client.keyId])
})

test('a suspended tenant is told as the reason why an import stops', async t => {
  const client = await service.tenant()
  await run('tenant', 'update', client.tenantId, '--suspend')
  const { status, err } = await imported(client, 'a.csv', FILE)
  t.deepEqual([status, err.includes('stopped: The tenant is suspended')], [1, true])
})

test('what cannot be imported is refused before anything is made', async t => {
  const client = await service.tenant()
  t.is((await run('import', '--tenant', client.tenantId, 'a.txt')).status, 2)
  t.is((await run('import', 'a.csv')).status, 2)
  t.regex(
    (await run('import', '--tenant', '1', '--kind', 'orders', 'a.csv')).err,
    /--kind must be one of products, supp/,
  )
  t.regex((await run('import', '--tenant', client.tenantId, '/nonexistent/a.csv')).err, /is not there/)
  const file = join(folder, 'nowhere.csv')
  await writeFile(file, FILE)
  const nowhere = await run('import', '--tenant', client.tenantId, '--base-url', 'http://127.0.0.1:1', file)
  t.regex(nowhere.err, /does not answer/)
  const stranger = await imported({ ...client, tenantId: NOBODY }, 'a.csv', FILE)
  t.deepEqual([stranger.status, stranger.err], [1, `millrace import: there is no tenant ${NOBODY}`])
  const columns = await imported(client, 'a.csv', 'title,colour\nOak,red\n')
  t.is(columns.status, 1)
  t.regex(columns.err, /line 1: "colour" is no column/)
  t.deepEqual(await products(client), [])
})

test('a service that is busy, or has just started, is asked again', async t => {
  const answers = [503, 503, 200]
  const busy = await receiver(response => response.writeHead(answers.shift() ?? 500).end())
  const file = join(folder, 'busy.csv')
  await writeFile(file, FILE)
  const { err } = await run('import', '--tenant', NOBODY, '--base-url', busy.url, file)
  t.deepEqual([err, answers], [`millrace import: there is no tenant ${NOBODY}`, []])
  await busy.close()
})

test('progress is drawn over on a terminal and written seldom elsewhere', t => {
  t.is(bar(1, 3, '7 rows'), `[${'#'.repeat(10)}${'-'.repeat(20)}]  33 %  7 rows`)
  t.is(bar(0, 0, 'none'), `[${'#'.repeat(30)}] 100 %  none`)
  const drawn = (isTTY: boolean, times: number[]) => {
    const written: string[] = []
    let now = 0
    const line = progressLine({ isTTY, write: text => written.push(text) }, () => now)
    for (const time of times) {
      now = time
      line.show(String(time))
    }
    line.end('end')
    return written
  }
  t.deepEqual(drawn(true, [0, 50, 120]), ['\r\x1b[2K0', '\r\x1b[2K120', '\r\x1b[2Kend\n'])
  t.deepEqual(drawn(false, [0, 50, 120, 6_000]), ['6000\n', 'end\n'])
})

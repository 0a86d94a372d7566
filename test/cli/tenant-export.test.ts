/** An export has what the lists of the API answer at one moment, also when it was interrupted and continued. */
import { appendFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { endpoints } from '../../lib/nouns.ts'
import { sendOver } from '../../lib/tools/demo/client.ts'
import { fillDemo } from '../../lib/tools/demo/data.ts'
import { exportTenant } from '../../lib/tools/export/export.ts'
import { exportedLists } from '../../lib/tools/export/lists.ts'
import type { Loose } from '../support/command-context.ts'
import { typedJson } from '../support/millrace.ts'
import { serviceOfFile } from '../support/of-file.ts'
import type { Client, Reply } from '../support/service.ts'
import { testsOf } from '../support/suite.ts'
import { everyList } from './every-list.ts'

const test = testsOf(import.meta)

const service = await serviceOfFile()
const root = await mkdtemp(join(tmpdir(), 'millrace-export-'))
let client: Client
let stranger: Client
let hook: Reply
test.before(async () => {
  ;[client, stranger] = [await service.tenant(), await service.tenant()]
  for (const each of [client, stranger])
    await fillDemo(sendOver(service.url, each.token), line => {
      throw new Error(line)
    })
  hook = await client.post('/webhook-subscriptions', { url: 'https://example.com/', events: ['*'] })
})
test.after.always(() => rm(root, { recursive: true }))

const millrace = (args: readonly string[], given: NodeJS.ProcessEnv = { DATABASE_URL: service.databaseUrl }) =>
  typedJson(args, given)

const run = (folder: string) => millrace(['tenant', 'export', '--tenant', client.tenantId, folder])
/** Checks an export without a database. */
const check = (folder: string) => millrace(['tenant', 'export', '--check', folder], {})
const read = async (folder: string, file: string): Promise<Loose[]> =>
  (await readFile(join(folder, file), 'utf8'))
    .split('\n')
    .slice(0, -1)
    .map(line => JSON.parse(line))
const manifestOf = async (folder: string) => JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8'))
const withoutUse = ({ last_used_at: _, ...key }: Loose): Loose => key

test.serial('the files hold what the lists answer, record by record, and no secret', async t => {
  const folder = join(root, 'whole')
  const exported = await run(folder)
  t.like(exported, { status: 0, err: '' })
  const manifest = await manifestOf(folder)
  t.is(manifest.snapshots.length, 1)
  const lists = await everyList(client, manifest.snapshots[0])
  for (const [path, records] of Object.entries(lists)) {
    const file = `${path.slice(1)}.jsonl`
    const lines = await read(folder, file)
    t.is(manifest.files[file].rows, records.length, file)
    if (path === '/api-keys') t.deepEqual(lines.map(withoutUse), records.map(withoutUse))
    else t.deepEqual(lines, records, file)
  }
  t.true(lists['/stock-movements'] !== undefined && lists['/stock-movements'].length > 10)
  const [count] = lists['/stock-counts'] ?? []
  const items = await client.get(`/stock-counts/${count.id}/items?limit=200`)
  t.deepEqual(
    (await read(folder, 'stock-counts-items.jsonl')).filter(({ parent_id }) => parent_id === count.id),
    items.body.data.map((record: Loose) => ({ parent_id: count.id, record })),
  )
  const text = (await Promise.all((await readdir(folder)).map(name => readFile(join(folder, name), 'utf8')))).join('')
  for (const secret of [client.token, hook.body.secret]) t.false(text.includes(secret))
  t.like(await check(folder), { status: 0, json: { complete: true, faults: [] } })
})

test('every list of the interface is exported, but for those below a record whose rows another list has', t => {
  const exported = new Set(exportedLists.map(({ endpoint }) => endpoint.path))
  t.deepEqual(
    endpoints.flatMap(({ kind, path }) => (kind === 'list' && !exported.has(path) ? [path] : [])),
    ['/manufacturing-orders/{id}/tasks', '/purchase-orders/{id}/receipts', '/sales-orders/{id}/shipments'],
  )
})

test.serial('what is written meanwhile is in no file: all are of one moment', async t => {
  const folder = join(root, 'meanwhile')
  let written = false
  const { manifest } = await exportTenant({
    ...{ tenantId: client.tenantId, databaseUrl: service.databaseUrl, folder },
    onPage: async ({ file }) => {
      if (written) return
      written = true
      t.is(file, 'products.jsonl')
      t.is((await client.post('/suppliers', { title: 'Meanwhile' })).status, 201)
    },
  })
  t.true(manifest.complete)
  for (const file of ['suppliers.jsonl', 'events.jsonl'])
    t.notRegex(await readFile(join(folder, file), 'utf8'), /Meanwhile/, file)
})

test.serial('a run that broke off keeps its complete files, and writes the others anew', async t => {
  const folder = join(root, 'broken')
  await t.throwsAsync(
    exportTenant({
      ...{ tenantId: client.tenantId, databaseUrl: service.databaseUrl, folder },
      onPage: ({ file }) => {
        if (file === 'stock-movements.jsonl') throw new Error('stopped')
      },
    }),
    { message: 'stopped' },
  )
  const before = await manifestOf(folder)
  t.false(before.complete)
  t.like(await check(folder), { status: 1, json: { complete: false, faults: [] } })
  const again = await run(folder)
  t.is(again.status, 0)
  t.regex(again.err, /the files are of 2 snapshots/)
  const manifest = await manifestOf(folder)
  for (const [file, noted] of Object.entries(before.files)) t.deepEqual(manifest.files[file], noted, file)
  t.like(await check(folder), { status: 0, json: { complete: true } })
  t.deepEqual(
    (await readdir(folder)).filter(name => name.endsWith('.part')),
    [],
  )
})

test.serial('a file that was changed or lost is named, and written anew by the next run', async t => {
  const folder = join(root, 'changed')
  await run(folder)
  await appendFile(join(folder, 'products.jsonl'), '{}\n')
  await rm(join(folder, 'customers.jsonl'))
  const { status, json } = await check(folder)
  t.is(status, 1)
  t.deepEqual(json.faults.map(({ file }: Loose) => file).sort(), ['customers.jsonl', 'products.jsonl'])
  await run(folder)
  t.is((await check(folder)).status, 0)
})

test.serial("a folder of another tenant's export, or with other files, is refused", async t => {
  const theirs = join(root, 'theirs')
  await millrace(['tenant', 'export', '--tenant', stranger.tenantId, theirs])
  t.regex((await run(theirs)).err, new RegExp(`holds an export of tenant ${stranger.tenantId}`))
  const other = await mkdtemp(join(root, 'other-'))
  await writeFile(join(other, 'mine.txt'), '')
  t.regex((await run(other)).err, /holds other files/)
  t.regex((await millrace(['tenant', 'export', '--tenant', '999999999', join(root, 'none')])).err, /there is no tenant/)
})

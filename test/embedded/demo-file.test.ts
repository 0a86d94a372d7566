/** The data folder: every start shows the same demo key while its tenant exists, and data of another form stay as they are. */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import { claimDataFolder } from '../../lib/tools/embedded/data-folder.ts'
import { keepDemo } from '../../lib/tools/embedded/demo-file.ts'
import { benchOfFile } from '../support/of-file.ts'
import { temporaryFolder } from '../support/servers.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

const services = await benchOfFile()

let made = 0
async function create(databaseUrl: string): Promise<{ tenantId: string; token: string }> {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  const { rows } = await client.query<{ id: string }>(
    "INSERT INTO tenants (name, owner_email) VALUES ('demo', 'owner@example.com') RETURNING tenant_id::text AS id",
  )
  await client.end()
  made += 1
  return { tenantId: rows[0]?.id ?? '', token: `token ${made}` }
}

test('the demo key stays the same, and the file follows the address', async t => {
  const options = { dataFolder: await temporaryFolder(), databaseUrl: services.databaseUrl, create }
  const first = await keepDemo({ ...options, baseUrl: 'http://one' })
  const second = await keepDemo({ ...options, baseUrl: 'http://two' })
  t.deepEqual(second, { ...first, base_url: 'http://two' })
  t.deepEqual(JSON.parse(await readFile(join(options.dataFolder, 'demo.json'), 'utf8')), second)
})

test('a file that is broken, or whose tenant the database lacks, makes a new demo tenant', async t => {
  const options = {
    dataFolder: await temporaryFolder(),
    databaseUrl: services.databaseUrl,
    create,
    baseUrl: 'http://one',
  }
  const gone = JSON.stringify({ base_url: 'http://one', tenant_id: '999999999', token: 'old' })
  for (const text of ['{"tenant_id": ', '{}', gone]) {
    await writeFile(join(options.dataFolder, 'demo.json'), text)
    t.not((await keepDemo(options)).token, 'old')
  }
})

test('a folder with data of a pre-release, or of another form, is refused by its name and stays as it is', async t => {
  const folder = await temporaryFolder()
  await claimDataFolder(folder)
  await mkdir(join(folder, 'postgres'))
  await t.notThrowsAsync(claimDataFolder(folder), 'the next start')
  await writeFile(join(folder, 'format'), '2\n')
  await t.throwsAsync(claimDataFolder(folder), { message: /holds data of another version of Millrace/ })

  const early = await temporaryFolder()
  await mkdir(join(early, 'postgres'))
  await t.throwsAsync(claimDataFolder(early), {
    message: `MILLRACE_DATA ${early} holds data of a pre-release of Millrace, which this version does not read: name another folder, or move it away`,
  })
  t.deepEqual(await readdir(early), ['postgres'])
})

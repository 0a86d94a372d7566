/** Owns the guarantee that every start shows the same demo key while its tenant exists. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import { keepDemo } from '../../lib/tools/embedded/demo-file.ts'
import { temporaryFolder } from '../support/servers.ts'
import { testServices } from '../support/services.ts'
import { apart } from '../support/suite.ts'

const test = apart(import.meta)

const services = await testServices()
test.after.always(() => services.close())

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
  const gone = JSON.stringify({ base_url: 'http://one', tenant_id: '1', token: 'old' })
  for (const text of ['{"tenant_id": ', '{}', gone]) {
    await writeFile(join(options.dataFolder, 'demo.json'), text)
    t.not((await keepDemo(options)).token, 'old')
  }
})

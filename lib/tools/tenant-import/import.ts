/**
 * Makes the tenant of an export in this installation, with new ids (docs/operations.md, "Import a tenant"). Everything commits at once: if
 * it breaks off, nothing of the tenant exists. It prints nothing.
 */
import { join } from 'node:path'
import * as v from 'valibot'
import { noteTenant } from '../../access/cells/directory.ts'
import { MAIN } from '../../platform/cells.ts'
import { openClient } from '../../platform/postgres/client.ts'
import { takeId } from '../../platform/postgres/ids.ts'
import { createPool, type Pool, rows } from '../../platform/postgres/postgres.ts'
import { type FileFault, faultOf, MANIFEST, type Manifest, readManifest } from '../export/manifest.ts'
import { migrationsOf, ROWS } from '../export/rows.ts'
import { Refused } from '../refused.ts'
import { readMigrations } from './read-rows.ts'
import { type Writing, type Written, write } from './write.ts'

/** For a batch of rows, with the checks of its foreign keys. */
const STATEMENT_TIMEOUT_MS = 60_000
/** Between two batches the file is read. */
const IDLE_TIMEOUT_MS = 300_000

export type ImportCell = { readonly name: string; readonly databaseUrl: string; readonly pool: () => Promise<Pool> }

export type Importing = Pick<Writing, 'folder' | 'secrets' | 'onRows'> & {
  /** The name of the new tenant, if it differs from the export's. */
  readonly name: string | undefined
  readonly cells: readonly ImportCell[]
  /** The cell for the tenant. */
  readonly cell: ImportCell
}

/** @throws Refused; and any error that breaks it off: then nothing has happened */
export async function importTenant(importing: Importing): Promise<Written> {
  const { folder, cells, cell } = importing
  const manifest = await checkedManifest(folder)
  const tenant = {
    name: importing.name ?? manifest.tenant['name'] ?? '',
    ownerEmail: manifest.tenant['owner_email'] ?? '',
  }
  return alone(cellOf(cells, MAIN), tenant, async () => {
    await refuseSecond(cells, tenant)
    const pool = await createPool(cell.databaseUrl, {
      ...{ name: 'millrace import', size: 1 },
      ...{ statementTimeoutMs: STATEMENT_TIMEOUT_MS, idleInTransactionTimeoutMs: IDLE_TIMEOUT_MS },
    })
    try {
      await refuseOtherSchema(pool, folder, manifest)
      const tenantId = await takeId(pool)
      if (cell.name !== MAIN) await noteTenant(await cellOf(cells, MAIN).pool(), tenantId, cell.name)
      const of = manifest.files[ROWS]?.rows ?? 0
      return await pool.transaction(connection => write(connection, { ...importing, tenantId, name: tenant.name, of }))
    } finally {
      await pool.end()
    }
  })
}

/** Checks that every file of the export is there, as the export wrote it. */
async function checkedManifest(folder: string): Promise<Manifest> {
  const manifest = await readManifest(folder)
  if (manifest === null) throw new Refused(`${folder} holds no export: ${MANIFEST} is not there`)
  const faults: FileFault[] = []
  for (const file of Object.keys(manifest.files)) {
    const fault = await faultOf(folder, manifest, file)
    if (fault !== null) faults.push(fault)
  }
  if (faults.length > 0) throw new Refused(faults.map(({ file, fault }) => `${file} ${fault}`).join('; '))
  if (!manifest.complete || manifest.files[ROWS] === undefined)
    throw new Refused(`the export in ${folder} is not complete: the same tenant export goes on with it`)
  return manifest
}

const cellOf = (cells: readonly ImportCell[], name: string): ImportCell => {
  const cell = cells.find(each => each.name === name)
  if (cell === undefined) throw new Error(`there is no cell ${name}`)
  return cell
}

type Identity = { readonly name: string; readonly ownerEmail: string }

/** Meanwhile no other import makes a tenant with this name and owner. */
async function alone<T>({ databaseUrl }: ImportCell, tenant: Identity, work: () => Promise<T>): Promise<T> {
  const { client, end } = await openClient(databaseUrl, { fallback_application_name: 'millrace import' })
  try {
    const { rows: found } = await client.query<{ is_mine: boolean }>(
      `select pg_try_advisory_lock(hashtextextended('the import of ' || $1, 0)) as is_mine`,
      [JSON.stringify([tenant.name, tenant.ownerEmail.toLowerCase()])],
    )
    if (!found[0]?.is_mine) throw new Refused(`another import of ${tenant.name} (${tenant.ownerEmail}) is under way`)
    return await work()
  } finally {
    await end()
  }
}

async function refuseSecond(cells: readonly ImportCell[], { name, ownerEmail }: Identity): Promise<void> {
  for (const cell of cells) {
    const found = await (await cell.pool()).maybeOne(rows(v.object({ id: v.string() }))`
      select tenant_id as id from tenants t
      where name = ${name} and lower(owner_email) = lower(${ownerEmail})
        and exists (select from tenant_streams s where s.tenant_id = t.tenant_id)
      order by tenant_id limit 1`)
    if (found !== null)
      throw new Refused(
        `the tenant ${found.id} in ${cell.name} is ${name} of ${ownerEmail} already: --name imports under another name`,
      )
  }
}

/** The rows belong to tables. Only a schema with the same migrations has the same tables with the same meaning. */
async function refuseOtherSchema(pool: Pool, folder: string, { version }: Pick<Manifest, 'version'>): Promise<void> {
  const [theirs, ours] = [await readMigrations(join(folder, ROWS)), await migrationsOf(pool)]
  const [lacking] = theirs.filter(name => !ours.includes(name))
  const [further] = ours.filter(name => !theirs.includes(name))
  const why = lacking === undefined ? further && `the export has not ${further}` : `this database has not ${lacking}`
  if (why !== undefined)
    throw new Refused(
      `the export is of version ${version} with other migrations (${why}): bring both installations to one version, and export again`,
    )
}

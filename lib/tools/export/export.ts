/**
 * Exports a tenant into JSON lines: a file for each list of the interface, and one with the rows of tables, from one snapshot of its cell.
 * A file that an earlier run completed stays. It prints nothing.
 */
import { createHash } from 'node:crypto'
import { mkdir, open, readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import { listTenants, type TenantSummary } from '../../access/tenants.ts'
import type { ReadContext } from '../../kit/api/endpoint.ts'
import { readerOver } from '../../kit/api/look-up.ts'
import { scopes } from '../../nouns.ts'
import {
  createPool,
  type Pool,
  rows,
  statement,
  type WritingConnection,
  withPlansByKey,
} from '../../platform/postgres/postgres.ts'
import { VERSION } from '../../platform/version.ts'
import { Refused } from '../refused.ts'
import { exportedLists, linesOf } from './lists.ts'
import { faultOf, MANIFEST, type Manifest, readManifest, writeManifest } from './manifest.ts'
import { ROWS, rowLines } from './rows.ts'

const STATEMENT_TIMEOUT_MS = 60_000
/** Between two pages a page is written to the disk. */
const IDLE_TIMEOUT_MS = 300_000

export type Exporting = {
  readonly tenantId: string
  /** The database of the tenant's cell. */
  readonly databaseUrl: string
  readonly folder: string
  /** Called for each page: how many files are complete, of how many, and the rows that this run has written. */
  readonly onPage?: (done: {
    readonly file: string
    readonly files: number
    readonly of: number
    readonly rows: number
  }) => void | Promise<void>
}

export type Exported = { readonly manifest: Manifest /** Files of earlier runs. */; readonly kept: readonly string[] }

/** @throws Refused; and any error that breaks it off: then the same call keeps the complete files */
export async function exportTenant(exporting: Exporting): Promise<Exported> {
  const { tenantId, databaseUrl, folder } = exporting
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const earlier = await readManifest(folder)
  if (earlier !== null && earlier.tenant_id !== tenantId)
    throw new Refused(`${folder} holds an export of tenant ${earlier.tenant_id}`)
  if (
    earlier === null &&
    (await readdir(folder)).some(name => !/\.part$/.test(name) && name !== MANIFEST && !isOurs(name))
  )
    throw new Refused(`${folder} holds other files: name an empty folder`)
  const pool = await createPool(withPlansByKey(databaseUrl), {
    ...{ name: 'millrace export', size: 1 },
    ...{ statementTimeoutMs: STATEMENT_TIMEOUT_MS, idleInTransactionTimeoutMs: IDLE_TIMEOUT_MS },
  })
  try {
    return await inSnapshot(pool, (snapshot, at) => writeFiles(snapshot, at, { ...exporting, earlier }))
  } finally {
    await pool.end()
  }
}

const files: readonly string[] = [...exportedLists.map(({ file }) => file), ROWS]
const isOurs = (name: string): boolean => files.includes(name)

const inSnapshot = <T>(pool: Pool, work: (snapshot: WritingConnection, at: string) => Promise<T>): Promise<T> =>
  pool.transaction(async snapshot => {
    await snapshot.query(statement`set transaction isolation level repeatable read, read only`)
    const { at } = await snapshot.one(rows(v.object({ at: v.string() }))`select iso(now()) as at`)
    return work(snapshot, at)
  })

async function writeFiles(
  snapshot: WritingConnection,
  at: string,
  { tenantId, folder, earlier, onPage = () => {} }: Exporting & { readonly earlier: Manifest | null },
): Promise<Exported> {
  const tenant = (await listTenants(snapshot)).find(each => each.tenant_id === tenantId)
  if (tenant === undefined) throw new Refused(`there is no tenant ${tenantId}`)
  const kept: string[] = []
  let manifest = newManifest(tenant)
  for (const file of files) {
    const noted = earlier?.files[file]
    if (earlier === null || noted === undefined || (await faultOf(folder, earlier, file)) !== null) continue
    kept.push(file)
    manifest = withFile(manifest, file, noted)
  }
  await writeManifest(folder, manifest)
  let written = 0
  for (const file of files.filter(file => !kept.includes(file))) {
    const of = { file, of: files.length }
    const onRows = (count: number) => {
      written += count
      return onPage({ ...of, files: Object.keys(manifest.files).length, rows: written })
    }
    const list = exportedLists.find(each => each.file === file)
    const pages = list === undefined ? rowLines(snapshot, tenantId) : linesOf(list, contextOf(snapshot, tenantId, at))
    const noted = await writePages(pages, join(folder, file), onRows)
    manifest = withFile(manifest, file, { ...noted, snapshot_at: at })
    await writeManifest(folder, manifest)
  }
  return { manifest, kept }
}

const newManifest = ({ tenant_id, ...tenant }: TenantSummary): Manifest => ({
  ...{ format: 'millrace-export-1', version: VERSION, tenant_id, tenant, complete: false },
  ...{ snapshots: [], files: {} },
})

function withFile(manifest: Manifest, file: string, noted: Manifest['files'][string]): Manifest {
  const all = { ...manifest.files, [file]: noted }
  const snapshots = [...new Set([...manifest.snapshots, noted.snapshot_at])].sort()
  return { ...manifest, files: all, snapshots, complete: files.every(name => name in all) }
}

/** The context of a key that may read everything. */
function contextOf(snapshot: WritingConnection, tenantId: string, at: string): ReadContext {
  const reader = readerOver(snapshot, tenantId)
  return {
    ...{ tenantId, actor: { keyId: '0', userName: 'export' }, scopes: new Set(scopes), now: at },
    pool: { ...reader, snapshot: work => work(reader) },
  }
}

/** The file has another name until it is complete. */
async function writePages(
  pages: AsyncIterable<readonly string[]>,
  path: string,
  onRows: (rows: number) => void | Promise<void>,
): Promise<{ readonly rows: number; readonly bytes: number; readonly sha256: string }> {
  const hash = createHash('sha256')
  let [rows, bytes] = [0, 0]
  const file = await open(`${path}.part`, 'w', 0o600)
  try {
    for await (const lines of pages) {
      const text = Buffer.from(lines.map(line => `${line}\n`).join(''))
      hash.update(text)
      await file.appendFile(text)
      rows += lines.length
      bytes += text.length
      await onRows(lines.length)
    }
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(`${path}.part`, path)
  return { rows, bytes, sha256: hash.digest('hex') }
}

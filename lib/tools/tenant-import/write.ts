/** Writes the rows of an export with new ids, in the transaction of the import. lib/tools/export/rows.ts states which rows these are. */
import { join } from 'node:path'
import * as v from 'valibot'
import { takeId } from '../../platform/postgres/ids.ts'
import {
  fixedFragment,
  jsonParameter,
  rows,
  statement,
  type WritingConnection,
} from '../../platform/postgres/postgres.ts'
import type { SecretBox } from '../../platform/secret-box.ts'
import { newSecret, secretOwner } from '../../webhooks/signature.ts'
import { carriedTables, hasIdsInParts, isId, ROWS, type TableColumns, writtenAnew } from '../export/rows.ts'
import { NewIds } from './new-ids.ts'
import { type RowBatch, readBatches, type Values } from './read-rows.ts'

export type Writing = {
  readonly folder: string
  readonly tenantId: string
  readonly name: string
  /** How many lines the file has. */
  readonly of: number
  /** Called where the tenant has webhook subscriptions. */
  readonly secrets: () => SecretBox
  /** Called with how many rows were written, and of how many. */
  readonly onRows?: (rows: number, of: number) => void
}

export type Written = {
  readonly tenantId: string
  readonly name: string
  readonly rows: number
  /** Disabled, each with a secret that nobody knows. */
  readonly subscriptions: number
}

export async function write(
  connection: WritingConnection,
  { folder, tenantId, name, of, secrets, onRows = () => {} }: Writing,
): Promise<Written> {
  const path = join(folder, ROWS)
  const tables = new Map((await carriedTables(connection)).map(each => [each.table, each]))
  const tableOf = ({ table, columns }: RowBatch): TableColumns => {
    const found = tables.get(table)
    if (found === undefined || found.columns.map(({ name }) => name).join() !== columns.join())
      throw new Error(`${ROWS} has a table ${table} with other columns than this database`)
    return found
  }
  const ids = new NewIds()
  for await (const batch of readBatches(path)) {
    mapIds(batch, tableOf(batch), id => {
      ids.note(id)
      return id
    })
  }
  await ids.take(connection)
  await beginCopy(connection)
  let written = 0
  for await (const batch of readBatches(path)) {
    const table = tableOf(batch)
    const values = mapIds(batch, table, id => ids.of(id))
    await connection.query(insertion(table, tenantId, values))
    written += values.length
    onRows(written, of)
  }
  await connection.query(statement`update tenants set name = ${name} where tenant_id = ${tenantId}::bigint`)
  return { tenantId, name, rows: written, subscriptions: await makeSecrets(connection, tenantId, secrets) }
}

/** The rows with another id in place of each id. */
function mapIds({ rows: found }: RowBatch, { columns }: TableColumns, to: (id: string) => string): readonly Values[] {
  const placesOf = (has: typeof isId) => columns.flatMap((column, at) => (has(column) ? [at] : []))
  const [places, partsPlaces] = [placesOf(isId), placesOf(hasIdsInParts)]
  for (const values of found) {
    for (const at of places) {
      const id = values[at]
      if (id != null) values[at] = to(id)
    }
    for (const at of partsPlaces) values[at] = partsWith(values[at] ?? NO_PARTS, to)
  }
  return found
}

const NO_PARTS = '[]'
type Part = Readonly<Record<string, string | null>>

/** Parts of a line with other ids. All their values are texts. */
function partsWith(text: string, to: (id: string) => string): string {
  if (text === NO_PARTS) return text
  const parts = (JSON.parse(text) as readonly Part[]).map(part =>
    Object.fromEntries(
      Object.entries(part).map(([name, value]) => [
        name,
        value !== null && /(?:^|_)id$/.test(name) ? to(value) : value,
      ]),
    ),
  )
  return JSON.stringify(parts)
}

function insertion({ table, columns }: TableColumns, tenantId: string, values: readonly Values[]) {
  const anew = Object.entries(writtenAnew[table] ?? {})
  const names = ['tenant_id', ...columns.map(({ name }) => name), ...anew.map(([name]) => name)]
  const written = [...columns.map(({ type }, at) => `(r ->> ${at})::${type}`), ...anew.map(([, text]) => text)]
  return statement`
    insert into ${fixedFragment(`${table} (${names.map(name => `"${name}"`).join(', ')})`)}
    select ${tenantId}::bigint, ${fixedFragment(written.join(', '))}
    from jsonb_array_elements(${jsonParameter(values)}::jsonb) as r`
}

/** Rows that triggers would add are in the export, too. On Citus triggers run on a node. */
async function beginCopy(connection: WritingConnection): Promise<void> {
  await connection.query(statement`select set_config('citus.propagate_set_commands', 'local', true)`)
  await connection.query(statement`set local millrace.copies = 'on'`)
}

async function makeSecrets(connection: WritingConnection, tenantId: string, secrets: Writing['secrets']) {
  const subscriptions = await connection.any(rows(v.object({ id: v.string() }))`
    select id from webhook_subscriptions where tenant_id = ${tenantId}::bigint and deleted_at is null`)
  for (const { id } of subscriptions) {
    const sealed = secrets().seal(newSecret(), secretOwner(tenantId, id)).toString('hex')
    await connection.query(statement`
      insert into webhook_secrets (tenant_id, subscription_id, id, sealed, created_at)
      values (${tenantId}::bigint, ${id}::bigint, ${await takeId(connection)}::bigint, decode(${sealed}, 'hex'), now())`)
  }
  return subscriptions.length
}

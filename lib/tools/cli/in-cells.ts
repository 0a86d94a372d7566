/** Finds the cell of a tenant or a key for the command line. It prints nothing. */

import * as v from 'valibot'
import { cellOfTenant, noteKey } from '../../access/cells/directory.ts'
import type { KeyChange } from '../../access/key-changes.ts'
import { type IssuedKey, issueKey, type NewKey, type Rotation, rotateKey } from '../../access/keys.ts'
import { generateToken, hashToken } from '../../access/token.ts'
import { MAIN } from '../../platform/cells.ts'
import { type Pool, rows } from '../../platform/postgres/postgres.ts'
import { Refused, type World, type WorldCell } from './command.ts'

/** @throws Refused where no address of the cell is set */
export async function cellNamed(world: World, name: string): Promise<WorldCell> {
  const cell = (await world.cells()).find(each => each.name === name)
  if (cell === undefined) throw new Refused(`no address of the cell ${name} is set: CELL_${name.toUpperCase()}_URL`)
  return cell
}

/** The cell of a tenant; the main cell for an unknown tenant. */
export async function cellOf(world: World, tenantId: string): Promise<WorldCell> {
  return cellNamed(world, (await cellOfTenant(await world.pool(), tenantId)) ?? MAIN)
}

export const poolOf = async (world: World, tenantId: string): Promise<Pool> => (await cellOf(world, tenantId)).pool()

/** The cell of a key and its tenant; the main cell where there is no such key. */
async function cellOfKey(world: World, keyId: string): Promise<WorldCell & { readonly tenantId: string | null }> {
  const failures: unknown[] = []
  for (const cell of await world.cells())
    try {
      const key = await (await cell.pool()).maybeOne(
        rows(v.object({ tenant_id: v.string() }))`select tenant_id from api_keys where id = ${keyId}::bigint`,
      )
      if (key) return { ...cell, tenantId: key.tenant_id }
    } catch (error) {
      failures.push(error)
    }
  if (failures.length > 0) throw failures[0]
  return { ...(await cellNamed(world, MAIN)), tenantId: null }
}

export const tenantOfKey = async (world: World, keyId: string): Promise<string | null> =>
  (await cellOfKey(world, keyId)).tenantId

export const poolOfKey = async (world: World, keyId: string): Promise<Pool> => (await cellOfKey(world, keyId)).pool()

/** As `issueKey`, in the tenant's cell. */
export async function issueKeyOf(world: World, key: NewKey): Promise<IssuedKey | null> {
  const cell = await cellOf(world, key.tenantId)
  return issueKey(await cell.pool(), key, await notedToken(world, { tenantId: key.tenantId, cell: cell.name }))
}

/** As `rotateKey`, in the key's cell. */
export async function rotateKeyOf(world: World, rotation: Rotation): Promise<(IssuedKey & KeyChange) | null> {
  const { tenantId, name: cell, pool } = await cellOfKey(world, rotation.keyId)
  if (tenantId === null) return null
  return rotateKey(await pool(), rotation, await notedToken(world, { tenantId, cell }))
}

/** A new token that the directory knows, unless it belongs to the main cell. */
async function notedToken(
  world: World,
  { tenantId, cell }: { readonly tenantId: string; readonly cell: string },
): Promise<string> {
  const token = generateToken()
  if (cell !== MAIN) await noteKey(await world.pool(), hashToken(token), tenantId)
  return token
}

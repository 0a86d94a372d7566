/** Chooses the cell of a new tenant, and makes the tenant there for `tenant create`. It prints nothing. */
import { identityOf } from '../../access/cells/add.ts'
import { listCells, nextCell, noteTenant } from '../../access/cells/directory.ts'
import { createTenant, type NewTenant } from '../../access/tenants.ts'
import { MAIN } from '../../platform/cells.ts'
import { takeId } from '../../platform/postgres/ids.ts'
import { Refused, type World, type WorldCell } from './command.ts'
import { cellNamed } from './in-cells.ts'

/** Makes a tenant in the named cell, else in the next one. */
export async function createIn(
  world: World,
  tenant: NewTenant,
  named?: string,
): Promise<{ readonly tenantId: string; readonly cell: string }> {
  const { name: cell, pool: poolOf } = await homeOfNew(world, named)
  const pool = await poolOf()
  if (cell === MAIN) return { tenantId: await createTenant(pool, tenant), cell }
  const tenantId = await takeId(pool)
  await noteTenant(await world.pool(), tenantId, cell)
  return { tenantId: await createTenant(pool, tenant, tenantId), cell }
}

/** The cell of a new tenant: the named one, else the next one. */
export async function homeOfNew(world: World, named?: string): Promise<WorldCell> {
  const name = named ?? nextCell(await listCells(await world.pool()))
  if (name === null) throw new Refused('every cell has the weight 0: bin/millrace cell add NAME --weight N opens one')
  await refuseUnknown(world, name)
  const cell = await cellNamed(world, name)
  if (name === MAIN) return cell
  const { cell: found } = await identityOf(await cell.pool())
  if (found !== name) throw new Refused(`the address of ${name} leads to ${found ?? 'no cell'}`)
  return cell
}

/** @throws Refused where the directory or the settings do not know the cell */
export async function refuseUnknown(world: World, cell: string): Promise<void> {
  if (cell !== MAIN && (await listCells(await world.pool())).every(({ name }) => name !== cell))
    throw new Refused(`there is no cell ${cell}: bin/millrace cell list shows them`)
  await cellNamed(world, cell)
}

/** Makes a tenant in a cell, for `tenant create`. It prints nothing. */
import { identityOf } from '../../access/cells/add.ts'
import { listCells, nextCell, noteTenant } from '../../access/cells/directory.ts'
import { createTenant, type NewTenant } from '../../access/tenants.ts'
import { MAIN } from '../../platform/cells.ts'
import { takeId } from '../../platform/postgres/ids.ts'
import { Refused, type World } from './command.ts'
import { cellNamed } from './in-cells.ts'

/** In the cell that is named, else in the next one. */
export async function createIn(
  world: World,
  tenant: NewTenant,
  named?: string,
): Promise<{ readonly tenantId: string; readonly cell: string }> {
  const main = await world.pool()
  const cells = await listCells(main)
  const cell = named ?? nextCell(cells)
  if (cell === null) throw new Refused('every cell has the weight 0: bin/millrace cell add NAME --weight N opens one')
  await refuseUnknown(world, cell)
  const pool = await (await cellNamed(world, cell)).pool()
  if (cell === MAIN) return { tenantId: await createTenant(pool, tenant), cell }
  const { cell: found } = await identityOf(pool)
  if (found !== cell) throw new Refused(`the address of ${cell} leads to ${found ?? 'no cell'}`)
  const tenantId = await takeId(pool)
  await noteTenant(main, tenantId, cell)
  return { tenantId: await createTenant(pool, tenant, tenantId), cell }
}

/** @throws Refused where the directory or the settings do not know the cell. */
export async function refuseUnknown(world: World, cell: string): Promise<void> {
  if (cell !== MAIN && (await listCells(await world.pool())).every(({ name }) => name !== cell))
    throw new Refused(`there is no cell ${cell}: bin/millrace cell list shows them`)
  await cellNamed(world, cell)
}

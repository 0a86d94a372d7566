/** `period close` and `period open`: the day through which a tenant's books are closed. */
import { setClosedThrough, todayOfTenant } from '../../access/tenants.ts'
import { ofTenant } from './changes.ts'
import { type CliCommand, Refused } from './command.ts'
import { poolOf } from './in-cells.ts'
import { tenantOf, tenantOption } from './tenant-option.ts'
import { day, required } from './values.ts'

const close: CliCommand = {
  words: ['period', 'close'],
  summary: "Close a tenant's accounting period through a day",
  options: {
    ...tenantOption('whose period'),
    through: {
      value: 'YYYY-MM-DD',
      help: 'the last closed day; documents dated until then are refused',
      required: true,
    },
  },
  examples: ['period close --tenant 1001 --through 2026-10-31'],
  changes: ofTenant(tenantOf),
  run: async (input, world) => {
    const tenantId = tenantOf(input)
    const through = required(input, 'through', day)
    const pool = await poolOf(world, tenantId)
    const today = await todayOfTenant(pool, tenantId)
    if (today !== null && through > today) throw new Refused(`--through ${through} is in the future`)
    if (!(await setClosedThrough(pool, tenantId, through))) throw new Refused(`there is no tenant ${tenantId}`)
    return {
      json: { tenant_id: tenantId, closed_through: through },
      text: `Tenant ${tenantId} is closed through ${through}.`,
    }
  },
}

const open: CliCommand = {
  words: ['period', 'open'],
  summary: "Open a tenant's closed period again, all of it",
  options: tenantOption('whose period'),
  examples: ['period open --tenant 1001'],
  changes: ofTenant(tenantOf),
  run: async (input, world) => {
    const tenantId = tenantOf(input)
    if (!(await setClosedThrough(await poolOf(world, tenantId), tenantId, null)))
      throw new Refused(`there is no tenant ${tenantId}`)
    return { json: { tenant_id: tenantId, closed_through: null }, text: `Tenant ${tenantId} has no closed period.` }
  },
}

export const periodCommands: readonly CliCommand[] = [close, open]

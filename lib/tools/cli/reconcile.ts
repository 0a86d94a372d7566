/** `reconcile`: checks that the books agree with each other, and shows where they do not. lib/tools/reconcile has the checks. */
import { tenantExists } from '../../access/tenants.ts'
import { type Reconciliation, reconcile } from '../reconcile/reconcile.ts'
import { type CliCommand, Refused } from './command.ts'
import { cellOf, poolOf } from './in-cells.ts'
import { table } from './table.ts'
import { optionalTenant, tenantIn } from './tenant-option.ts'

const command: CliCommand = {
  words: ['reconcile'],
  summary: 'Prove that balances equal movements; exit 1 and a table where not',
  options: optionalTenant('only this tenant (default all)'),
  examples: ['reconcile', 'reconcile --tenant 1001 --json'],
  run: async (input, world) => {
    const tenantId = tenantIn(input)
    const cells = tenantId === undefined ? await world.cells() : [await cellOf(world, tenantId)]
    if (tenantId !== undefined && !(await tenantExists(await poolOf(world, tenantId), tenantId)))
      throw new Refused(`there is no tenant ${tenantId}`)
    const reports: Reconciliation[] = []
    for (const { databaseUrl } of cells) reports.push(await reconcile(databaseUrl, tenantId))
    const report = {
      tenants: reports.reduce((sum, { tenants }) => sum + tenants, 0),
      checks: reports[0]?.checks ?? [],
      faults: reports.flatMap(({ faults }) => faults),
    }
    return { json: { ...report }, text: words(report), exitCode: report.faults.length === 0 ? 0 : 1 }
  },
}

function words({ tenants, checks, faults }: Reconciliation): string {
  const scope = `${checks.length} checks over ${tenants} tenant${tenants === 1 ? '' : 's'}`
  if (faults.length === 0) return `${scope}: everything agrees.`
  const rows = faults.map(fault => [fault.tenant_id, fault.check, fault.subject, fault.expected, fault.found])
  const count = faults.length === 1 ? '1 fault' : `${faults.length} faults`
  return `${scope}: ${count}\n\n${table(['TENANT', 'CHECK', 'SUBJECT', 'EXPECTED', 'FOUND'], rows)}`
}

export const reconcileCommands: readonly CliCommand[] = [command]

/** Looks at the cells: whether each cell of the directory has an address that leads to it. */
import { identityOf } from '../../access/cells/add.ts'
import { compareCell } from '../../access/cells/compare.ts'
import { listCells } from '../../access/cells/directory.ts'
import { MAIN } from '../../platform/cells.ts'
import type { Pool } from '../../platform/postgres/postgres.ts'
import { type Finding, fault, fine, warning } from './finding.ts'

const variable = (cell: string): string => `CELL_${cell.toUpperCase()}_URL`

/** @param names the cells of the settings */
export async function checkCells(main: Pool, names: readonly string[]): Promise<Finding[]> {
  const listed = await listCells(main)
  const missing = listed.filter(({ name }) => name !== MAIN && !names.includes(name))
  const unlisted = names.filter(name => listed.every(cell => cell.name !== name))
  return [
    ...missing.map(({ name, tenants }) =>
      fault(
        'cells',
        `${name} has no address`,
        tenants > 0
          ? `set ${variable(name)}: ${tenants} tenants of it are answered with 503`
          : `nobody lives there: bin/millrace cell remove ${name}, or set ${variable(name)}`,
      ),
    ),
    ...unlisted.map(name =>
      warning('cells', `${name} takes no tenants`, `bin/millrace cell add ${name}, or leave ${variable(name)} out`),
    ),
    ...(missing.length + unlisted.length === 0 && listed.length > 0 ? [fine('cells', `${listed.length}`)] : []),
  ]
}

/** Whether an address leads to its cell. */
export async function checkIdentity(pool: Pool, name: string): Promise<Finding[]> {
  const { cell } = await identityOf(pool)
  if (cell === null || cell === name) return []
  return [fault('cell', `its address leads to ${cell}`, `set ${variable(name)} right: its tenants are not found there`)]
}

const NAMED_MAX = 10

/** Whether the directory and a cell agree on their tenants; a restore sets one of them back. */
export async function checkDirectory(main: Pool, name: string, pool: Pool): Promise<Finding[]> {
  const { lost, unknown, twice } = await compareCell(main, name, pool)
  const lostKeys = lost.keys.filter(key => !key.may_be_gone)
  const behind = says(unknown.tenants, unknown.keys)
  const ahead = says(lost.tenants, lostKeys)
  const findings = [
    ...(behind === null
      ? []
      : [
          fault(
            'directory',
            `does not know ${behind}`,
            `their keys are answered with 401: bin/millrace cell add ${name}, where cell list lacks it, then cell refresh`,
          ),
        ]),
    ...(ahead === null
      ? []
      : [
          warning(
            'directory',
            `names ${ahead}, which the cell does not have`,
            'where a restore took them away, bin/millrace cell refresh forgets them; else look at its address',
          ),
        ]),
    ...(twice.length === 0
      ? []
      : [
          warning(
            'directory',
            `has elsewhere: ${shortened(twice.map(({ tenantId, cell }) => `tenant ${tenantId} in ${cell}`))}`,
            'a restore brought back what had moved: decide which one counts (docs/operations.md, "Restore")',
          ),
        ]),
  ]
  return findings.length > 0 ? findings : [fine('directory', 'agrees')]
}

/** `2 tenants (1042, 2066) and 3 keys (of 1001)`; null: none. */
function says(tenants: readonly string[], keys: readonly { readonly tenant_id: string }[]): string | null {
  const alone = keys.filter(({ tenant_id }) => !tenants.includes(tenant_id))
  const parts = [
    ...(tenants.length === 0 ? [] : [`${counted(tenants, 'tenant')} (${shortened(tenants)})`]),
    ...(alone.length === 0
      ? []
      : [`${counted(alone, 'key')} (of ${shortened([...new Set(alone.map(({ tenant_id }) => tenant_id))])})`]),
  ]
  return parts.length === 0 ? null : parts.join(' and ')
}

const counted = ({ length }: readonly unknown[], noun: string): string => `${length} ${noun}${length === 1 ? '' : 's'}`

const shortened = (names: readonly string[]): string =>
  names.length <= NAMED_MAX
    ? names.join(', ')
    : `${names.slice(0, NAMED_MAX).join(', ')} and ${names.length - NAMED_MAX} more`

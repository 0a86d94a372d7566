/** Looks at the cells: has each of the directory an address, and does it lead to that cell. */
import { identityOf } from '../../cells/add.ts'
import { MAIN } from '../../cells/cells.ts'
import { listCells } from '../../cells/directory.ts'
import type { Pool } from '../../postgres/postgres.ts'
import { type Finding, fault, fine, warning } from './finding.ts'

const variable = (cell: string): string => `CELL_${cell.toUpperCase()}_URL`

/** @param names those of the settings. */
export async function checkCells(main: Pool, names: readonly string[]): Promise<Finding[]> {
  const listed = await listCells(main)
  const missing = listed.filter(({ name }) => name !== MAIN && !names.includes(name))
  const unlisted = names.filter(name => listed.every(cell => cell.name !== name))
  return [
    ...missing.map(({ name, tenants }) =>
      fault('cells', `${name} has no address`, `set ${variable(name)}: ${tenants} tenants of it are answered with 503`),
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

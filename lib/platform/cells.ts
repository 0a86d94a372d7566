/** The cells in a process's settings (docs/decisions/0010). It opens no connection. The directory knows which tenant lives where. */
import { type CellSetting, type Config, required } from './config.ts'
import { readAddress } from './postgres/address.ts'

/** The cell of DATABASE_URL, which holds the directory. */
export const MAIN = 'main'

/** All cells, the main one first. */
export function cellsOf(config: Pick<Config, 'databaseUrl' | 'databaseReadUrl' | 'cells'>): readonly CellSetting[] {
  const { databaseReadUrl } = config
  const main = { name: MAIN, databaseUrl: required(config.databaseUrl, 'DATABASE_URL'), databaseReadUrl }
  return [main, ...config.cells].map(cell => ({ ...cell, databaseReadUrl: replicaOf(cell) }))
}

/** A replica has the schemas of its primary, so its address need not name one. */
function replicaOf({ databaseUrl, databaseReadUrl }: CellSetting): string | undefined {
  if (databaseReadUrl === undefined) return undefined
  const url = new URL(databaseReadUrl)
  const { schema, isDistributed } = readAddress(databaseUrl)
  if (schema !== null && !url.searchParams.has('schema')) url.searchParams.set('schema', schema)
  if (isDistributed) url.searchParams.set('citus', 'on')
  return url.href
}

/** The name of a cell's own key or queue in Redis. The main cell's name has no suffix, as before there were cells. */
export const inCell = (cell: string | undefined, name: string): string =>
  cell === undefined || cell === MAIN ? name : `${name}:${cell}`

/** A tenant is not in the cell where it was expected: it has moved to another cell, or is moving. Look its cell up again. */
export class TenantNotHere extends Error {
  override name = 'TenantNotHere'

  constructor() {
    super('the tenant is moved to another cell')
  }
}

/** This process has no address of the cell. Requests of its tenants get the same answer as for a cell whose database cannot be reached. */
export class UnknownCell extends Error {
  override name = 'UnknownCell'

  constructor(cell: string) {
    super(`this process has no address of the cell ${cell}: set CELL_${cell.toUpperCase()}_URL`)
  }
}

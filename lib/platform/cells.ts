/**
 * The cells that a process knows from its settings (docs/decisions/0010). It opens no connection; which tenant lives where is the
 * directory's business.
 */
import { type CellSetting, type Config, required } from './config.ts'
import { readAddress } from './postgres/address.ts'

/** The cell of DATABASE_URL, which holds the directory. */
export const MAIN = 'main'

/** The main cell first. Without further cells it is the only one. */
export function cellsOf(config: Pick<Config, 'databaseUrl' | 'databaseReadUrl' | 'cells'>): readonly CellSetting[] {
  const { databaseReadUrl } = config
  const main = { name: MAIN, databaseUrl: required(config.databaseUrl, 'DATABASE_URL'), databaseReadUrl }
  return [main, ...config.cells].map(cell => ({ ...cell, databaseReadUrl: replicaOf(cell) }))
}

/** A replica has the schemas of its primary: an address need not repeat them. */
function replicaOf({ databaseUrl, databaseReadUrl }: CellSetting): string | undefined {
  if (databaseReadUrl === undefined) return undefined
  const url = new URL(databaseReadUrl)
  const { schema, isDistributed } = readAddress(databaseUrl)
  if (schema !== null && !url.searchParams.has('schema')) url.searchParams.set('schema', schema)
  if (isDistributed) url.searchParams.set('citus', 'on')
  return url.href
}

/** A name for something of a cell in Redis, where all cells have theirs; the main cell's is as it was without cells. */
export const inCell = (cell: string | undefined, name: string): string =>
  cell === undefined || cell === MAIN ? name : `${name}:${cell}`

/**
 * A tenant is not where it was looked for: it has moved to another cell, or is on the way. Whoever asks again where it lives finds it, soon.
 */
export class TenantNotHere extends Error {
  override name = 'TenantNotHere'

  constructor() {
    super('the tenant is moved to another cell')
  }
}

/** No address of the cell is set in this process: its tenants are answered as those of a cell that is away. */
export class UnknownCell extends Error {
  override name = 'UnknownCell'

  constructor(cell: string) {
    super(`this process has no address of the cell ${cell}: set CELL_${cell.toUpperCase()}_URL`)
  }
}

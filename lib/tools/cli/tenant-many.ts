/** `tenant create --many`: makes a tenant for each line of a CSV file. All lines are checked before the first tenant is made. */
import { type Columns, recordOf, required, text as textColumn } from '../../../imports/columns.ts'
import { faultText } from '../../../imports/service.ts'
import { listKeys } from '../../access/key-summaries.ts'
import { defaultLimits } from '../../access/keys.ts'
import { listTenants, type NewTenant, plans } from '../../access/tenants.ts'
import { valuesOf } from '../../kit/api/fields.ts'
import { scopes } from '../../nouns.ts'
import { INSTALLATION } from '../audit/trail.ts'
import { readRows, UnreadableFile } from '../import/rows.ts'
import { type Output, Refused, UsageError, type World } from './command.ts'
import { explain } from './explain.ts'
import { issueKeyOf, poolOf } from './in-cells.ts'
import { createIn, refuseUnknown } from './new-tenant.ts'
import { bar } from './progress.ts'
import { table } from './table.ts'
import { currency, email, oneOf, type Reader, text } from './values.ts'

const FAULTS_SHOWN_MAX = 100

const columns = {
  name: required(textColumn),
  owner_email: required(textColumn),
  plan: textColumn,
  currency: textColumn,
  cell: textColumn,
  first_key: textColumn,
} satisfies Columns

/** The columns, for the help. */
export const manyColumns = Object.keys(columns).join(', ')

type Line = {
  readonly line: number
  readonly tenant: NewTenant
  readonly cell: string | undefined
  /** The name of a first key. */
  readonly firstKey: string | undefined
}
type Fault = { readonly line: number; readonly message: string }
type Known = { readonly tenant_id: string; readonly currency: string; readonly cell: string }

/** The result of a line. */
type Made = {
  readonly line: number
  readonly tenant_id: string
  readonly name: string
  readonly cell: string
  readonly was_there: boolean
  readonly key_id: string | null
  readonly token: string | null
}

export async function createMany(path: string, world: World): Promise<Output> {
  const known = await knownTenants(world)
  const { lines, faults } = await checkedLines(path, known, world)
  if (faults.length > 0) return refusal(faults, world)
  const made: Made[] = []
  let stopped: string | null = null
  try {
    for (const line of lines) {
      made.push(await take(line, known.get(identityOf(line.tenant)), world))
      world.progress.show(bar(made.length, lines.length, `${made.length} tenants`))
    }
  } catch (error) {
    // Tenants that were made are shown in any case: no token is shown again.
    stopped = error instanceof Refused ? error.message : explain(error)
    world.warn(`stopped at line ${lines[made.length]?.line}: ${stopped}; the same file goes on`)
  }
  const created = made.filter(({ was_there }) => !was_there).length
  return {
    json: { created, already_there: made.length - created, stopped, errors: [], tenants: made },
    text: table(
      ['LINE', 'TENANT', 'NAME', 'CELL', 'STATE', 'KEY', 'TOKEN (shown this once)'],
      made.map(({ line, tenant_id, name, cell, was_there, key_id, token }) => [
        ...[line, tenant_id, name, cell, was_there ? 'was there' : 'made', key_id, token],
      ]),
    ),
    exitCode: stopped === null ? 0 : 1,
  }
}

function refusal(faults: readonly Fault[], world: World): Output {
  for (const { line, message } of faults.slice(0, FAULTS_SHOWN_MAX)) world.warn(`line ${line}: ${message}`)
  return {
    json: { created: 0, already_there: 0, stopped: null, errors: faults, tenants: [] },
    text: `No tenant was made: ${faults.length} ${faults.length === 1 ? 'fault' : 'faults'}.`,
    exitCode: 1,
  }
}

/** Names alone are not unique, and a line has nothing else that identifies a tenant. */
const identityOf = ({ name, ownerEmail }: NewTenant): string => JSON.stringify([name, ownerEmail.toLowerCase()])

async function knownTenants(world: World): Promise<ReadonlyMap<string, Known>> {
  const known = new Map<string, Known>()
  for (const { name: cell, pool } of await world.cells())
    for (const { tenant_id, name, owner_email: ownerEmail, plan: _, currency } of await listTenants(await pool()))
      known.set(identityOf({ name, ownerEmail, plan: 'free', currency }), { tenant_id, currency, cell })
  return known
}

async function checkedLines(
  path: string,
  known: ReadonlyMap<string, Known>,
  world: World,
): Promise<{ readonly lines: readonly Line[]; readonly faults: readonly Fault[] }> {
  const lines: Line[] = []
  const faults: Fault[] = []
  const seen = new Map<string, number>()
  const unknown = cellFaults(world)
  try {
    for await (const { line, content } of readRows(path, { format: 'csv', columns })) {
      const read = 'faults' in content ? content : recordOf(columns, content.body)
      if (!('record' in read)) {
        faults.push({ line, message: faultText('faults' in read ? read.faults : [read]) })
        continue
      }
      const { value, messages } = lineOf(line, read.record)
      if (value?.cell !== undefined) messages.push(...(await unknown(value.cell)))
      if (value !== undefined) {
        const identity = identityOf(value.tenant)
        const [first, there] = [seen.get(identity), known.get(identity)]
        if (first !== undefined) messages.push(`name and owner_email are those of line ${first}`)
        if (there !== undefined && there.currency !== value.tenant.currency)
          messages.push(
            `currency: the tenant ${there.tenant_id} of this name and owner has ${there.currency}, for good`,
          )
        seen.set(identity, first ?? line)
        lines.push(value)
      }
      faults.push(...messages.map(message => ({ line, message })))
    }
  } catch (error) {
    throw error instanceof UnreadableFile ? new Refused(`${path}: ${error.message}`) : error
  }
  return { lines, faults }
}

/** Checks each cell once. */
function cellFaults(world: World): (cell: string) => Promise<readonly string[]> {
  const asked = new Map<string, Promise<readonly string[]>>()
  return cell => {
    const found =
      asked.get(cell) ??
      refuseUnknown(world, cell).then(
        () => [],
        error => {
          if (error instanceof Refused) return [`cell: ${error.message}`]
          throw error
        },
      )
    asked.set(cell, found)
    return found
  }
}

function lineOf(line: number, record: Readonly<Record<string, unknown>>): { value?: Line; messages: string[] } {
  const messages: string[] = []
  const read = <T>(name: keyof typeof columns, reader: Reader<T>): T | undefined => {
    if (record[name] === undefined) return undefined
    try {
      return reader(String(record[name]), `${name}:`)
    } catch (error) {
      if (!(error instanceof UsageError)) throw error
      messages.push(error.message)
      return undefined
    }
  }
  const [name, ownerEmail] = [read('name', text), read('owner_email', email)]
  const plan = read('plan', oneOf(valuesOf(plans))) ?? 'free'
  const tenant = { plan, currency: read('currency', currency) ?? 'EUR' }
  const others = { cell: read('cell', text), firstKey: read('first_key', text) }
  if (name === undefined || ownerEmail === undefined || messages.length > 0) return { messages }
  return { value: { line, tenant: { ...tenant, name, ownerEmail }, ...others }, messages }
}

/** The tenant of a line, and its first key if no key of that name was ever issued. */
async function take(
  { line, tenant, cell: named, firstKey }: Line,
  known: Known | undefined,
  world: World,
): Promise<Made> {
  const { tenantId, cell } = known
    ? { tenantId: known.tenant_id, cell: known.cell }
    : await createIn(world, tenant, named)
  const made = { line, tenant_id: tenantId, name: tenant.name, cell, was_there: known !== undefined }
  const hasKey =
    firstKey === undefined ||
    (await listKeys(await poolOf(world, tenantId), tenantId)).some(({ name }) => name === firstKey)
  if (hasKey) return { ...made, key_id: null, token: null }
  const key = await issueKeyOf(world, { tenantId, name: firstKey, scopes, ...defaultLimits })
  return { ...made, key_id: key?.keyId ?? null, token: key?.token ?? null }
}

/** What the trails of the tenants and of the installation record. */
export function madeMany({ json: { tenants, ...counts } }: Output) {
  const changed = (tenants as readonly Made[]).filter(({ was_there, key_id }) => !was_there || key_id !== null)
  return [
    ...changed.map(({ tenant_id: tenantId, token: _, ...state }) => ({ tenantId, state })),
    { tenantId: INSTALLATION, state: counts },
  ]
}

/** The audit trail of operators: what was done with the command line, by whom, and what it changed (docs/operations.md). */
import { randomUUID } from 'node:crypto'
import * as v from 'valibot'
import { errorClass } from '../../platform/postgres/failures.ts'
import { jsonParameter, type Pool, rows, statement } from '../../platform/postgres/postgres.ts'
import { VERSION } from '../../platform/version.ts'

/** The tenant id of actions that concern no tenant. */
export const INSTALLATION = '0'
const NO_TABLE = '42P01'

/** The operator: the user of the operating system, the host, and the name that they gave. */
export type Operator = { readonly system: string; readonly host: string; readonly given: string | null }

export type Action = {
  readonly id: string
  readonly command: string
  readonly arguments: Readonly<Record<string, unknown>>
  readonly operator: Operator
}

export const newAction = (action: Omit<Action, 'id'>): Action => ({ id: randomUUID(), ...action })

type Phase = {
  readonly tenantId: string
  readonly phase: 'begun' | 'ended'
  readonly outcome?: 'done' | 'refused' | 'failed'
  readonly message?: string
  /** The state that the action changes; undefined: not known. */
  readonly state?: unknown
}

/** Writes a row of the trail. @returns whether there is a trail: a database that was not migrated yet has none */
export async function note(pool: Pool, action: Action, phase: Phase): Promise<boolean> {
  const { operator } = action
  try {
    await pool.query(statement`
      insert into operator_actions (
        tenant_id, action_id, phase, command, arguments, system_user_name, host, given_name, version, outcome, message, state
      ) values (
        ${phase.tenantId}::bigint, ${action.id}, ${phase.phase}, ${action.command}, ${jsonParameter(action.arguments)}::jsonb,
        ${operator.system}, ${operator.host}, ${operator.given}, ${VERSION}, ${phase.outcome ?? null}, ${phase.message ?? null},
        ${phase.state === undefined ? null : jsonParameter(phase.state)}::jsonb
      )`)
    return true
  } catch (error) {
    if (errorClass(error) === NO_TABLE) return false
    throw error
  }
}

const Listed = v.object({
  tenant_id: v.nullable(v.string()),
  begun_at: v.nullable(v.string()),
  ended_at: v.nullable(v.string()),
  command: v.string(),
  arguments: v.string(),
  system_user: v.string(),
  host: v.string(),
  given_name: v.nullable(v.string()),
  version: v.string(),
  outcome: v.nullable(v.string()),
  message: v.nullable(v.string()),
  before: v.nullable(v.string()),
  after: v.nullable(v.string()),
})
/** An action with both of its rows. `arguments`, `before` and `after` are JSON texts. */
export type ListedAction = v.InferOutput<typeof Listed>

/** The newest actions of a cell, of one tenant (`INSTALLATION`: of none) or of all. */
export const listActions = (
  pool: Pool,
  {
    tenantId,
    after,
    limit,
  }: { readonly tenantId: string | null; readonly after: string | null; readonly limit: number },
): Promise<readonly ListedAction[]> =>
  pool.any(rows(Listed)`
    select nullif(max(tenant_id), 0)::text as tenant_id, iso(min(at) filter (where phase = 'begun')) as begun_at,
      iso(max(at) filter (where phase = 'ended')) as ended_at, min(command) as command, min(arguments::text) as arguments,
      min(system_user_name) as system_user, min(host) as host, min(given_name) as given_name, min(version) as version,
      min(outcome) as outcome, min(message) as message, min(state::text) filter (where phase = 'begun') as before,
      min(state::text) filter (where phase = 'ended') as after
    from operator_actions
    where (${tenantId}::bigint is null or tenant_id = ${tenantId}::bigint) and (${after}::timestamptz is null or at >= ${after}::timestamptz)
    group by action_id
    order by min(at) desc
    limit ${limit}`)

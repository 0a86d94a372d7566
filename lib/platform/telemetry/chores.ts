/** The state of housekeeping chores: which process may run a chore, and which chores keep failing. It runs none of them. */
import * as v from 'valibot'
import { errorClass } from '../postgres/failures.ts'
import { type Connection, type Pool, rows, statement } from '../postgres/postgres.ts'

/** A chore that failed once may have had to wait for a lock, or a server was restarted. After two failures it probably needs help. */
export const FAILURES_OF_A_FAULT = 2

/**
 * Takes the turn of a chore. False if a process began it within `pauseMs`. A beginning in the future does not count: a clock was wrong
 * then.
 */
export async function takeTurn(pool: Pool, name: string, pauseMs: number): Promise<boolean> {
  const taken = await pool.maybeOne(rows(v.object({ name: v.string() }))`
    insert into chores (name, begun_at) select ${name}, now()
    on conflict (name) do update set begun_at = excluded.begun_at
    where chores.begun_at not between excluded.begun_at - make_interval(secs => ${pauseMs / 1_000}) and clock_timestamp()
    returning name`)
  return taken !== null
}

export async function noteDone(pool: Pool, name: string): Promise<void> {
  await pool.query(statement`
    update chores set failures = 0, failing_since = null, error = null where name = ${name} and failures > 0`)
}

export async function noteFailure(pool: Pool, name: string, error: unknown): Promise<void> {
  await pool.query(statement`
    update chores set failures = failures + 1, failing_since = least(failing_since, now()), error = ${errorClass(error)}
    where name = ${name}`)
}

const ChoreState = v.object({
  name: v.string(),
  failures: v.number(),
  failing_ms: v.nullable(v.number()),
  error: v.nullable(v.string()),
})
export type ChoreState = v.InferOutput<typeof ChoreState>

/** The chores that were begun within a day. A later version may not have every chore. */
export async function choreStates(pool: Connection): Promise<readonly ChoreState[]> {
  return pool.any(rows(ChoreState)`
    select name, failures, (extract(epoch from now() - failing_since) * 1000)::float8 as failing_ms, error
    from chores where begun_at > now() - interval '1 day' order by name`)
}

/**
 * Rows that are measured in turn with their limit, so that what else the machine does falls on both; of some rounds the median
 * counts.
 */

import { sql } from 'slonik'
import * as v from 'valibot'
import { rows, statement } from '../lib/platform/postgres/postgres.ts'
import { type Figures, median } from './measure.ts'
import type { Goal, Result } from './table.ts'
import type { BenchTenant, World } from './types.ts'
import { usagePer } from './usage.ts'
import type { Span, Writes } from './writes.ts'

/** What rows are measured with. */
export type Bench = {
  readonly world: World
  readonly tenants: readonly [BenchTenant, ...BenchTenant[]]
  /** Of the bare runs: one for each connection. */
  readonly bareTenants: readonly [BenchTenant, ...BenchTenant[]]
  readonly isQuick: boolean
  readonly rounds: number
  readonly roundMs: number
}

/** Tells what is measured now; `row`: which of the part. */
export type Say = (row: number, what: string) => void

export type Row = {
  readonly name: string
  readonly goals: readonly Goal[]
  /** Processor time of each write, of all processes. */
  readonly msMax?: number | undefined
  readonly measure: () => Promise<Figures & Partial<Span & Pick<Writes, 'writes'>>>
}

export async function inTurn(
  { rounds }: Pick<Bench, 'rounds'>,
  rows: readonly Row[],
  limit: () => Promise<Figures>,
  say: Say,
): Promise<Result[]> {
  const limits: Figures[] = []
  const measured = rows.map(row => ({ row, figures: [] as Awaited<ReturnType<Row['measure']>>[] }))
  for (let round = 0; round < rounds; round++) {
    const of = `round ${round + 1} of ${rounds}`
    say(0, `${of}, the limit`)
    limits.push(await limit())
    for (const [at, { row, figures }] of measured.entries()) {
      say(at, `${of}, ${row.name}`)
      figures.push(await row.measure())
    }
  }
  const errorsOf = (all: readonly Figures[]) => all.reduce((sum, { errors }) => sum + errors, 0)
  return measured.map(({ row: { name, goals, msMax }, figures }) => {
    const spans = figures.flatMap(({ from, to }) => (from && to ? [{ from, to }] : []))
    const count = figures.reduce((sum, each) => sum + (each.writes ?? each.count), 0)
    return {
      name,
      goals,
      service: median(figures.map(({ perSecond }) => perSecond)),
      limit: median(limits.map(({ perSecond }) => perSecond)),
      unit: '/s',
      errors: errorsOf(figures) + errorsOf(limits),
      p50: median(figures.map(({ p50 }) => p50)),
      p99: median(figures.map(({ p99 }) => p99)),
      ...(spans.length === 0 ? {} : { cost: { each: usagePer(spans, count), goal: msMax } }),
    }
  })
}

/**
 * A database in use has statistics. What is still small is left out: its rows would be taken to lie as thinly in its blocks as they
 * do now, until autovacuum comes by, after a minute (docs/decisions/0005).
 */
export async function gatherStatistics({ pool }: World): Promise<void> {
  const filled = await pool.any(rows(v.object({ name: v.string() }))`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r' and pg_relation_size(oid) > 10 * 8192
  `)
  const names = filled.map(({ name }) => sql.identifier([name]))
  await pool.query(statement`analyze ${sql.join(names, sql.fragment`, `)}`)
}

/**
 * Runs recorded units of work again, round trip by round trip: with ids that Postgres gives now, the tenant's time and event sequence as
 * they are now, and keys and numbers of the round. Nothing is decided in between: that is what makes it a limit.
 */
import { isDeepStrictEqual } from 'node:util'
import type pg from 'pg'
import { textOf } from '../lib/platform/postgres/round-trip.ts'
import { holdsSequences, record } from '../lib/work/log.ts'
import { idsIn, type Recording, send, tenantIn, Watch } from './recording.ts'

/** What of a chain is fresh, as far as it has run. */
type Fresh = { readonly round: number; readonly ids: string[]; readonly nows: string[]; sequence: number }
type Piece = string | ((fresh: Fresh) => string)

const recordText = record({ log: [], refused: [], outbox: [], streams: [] }).text

/** One error is enough to see what is wrong. */
let isTold = false

/**
 * Runs a chain; resolves with whether every statement gave or wrote as many rows as the recorded one, and if it `isWatched`,
 * whether every unit changed as many rows of every table.
 */
type Replay = (client: pg.Client, round: number, isWatched: boolean) => Promise<boolean>

/** A recorded chain, prepared: where its texts must be fresh is looked up once. */
export function replayOf(units: Recording): Replay {
  const pieces = new Map<string, Piece>()
  let ids = 0
  const prepared = units.map((unit, at) => {
    for (const id of unit.ids) {
      const nth = ids++
      pieces.set(id, fresh => fresh.ids[nth] ?? '')
    }
    for (const text of unit.uniques) pieces.set(text, ({ round }) => `${text}-${round}`)
    pieces.set(unit.now, ({ nows }) => nows[at] ?? '')
    const texts = [...pieces.keys()].map(text => RegExp.escape(text)).join('|')
    const anywhere = new RegExp(texts, 'g')
    const anySequence = /\d+/g
    const later = (sequence: string) => {
      const events = Number(sequence) - unit.sequence
      return (fresh: Fresh) => String(fresh.sequence + events)
    }
    const freshOf = (value: unknown, pattern: RegExp): ((fresh: Fresh) => unknown) => {
      if (typeof value !== 'string') return () => value
      const parts: Piece[] = []
      let end = 0
      for (const { 0: text, index } of value.matchAll(pattern)) {
        parts.push(value.slice(end, index), pieces.get(text) ?? later(text))
        end = index + text.length
      }
      parts.push(value.slice(end))
      return fresh => parts.reduce<string>((whole, part) => whole + (typeof part === 'string' ? part : part(fresh)), '')
    }
    const trips = unit.trips.map(trip =>
      trip.map(({ text, values, count }) => {
        const patternOf = (at: number) => (text === recordText && holdsSequences(at) ? anySequence : anywhere)
        return { text, count, values: values.map((value, at) => freshOf(textOf(value), patternOf(at))) }
      }),
    )
    return { trips, changes: unit.changes }
  })
  const runUnit = async (
    client: pg.Client,
    { trips, changes }: (typeof prepared)[number],
    fresh: Fresh,
    watch?: Watch,
  ) => {
    let isSame = true
    for (const trip of trips) {
      const queries = trip.map(({ text, values }) => ({ text, values: values.map(value => value(fresh)) }))
      const answers = await (watch ? watch.send(client, queries) : send(client, queries))
      for (const [at, query] of queries.entries()) {
        const { rows = [], rowCount = null } = answers[at] ?? {}
        if (rowCount !== trip[at]?.count) isSame = false
        fresh.ids.push(...idsIn(query, rows))
        const tenant = tenantIn(query, rows)
        if (!tenant) continue
        fresh.nows.push(tenant.now)
        fresh.sequence = tenant.sequence
      }
    }
    return isSame && (!watch || isDeepStrictEqual(watch.changes, changes))
  }
  return async (client, round, isWatched) => {
    const fresh: Fresh = { round, ids: [], nows: [], sequence: 0 }
    try {
      for (const unit of prepared)
        if (!(await runUnit(client, unit, fresh, isWatched ? new Watch() : undefined))) return false
      return true
    } catch (error) {
      await client.query('rollback')
      if (!isTold) process.stderr.write(`a bare run: ${error}\n`)
      isTold = true
      return false
    }
  }
}

/** PostgreSQL writes times for answers as JavaScript does, in every time zone of the session. */

import * as v from 'valibot'
import { rows, statement } from '../../lib/platform/postgres/postgres.ts'
import { benchOfFile } from '../support/of-file.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta, { isSerial: true })

const { pool } = await benchOfFile()

const Spelled = v.object({ micros: v.string(), spelled: v.string() })

/** Times from the year 1 on. Microseconds are cut off, also before 1970. */
const ofMicros = (micros: bigint): string => {
  const millis = micros / 1_000n - (micros % 1_000n < 0n ? 1n : 0n)
  return new Date(Number(millis)).toISOString()
}

for (const [zone, style] of [
  ['UTC', 'ISO'],
  ['Europe/Berlin', 'SQL, DMY'],
] as const)
  test(`a time is spelled in UTC with its milliseconds, in ${zone}`, async t => {
    const found = await pool.transaction(async connection => {
      await connection.query(
        statement`select set_config('timezone', ${zone}, true), set_config('datestyle', ${style}, true)`,
      )
      // Whole years apart with odd fractions, and times next to a second, a day, 1970, and the first and last moments.
      return connection.any(rows(Spelled)`
        select (extract(epoch from at) * 1000000)::bigint::text as micros, iso(at) as spelled
        from (
          select timestamptz '0001-01-01 00:00:00Z' + n * interval '788400 s 37 us' as at from generate_series(0, 400000, 40) n
          union all
          select begin::timestamptz + n * interval '101 us'
          from unnest(array['1969-12-31 23:59:59.9Z', '2026-02-28 23:59:59.9Z', '9999-12-31 23:59:59.9Z']) begin
          cross join generate_series(0, 980) n
          union all
          select timestamptz '2026-11-28 00:00:00Z' + n * interval '0.1 s' from generate_series(0, 50) n
        ) times`)
    })
    t.true(found.length > 10_000)
    for (const { micros, spelled } of found)
      if (spelled !== ofMicros(BigInt(micros))) t.is(spelled, ofMicros(BigInt(micros)), micros)
    t.is(new Set(found.map(({ spelled }) => spelled.length)).size, 1)
  })

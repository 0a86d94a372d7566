/** The tenant's days: when they begin, closed periods, dates in bodies and the days of plans, all in its zone. */

import * as v from 'valibot'
import { createProduct } from '../../lib/domain/catalogue/commands.ts'
import { createReservation } from '../../lib/domain/sales/reservations/commands.ts'
import { createAdjustment } from '../../lib/domain/stock/adjustments/commands.ts'
import { listStock } from '../../lib/domain/stock/levels/endpoints.ts'
import { dayIn, isTimeZone, startOfDay } from '../../lib/kit/days.ts'
import { rows, sql } from '../../lib/platform/postgres/postgres.ts'
import { benchOfFile } from '../support/of-file.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)
const bench = await benchOfFile()

test('a day begins at its first moment, also where midnight is left out, comes twice, or the day is left out', t => {
  const days = [
    ['UTC', '2026-11-21', '2026-11-21T00:00:00.000Z'],
    ['Pacific/Tongatapu', '2026-11-21', '2026-11-20T11:00:00.000Z'],
    ['Pacific/Niue', '2026-11-21', '2026-11-21T11:00:00.000Z'],
    ['Asia/Kolkata', '2026-11-21', '2026-11-20T18:30:00.000Z'],
    ['Australia/Lord_Howe', '2026-10-05', '2026-10-04T13:00:00.000Z'], // the clock is set forward by half an hour
    ['America/Santiago', '2026-09-06', '2026-09-06T04:00:00.000Z'], // from 00:00 to 01:00
    ['America/Santiago', '2026-04-05', '2026-04-05T04:00:00.000Z'], // back from 00:00 to 23:00
    ['America/Havana', '2026-11-01', '2026-11-01T04:00:00.000Z'], // back from 01:00 to 00:00
    ['Pacific/Apia', '2011-12-30', '2011-12-30T10:00:00.000Z'], // there was no such day
  ] as const
  for (const [zone, day, start] of days) {
    t.is(startOfDay(zone, day), start, `${zone} ${day}`)
    t.true(dayIn(zone, start) >= day)
    t.true(dayIn(zone, new Date(Date.parse(start) - 1).toISOString()) < day, `${zone} ${day}`)
  }
})

test('a period closes when its last day ends in the zone, and a date without a time is the start of that day there', async t => {
  for (const [timeZone, start] of [
    ['Pacific/Tongatapu', '2026-10-31T11:00:00.000Z'],
    ['Pacific/Niue', '2026-11-01T11:00:00.000Z'],
  ] as const) {
    const tenant = await bench.tenant({ timeZone, closedThrough: '2026-10-31' })
    const { variants } = await tenant.done(createProduct, { title: 'Oak' })
    const adjust = (date: string) =>
      tenant.run(createAdjustment, { date, items: [{ item_variant_id: variants[0].id, quantity: 1 }] })
    t.is((await adjust('2026-11-01')).body?.date, start)
    t.is((await adjust(start)).body?.date, start)
    const before = new Date(Date.parse(start) - 1).toISOString()
    t.like((await adjust(before)).refusal, { refusal: 'unprocessable' })
    t.like((await adjust('2026-10-31')).refusal, { refusal: 'unprocessable' })
    const hold = { expires_at: '2026-12-01', items: [{ item_variant_id: variants[0].id, quantity: 1 }] }
    t.is((await tenant.done(createReservation, hold)).expires_at, startOfDay(timeZone, '2026-12-01'))
  }
})

test('is_expired of what is read goes by the zone: what has expired in Kiritimati is good in Niue', async t => {
  const yesterday = new Date(Date.now() - 11 * 3_600_000).toISOString().slice(0, 10)
  for (const [timeZone, isExpired] of [
    ['Pacific/Kiritimati', true],
    ['Pacific/Niue', false],
  ] as const) {
    const tenant = await bench.tenant({ timeZone })
    tenant.now = new Date().toISOString()
    const { variants } = await tenant.done(createProduct, { title: 'Milk', batch_tracked: true })
    const item = { item_variant_id: variants[0].id, quantity: 3, batch_number: 'A', expiry_date: yesterday }
    await tenant.done(createAdjustment, { items: [item] })
    const [row] = await tenant.page(listStock)
    t.like(row, { is_expired: isExpired, expired_quantity: isExpired ? 3 : 0, available_quantity: isExpired ? 0 : 3 })
    t.deepEqual(await bench.faults(tenant.id), [])
  }
})

test('the runtime and PostgreSQL see the same day in every zone, also in those that PostgreSQL has as abbreviations', async t => {
  const links = ['CET', 'MET', 'EET', 'WET', 'EST', 'MST', 'HST', 'EST5EDT', 'GB', 'NZ', 'Etc/GMT+5', 'europe/berlin']
  const zones = [...Intl.supportedValuesOf('timeZone'), ...links]
  // Around midnight in UTC, and through the other hours of the day, on days of summer and winter.
  const moments = ['2026-01-15', '2026-03-29', '2026-07-15', '2026-10-25'].flatMap(day =>
    Array.from({ length: 96 }, (_, quarter) => new Date(Date.parse(day) + quarter * 900_000).toISOString()),
  )
  const found = await bench.pool.any(rows(v.object({ zone: v.string(), days: v.array(v.string()) }))`
    select z as zone, array_agg(local_day(z, m)::text order by m) as days
    from unnest(${sql.array(zones, 'text')}) z, unnest(${sql.array(moments, 'timestamptz')}) m
    where lower(z) in (select lower(name) from pg_timezone_names) group by z`)
  for (const link of links) t.true(found.some(({ zone }) => zone === link) && isTimeZone(link), link)
  const apart = found.filter(({ zone, days }) => moments.some((moment, at) => days[at] !== dayIn(zone, moment)))
  // Node and PostgreSQL have different releases of the time zone data, and countries change their rules.
  t.log(apart.map(({ zone }) => zone))
  t.true(apart.length < 5 && !apart.some(({ zone }) => links.includes(zone)))
  for (const offset of ['+01:00', '-11', 'UTC+1', 'Berlin', 'Europe/Nowhere', '']) t.false(isTimeZone(offset), offset)
})

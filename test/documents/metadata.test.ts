/** Metadata: every record with an `external_ref` has names and texts of the caller's own, which a PATCH merges. */
import * as v from 'valibot'
import { jsonSchemaOf } from '../../lib/kit/api/json-schema.ts'
import { changedMetadata } from '../../lib/kit/api/metadata.ts'
import type { AnyNoun } from '../../lib/kit/documents/noun.ts'
import { documentJson } from '../../lib/kit/documents/render.ts'
import { fixedFragment, rows, sql, statement } from '../../lib/platform/postgres/postgres.ts'
import type { Loose } from '../support/command-context.ts'
import { benchOfFile, unitsOfFile } from '../support/of-file.ts'
import { column } from '../support/records.ts'
import { testsOf } from '../support/suite.ts'
import { commandOf } from '../support/units.ts'
import { changeOf, creationOf, headOf, readOf, recorded, recordOf, type Shop, shop } from './recorded.ts'

const test = testsOf(import.meta)

const bench = await benchOfFile()
const units = await unitsOfFile()

const path = ({ id }: Loose) => ({ id: id as string })

test('every noun with an external_ref has metadata and says who made and changed a record; all but packings take a PATCH', t => {
  t.true(recorded.length >= 15)
  for (const noun of recorded) {
    for (const name of ['metadata', 'created_by_user_name', 'updated_by_user_name'])
      t.true(name in noun.fields, `${noun.kind}.${name}`)
    const change = changeOf(noun)
    if (change === undefined) continue
    const { properties = {} } = jsonSchemaOf((change as Loose).body, 'request')
    t.true('metadata' in properties && 'external_ref' in properties, noun.kind)
    if ('notes' in noun.fields) t.true('notes' in properties, noun.kind)
  }
})

test('a record of every noun shows its metadata in the order of attributes, merges those of a PATCH, and tells of them', async t => {
  const room = await shop(bench)
  for (const noun of recorded) {
    t.deepEqual((await recordOf(room, noun)).metadata, {}, noun.kind)
    const metadata = { zebra: '1', constructor: '  made \u2028"so"\\ ', b: 'ö💧', '0.a-b_C': 'x' }
    const { endpoint, body, params } = await creationOf(room, noun)
    const { body: made, events } = await room.tenant.run(endpoint, { ...body, metadata }, params)
    const record = headOf(noun, made)
    const shown = { b: 'ö💧', zebra: '1', '0.a-b_C': 'x', constructor: 'made \u2028"so"\\' }
    t.is(JSON.stringify(record.metadata), JSON.stringify(shown), noun.kind)
    const told = events.find(({ type }) => type === `${noun.kind}.created`)
    if (told) t.deepEqual(told.data, made, noun.kind)
    await asRead(noun, made)
    await merges(noun, record)
  }

  async function asRead(noun: AnyNoun, made: Loose) {
    const { text } = await bench.pool.one(rows(v.object({ text: v.string() }))`
      select ${fixedFragment(documentJson(noun, 'd'))} as text from ${sql.identifier([noun.table])} d
      where d.tenant_id = ${room.tenant.id}::bigint and d.id = ${headOf(noun, made).id}::bigint`)
    t.is(text, JSON.stringify(made), noun.kind)
  }

  async function merges(noun: AnyNoun, record: Loose) {
    const change = changeOf(noun)
    if (change === undefined) return
    const { body, events } = await room.tenant.run(
      change,
      { metadata: { zebra: null, b: 'ö💧', c: 'new', gone: null, toString: null } },
      path(record),
    )
    const after = headOf(noun, body)
    t.deepEqual(after.metadata, { b: 'ö💧', c: 'new', '0.a-b_C': 'x', constructor: 'made \u2028"so"\\' }, noun.kind)
    t.like(events, [{ type: `${noun.kind}.updated`, data: body }], noun.kind)
    t.deepEqual(headOf(noun, events[0]?.previous).metadata, record.metadata, noun.kind)
    const same = await room.tenant.run(change, { metadata: { c: 'new', absent: null } }, path(record))
    t.deepEqual([same.body, same.events], [body, []], `${noun.kind}: the same changes nothing`)
    const read = readOf(noun)
    if (read) t.deepEqual(await room.tenant.read(read, path(record)), body, noun.kind)
  }
})

test('names and texts that are none are refused in the body of every noun, and name the field', async t => {
  const room = await shop(bench)
  const names = (count: number, first = 0) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`n${first + at}`, 'x']))
  const bad: readonly (readonly [body: string, words: RegExp])[] = [
    ['{"__proto__": "x"}', /^a name must have/],
    ['{"": "x"}', /^a name must have/],
    ['{" a": "x"}', /^a name must have/],
    ['{"a b": "x"}', /^a name must have/],
    ['{"ä": "x"}', /^a name must have/],
    ['{"_a": "x"}', /^a name must have/],
    [JSON.stringify({ ['a'.repeat(41)]: 'x' }), /^a name must have/],
    [JSON.stringify(names(101)), /^must have at most (?:50|100) names$/],
    ['{"a": ""}', /^a: must not be empty$/],
    ['{"a": "  "}', /^a: must not be empty$/],
    ['{"a": 1}', /^a: must be a string$/],
    ['{"a": true}', /^a: must be a string$/],
    ['{"a": {"b": "c"}}', /^a: must be a string$/],
    ['{"a": ["c"]}', /^a: must be a string$/],
    [JSON.stringify({ a: 'x'.repeat(501) }), /^a: must have at most 500 characters$/],
    ['{"a": "\\ud800"}', /^a: must be well-formed Unicode/],
    ['{"a": "\\u0000"}', /^a: must not contain the character U\+0000$/],
    ['[]', /^must be an object of strings$/],
    ['"text"', /^must be an object of strings$/],
    ['null', /^must not be null$/],
  ]
  const onlyInPost: typeof bad = [
    ['{"a": null}', /^a: must be a string$/],
    [JSON.stringify(names(51)), /^must have at most 50 names$/],
  ]
  for (const noun of recorded) {
    const { endpoint, body, params } = await creationOf(room, noun)
    const withText = (text: string) =>
      `${JSON.stringify({ ...body, at: 0 }).slice(0, -1)},"metadata":${text}}`.replace('"at":0,', '')
    for (const [text, words] of [...bad, ...onlyInPost]) await refuses(endpoint, withText(text), params, words, noun)
    const change = changeOf(noun)
    if (change === undefined) continue
    const record = await recordOf(room, noun)
    for (const [text, words] of bad) await refuses(change, `{"metadata":${text}}`, path(record), words, noun)
  }

  async function refuses(
    endpoint: Loose,
    body: string,
    params: Record<string, string>,
    words: RegExp,
    { kind }: AnyNoun,
  ) {
    const refused = await room.tenant.refusal(endpoint, body, params)
    const [, said = refused] = /^validation_failed metadata: (.*)$/s.exec(refused) ?? []
    t.regex(said, words, `${kind}: ${body.slice(0, 100)}`)
  }
})

test('500 characters, 50 names and 16 KiB fit; a PATCH that leaves a name or a byte more is refused and changes nothing', async t => {
  const room = await shop(bench)
  const text = '💧'.repeat(500)
  // Eight texts of 2,000 bytes, with names, quotes, colons and commas.
  const eight = Object.fromEntries(Array.from({ length: 8 }, (_, at) => [`n${at}`, text]))
  const left = 16 * 1024 - Buffer.byteLength(JSON.stringify({ ...eight, z: '' }))
  t.true(left > 0 && left < 500)
  const full = { ...eight, z: 'x'.repeat(left) }
  t.is(Buffer.byteLength(JSON.stringify(full)), 16 * 1024)
  for (const noun of recorded) {
    const { endpoint, body, params } = await creationOf(room, noun)
    const over = { ...eight, z: 'x'.repeat(left + 1) }
    t.is(
      await room.tenant.refusal(endpoint, { ...body, metadata: over }, params),
      'validation_failed metadata: must have at most 16384 bytes of JSON, and has 16385',
      noun.kind,
    )
    const made = headOf(noun, await room.tenant.done(endpoint, { ...body, metadata: full }, params))
    t.deepEqual(made.metadata, full, noun.kind)
    const change = changeOf(noun)
    if (change) await changes(noun, change, made)
  }

  async function changes(noun: AnyNoun, change: Loose, made: Loose) {
    const { tenant } = room
    t.is(
      await tenant.refusal(change, { metadata: { z: 'x'.repeat(left + 1) } }, path(made)),
      'validation_failed metadata: must have at most 16384 bytes of JSON, and has 16385',
      noun.kind,
    )
    const none = Object.fromEntries(Object.keys(full).map(name => [name, null]))
    const fifty = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`f${at}`, 'x']))
    const after = headOf(noun, await tenant.done(change, { metadata: { ...none, ...fifty } }, path(made)))
    t.deepEqual(Object.keys(after.metadata).length, 50, noun.kind)
    const one = { metadata: { more: 'x' } }
    t.is(
      await tenant.refusal(change, one, path(made)),
      'validation_failed metadata: must have at most 50 names',
      noun.kind,
    )
    const exchanged = await tenant.done(change, { metadata: { f0: null, more: 'x' } }, path(made))
    t.is(headOf(noun, exchanged).metadata.more, 'x', noun.kind)
  }
})

test('changes in one unit of work merge one after another, and the limits hold for what the last ones left', async t => {
  const room = await shop(bench)
  const noun = recorded.find(({ kind }) => kind === 'stock_adjustment') as AnyNoun
  const names = (from: number, count: number, text: string | null) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`n${from + at}`, text]))
  const record = await recordOf(room, noun, { metadata: names(0, 49, 'x') })
  const change = (metadata: object) => commandOf(room.tenant.id, ['updateStockAdjustment', { metadata }, record.id])
  const commands = [
    change({ a: '1' }),
    change({ b: '2' }),
    change({ a: null, b: '2' }),
    change(names(0, 49, null)),
    change(names(50, 49, 'y')),
  ]
  const [outcomes = []] = await units.outcomesOf([{ tenantId: room.tenant.id, commands }])
  t.deepEqual(column(outcomes, 'kind'), ['done', 'refused', 'done', 'done', 'done'])
  const { metadata } = await room.tenant.read(readOf(noun) as Loose, path(record))
  t.deepEqual(metadata, { b: '2', ...names(50, 49, 'y') })
})

test('merging never touches a prototype', t => {
  const before = { a: '1' }
  t.is(changedMetadata(before, { a: '1', constructor: null }), before)
  const after = changedMetadata(before, JSON.parse('{"constructor":"x","a":null}'))
  t.deepEqual(Object.entries(after), [['constructor', 'x']])
  t.is(Object.getPrototypeOf(after), Object.prototype)
})

test('a customer and a supplier that an order brings along take metadata, and are checked', async t => {
  const room = await shop(bench)
  const { tenant, sold } = room
  const items = [{ item_variant_id: sold, quantity: 1 }]
  for (const [kind, partner] of [
    ['sales_order', 'customer'],
    ['purchase_order', 'supplier'],
  ]) {
    const noun = recorded.find(each => each.kind === kind) as AnyNoun
    const { endpoint } = await creationOf(room, noun)
    const body = (metadata: unknown) => ({ items, [partner as string]: { title: 'Brought', metadata } })
    const { events } = await tenant.run(endpoint, body({ vip: 'yes' }))
    t.like(events.find(({ type }) => type === `${partner}.created`)?.data, { metadata: { vip: 'yes' } })
    t.is(
      await tenant.refusal(endpoint, body({ vip: '' })),
      `validation_failed ${partner}.metadata: vip: must not be empty`,
    )
    t.is(
      await tenant.refusal(endpoint, body({ vip: null })),
      `validation_failed ${partner}.metadata: vip: must be a string`,
    )
  }
})

test('rows of before read as empty metadata and nobody; a command of a server of the version before makes and changes records', async t => {
  const room = await shop(bench)
  for (const noun of recorded) {
    const { endpoint, body, params } = await creationOf(room, noun)
    const made = headOf(noun, await ofBefore(room, endpoint, body, params))
    t.like(made, { metadata: {}, updated_by_user_name: 'tester' }, noun.kind)
    await bench.pool.query(statement`
      update ${sql.identifier([noun.table])} set metadata = default, created_by_user_name = default, updated_by_user_name = default
      where tenant_id = ${room.tenant.id}::bigint and id = ${made.id}::bigint`)
    const read = readOf(noun)
    if (read === undefined) continue
    const shown = headOf(noun, await room.tenant.read(read, path(made)))
    t.like(shown, { metadata: {}, created_by_user_name: null, updated_by_user_name: null }, noun.kind)
    const after = headOf(noun, await room.tenant.done(changeOf(noun) as Loose, { external_ref: 'x' }, path(made)))
    t.like(after, { metadata: {}, created_by_user_name: null, updated_by_user_name: 'tester' }, noun.kind)
  }

  /** The body as the older server queued it. */
  async function ofBefore({ tenant }: Shop, endpoint: Loose, body: object, params: Record<string, string>) {
    const command = commandOf(tenant.id, [endpoint.id, body, params['id']])
    const { metadata, ...sent } = command.body as Loose
    t.deepEqual(metadata, {})
    const brought = sent.customer ?? sent.supplier
    if (brought) delete brought.metadata
    // The time must be in the future: these units of work run by the real clock and not by that of the test.
    if (sent.expires_at) sent.expires_at = new Date(Date.now() + 3_600_000).toISOString()
    const [[outcome] = []] = await units.outcomesOf([{ tenantId: tenant.id, commands: [{ ...command, body: sent }] }])
    if (outcome?.kind !== 'done') throw new Error(`${endpoint.id}: ${JSON.stringify(outcome)}`)
    return JSON.parse(outcome.body ?? '')
  }
})

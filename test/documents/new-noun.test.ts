/**
 * What a new noun takes: its declaration, its commands and its entry in the list of endpoints, all in this file. The rest is derived. A
 * later field takes a migration and one line.
 */

import type * as v from 'valibot'
import { clientText, type Description } from '../../client/generate/client.ts'
import { scopesOf } from '../../lib/access/scopes.ts'
import { Variant } from '../../lib/domain/catalogue/variant.ts'
import { StoragePlace } from '../../lib/domain/places/noun.ts'
import { causeOf } from '../../lib/domain/stock/cause.ts'
import { unquarantinedStock } from '../../lib/domain/stock/pick-order.ts'
import { issue } from '../../lib/domain/stock/posting-rules.ts'
import { positionOf } from '../../lib/domain/stock/stock.ts'
import { stockOf } from '../../lib/domain/stock/stock-load.ts'
import { invalid } from '../../lib/kit/api/errors.ts'
import { created, filtersOf, manyIds, uniqueCode } from '../../lib/kit/api/list-filters.ts'
import { changes } from '../../lib/kit/documents/acts.ts'
import { made, updated } from '../../lib/kit/documents/command.ts'
import { creates } from '../../lib/kit/documents/creates.ts'
import { lineOf, lines } from '../../lib/kit/documents/document.ts'
import { merged } from '../../lib/kit/documents/merging.ts'
import { noun, readsOf } from '../../lib/kit/documents/noun.ts'
import { referencesOf } from '../../lib/kit/documents/references.ts'
import { collected, resource } from '../../lib/kit/documents/resources.ts'
import { code, instant, key, longText, quantity, reference, text } from '../../lib/kit/fields/kinds.ts'
import { list } from '../../lib/nouns.ts'
import { openApiDocument } from '../../lib/openapi/openapi.ts'
import { statement } from '../../lib/platform/postgres/postgres.ts'
import { eventKindsOf } from '../../lib/webhooks/event-kinds.ts'
import { stockroom } from '../stock/stockroom.ts'
import { benchOfFile } from '../support/of-file.ts'
import { column } from '../support/records.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

const bench = await benchOfFile()
/** Samples: goods that are given away. @param hasColour whether the declaration has the line of a later field */
function samples(hasColour: boolean) {
  const added = (hasColour ? { colour: text().words('of the goods').orNull().writable() } : {}) as Record<never, never>
  const SampleItem = lineOf({
    table: 'sample_items',
    parent: 'sample_id',
    fields: {
      id: key(),
      item_variant_id: reference(Variant).writable('create'),
      quantity: quantity({ moreThan: '0' }).words('given away', 'how many are given away').writable('create'),
    },
  })

  const Sample = noun({
    name: 'sample',
    table: 'samples',
    path: '/samples',
    tag: ['Samples', 'Goods that are given away.'],
    scopes: { read: 'read:samples', create: 'write:samples', update: 'write:samples' },
    fields: {
      id: key(),
      number: code().counted('GA').writable('create'),
      storage_place_id: reference(StoragePlace).writable('create'),
      notes: longText().words('who asked for them', 'who asks for them').orNull().writable(),
      ...added,
      created_at: instant(),
      updated_at: instant(),
      items: lines(SampleItem, 'what was given').writable({ max: 10, on: 'create' }),
    },
    unique: ['number'],
    events: { created: 'Samples were given away.', updated: 'What is noted of samples changed.' },
    posts: { as: 'samples', kinds: { SAMPLE: 'goods given away' } },
    filters: filtersOf({ number: uniqueCode(), storage_place_id: manyIds(), ...created }),
  })

  const createSample = creates(Sample, {
    example: { storage_place_id: '1042', items: [{ item_variant_id: '1042', quantity: 1 }] },
    ids: body => 1 + body.items.length,
    needs: body => ({
      stock: stockOf({
        positions: body.items.map(({ item_variant_id: itemVariantId, quantity: wanted }) => ({
          ...{ itemVariantId, storagePlaceId: body.storage_place_id },
          take: { quantity: wanted, order: unquarantinedStock },
        })),
      }),
    }),
    decide: (body, { number, refuseTaken, stock }, { now, work }) => {
      const refused = refuseTaken()
      if (refused) return refused
      const id = work.newId()
      const cause = causeOf(Sample, 'SAMPLE', { id, date: now })
      for (const [at, { item_variant_id: itemVariantId, quantity: wanted }] of body.items.entries()) {
        const position = positionOf(stock, { itemVariantId, storagePlaceId: body.storage_place_id })
        const { missing } = issue(stock, cause, {
          position,
          quantity: wanted,
          batch: undefined,
          condition: 'unquarantined',
        })
        if (missing > 0n) return invalid(`items[${at}].quantity`, 'is more than there is')
      }
      const items = body.items.map(line => ({ ...line, id: work.newId() }))
      const sample = { ...body, id, number: number.take(), created_at: now, updated_at: now, items }
      return made(work, Sample, work.make(Sample, sample))
    },
  })

  const changeSample = changes(Sample, {
    example: { notes: 'For the fair' },
    decide: ({ record: before, body }, _, { work }) =>
      updated(work, Sample, { before, next: merged(Sample, before, body) }),
  })

  const [listSamples, getSample] = readsOf(Sample)
  return {
    createSample,
    changeSample,
    listSamples,
    getSample,
    all: resource([Sample], [listSamples, getSample, createSample, changeSample]),
  }
}

const given = samples(false)
const { endpoints, documents } = collected([...list, given.all])

const migrated = bench.pool
  .query(statement`
  create table samples (
    tenant_id bigint, id bigint, number text not null, storage_place_id bigint not null, notes text, created_at timestamptz not null,
    updated_at timestamptz not null, primary key (tenant_id, id)
  )`)
  .then(() =>
    bench.pool.query(statement`
  create table sample_items (
    tenant_id bigint, sample_id bigint, id bigint, item_variant_id bigint not null, quantity numeric not null,
    primary key (tenant_id, sample_id, id)
  )`),
  )
  .then(() =>
    bench.pool.query(statement`
  alter table stock_movements drop constraint stock_movements_kind_check, drop constraint stock_movements_source_type_check`),
  )

test('a noun that one file declares is made, read, listed, changed, told of and booked', async t => {
  await migrated
  const room = await stockroom(bench)
  const place = await room.place('Shop')
  const oak = await room.variant('OAK')
  await room.adjust([{ item_variant_id: oak, quantity: 5, unit_cost: 2 }])

  const { body: sample, events } = await room.tenant.run(given.createSample, {
    storage_place_id: place,
    items: [{ item_variant_id: oak, quantity: 1.5 }],
  })
  t.like(sample, { number: 'GA-00001', notes: null, items: [{ item_variant_id: oak, quantity: 1.5 }] })
  t.deepEqual(column(events, 'type'), ['stock.changed', 'sample.created'])
  t.deepEqual(await room.tenant.read(given.getSample, { id: sample.id }), sample)
  t.deepEqual(await room.tenant.page(given.listSamples, { filters: { storage_place_id: place } }), [sample])

  const change = await room.tenant.run(given.changeSample, { notes: 'For the fair' }, { id: sample.id })
  t.like(change.events, [{ type: 'sample.updated', data: { notes: 'For the fair' }, previous: { notes: null } }])

  const [movement] = await room.movements({ source_id: sample.id })
  t.like(movement, { kind: 'SAMPLE', source_type: 'SAMPLE', quantity: -1.5, value: -3 })

  const refused = (body: object) => room.tenant.refusal(given.createSample, body)
  t.is(await refused({ storage_place_id: place, items: [] }), 'validation_failed items: must have at least 1 entry')
  t.is(
    await refused({ storage_place_id: place, items: [{ item_variant_id: oak, quantity: 9 }] }),
    'validation_failed items[0].quantity: is more than there is',
  )
  t.regex(
    await refused({ number: 'GA-00001', storage_place_id: place, items: [{ item_variant_id: oak, quantity: 1 }] }),
    /number: is taken by/,
  )
})

test('its scopes, kinds of events and movements, references, description and client follow from the declaration', t => {
  t.true(scopesOf(endpoints).includes('write:samples'))
  const kinds = eventKindsOf(endpoints)
  t.is(kinds.get('sample.updated')?.description, 'What is noted of samples changed.')
  t.is(kinds.get('sample.created')?.data, given.getSample.reply as v.GenericSchema)
  const references = referencesOf(documents).filter(({ table }) => table.startsWith('sample'))
  t.deepEqual(
    references.map(({ table, columns, of }) => `${table}.${columns}: ${of}`),
    [
      'samples.storage_place_id: storage_places',
      'sample_items.item_variant_id: item_variants',
      'sample_items.sample_id: samples',
    ],
  )

  const description = openApiDocument(endpoints)
  const { schemas } = description.components
  t.true(description.tags.some(({ name }) => name === 'Samples'))
  t.deepEqual(
    Object.keys(description.paths)
      .filter(path => path.includes('samples'))
      .map(path => Object.keys(description.paths[path] ?? {})),
    [
      ['get', 'post'],
      ['get', 'patch'],
    ],
  )
  t.deepEqual(schemas['CreateSampleBody']?.required, ['storage_place_id', 'items'])
  t.deepEqual(Object.keys(schemas['UpdateSampleBody']?.properties ?? {}), ['notes'])
  t.true('sample.created' in description.webhooks)
  t.true(schemas['StockMovement']?.properties?.['kind']?.enum?.includes('SAMPLE'))
  t.true(schemas['BatchTraceRow']?.properties?.['source_type']?.enum?.includes('SAMPLE'))
  const choices = schemas['CreateWebhookSubscriptionBody']?.properties?.['events']?.items?.enum
  t.true(choices?.includes('sample.updated'))

  const client = clientText(description as unknown as Description)
  for (const part of ['export type Sample = {', 'export type CreateSampleBody = {', 'class SamplesEndpoints '])
    t.true(client.includes(part), part)
})

test('each field has words: its own before those of its name, and in the body of a new record what it means there', t => {
  const { components, paths } = openApiDocument(endpoints)
  const wordsOf = (schema: string): Readonly<Record<string, string | undefined>> => {
    const { properties = {} } = components.schemas[schema] ?? {}
    return Object.fromEntries(Object.entries(properties).map(([name, { description }]) => [name, description]))
  }
  t.deepEqual(wordsOf('SampleItem'), {
    id: 'Unique across all tenants; an int64 as text.',
    item_variant_id: 'The variant.',
    quantity: 'Given away.',
  })
  t.deepEqual(wordsOf('CreateSampleItem'), { item_variant_id: 'The variant.', quantity: 'How many are given away.' })
  t.deepEqual(wordsOf('CreateSampleBody'), {
    number: 'Unique per tenant and kind; counted unless given (`SO-00001`).',
    storage_place_id: 'The place; null is stock without a place.',
    notes: 'Who asks for them.',
    items: 'The lines.',
  })
  t.deepEqual(wordsOf('UpdateSampleBody'), { notes: 'Who asked for them.' })
  t.like(wordsOf('Sample'), { notes: 'Who asked for them.', created_at: 'When it was made.', items: 'What was given.' })
  t.true(Object.values(wordsOf('Sample')).every(words => words))

  const parameters = Object.values(paths).flatMap(({ get }) =>
    get?.operationId === 'listSamples' ? get.parameters : [],
  )
  const queries = (parameters ?? []).flatMap(each => (each && 'name' in each ? [[each.name, each.description]] : []))
  t.deepEqual(Object.fromEntries(queries), {
    id: 'Only what has one of these in `id`, joined by commas.',
    number: 'Only what has this `number`.',
    storage_place_id: 'Only what has one of these in `storage_place_id`, joined by commas.',
    created_after: 'Created at or after this. ISO-8601 date or timestamp; without an offset it is UTC.',
    created_before: 'Created before this. ISO-8601 date or timestamp; without an offset it is UTC.',
  })
})

test('a field takes a column and one line', async t => {
  await migrated
  const room = await stockroom(bench)
  const place = await room.place('Shop')
  const oak = await room.variant('OAK')
  await room.adjust([{ item_variant_id: oak, quantity: 5 }])
  const body = { storage_place_id: place, items: [{ item_variant_id: oak, quantity: 1 }] }
  const old = await room.tenant.done(given.createSample, body)

  await bench.pool.query(statement`alter table samples add column colour text`)
  const after = samples(true)
  t.like(await room.tenant.read(after.getSample, { id: old.id }), { number: old.number, colour: null })
  const { body: red, events } = await room.tenant.run(after.createSample, { ...body, colour: 'red' })
  t.is(red.colour, 'red')
  t.is(events.at(-1)?.data.colour, 'red')
  const change = await room.tenant.run(after.changeSample, { colour: 'blue' }, { id: red.id })
  t.like(change.events, [{ type: 'sample.updated', data: { colour: 'blue' }, previous: { colour: 'red' } }])
  t.deepEqual(column(await room.tenant.page(after.listSamples), 'colour'), [null, 'blue'])
  t.regex(await room.tenant.refusal(after.createSample, { ...body, colour: 5 }), /colour: must be a string/)
})

/** What a new field takes, on a document of its own: a migration, a line of its declaration, a line of its bodies. */
import test from 'ava'
import type { Schema } from '../../lib/kit/api/endpoint.ts'
import { nullable as nullableInput, optional, shape, text as textInput } from '../../lib/kit/api/fields.ts'
import { jsonSchemaOf } from '../../lib/kit/api/json-schema.ts'
import { filtersOf } from '../../lib/kit/api/list-filters.ts'
import { changed, command, given, made } from '../../lib/kit/documents/command.ts'
import { document } from '../../lib/kit/documents/document.ts'
import { theRecord } from '../../lib/kit/documents/needs.ts'
import { listOf, notFound, readOf } from '../../lib/kit/documents/reads.ts'
import { replyOf } from '../../lib/kit/documents/reply.ts'
import { instant, key, text } from '../../lib/kit/fields/kinds.ts'
import { statement } from '../../lib/platform/postgres/postgres.ts'
import { commandBench } from '../support/command-context.ts'
import { testServices } from '../support/services.ts'

const services = await testServices()
const bench = await commandBench(services.databaseUrl)
test.after.always(async () => {
  await bench.close()
  await services.close()
})

const words = { tag: ['Crates', 'For a test.'], scope: 'read:stock', summary: 'Crates' } as const
const writing = { ...words, refusals: [], countsAsDocument: false, example: {} } as const

/** A document and its endpoints; with `added`, as they are once the field has its lines. */
function cratesWith(added: boolean) {
  const Crate = document({
    kind: 'crate',
    noun: 'crate',
    table: 'crates',
    fields: {
      id: key(),
      title: text(),
      ...(added ? { colour: text().orNull() } : {}), // the declaration's line
      created_at: instant(),
    },
  })
  const NewCrate = shape({
    title: textInput(),
    ...(added ? { colour: nullableInput(textInput()) } : {}), // the bodies' lines
  }) as Schema
  const change = { title: optional(textInput()), ...(added ? { colour: optional(textInput()) } : {}) }
  const CrateChange = shape(change) as Schema
  return {
    reply: replyOf(Crate),
    read: readOf(Crate, { ...words, id: 'getCrate', path: '/crates/{id}' }),
    list: listOf(Crate, { ...words, id: 'listCrates', path: '/crates', filters: filtersOf({}) }),
    create: command({
      ...{ ...writing, id: 'createCrate', method: 'POST', path: '/crates', body: NewCrate, success: 201 },
      ids: () => 1,
      needs: () => ({}),
      decide: ({ body }, _facts, { now, work }) =>
        made(work, Crate, work.make(Crate, { ...(body as object), id: work.newId(), created_at: now } as never)),
    }),
    change: command({
      ...{ ...writing, id: 'updateCrate', method: 'PATCH', path: '/crates/{id}', body: CrateChange, success: 200 },
      ids: () => 0,
      needs: ({ params }) => ({ before: theRecord(Crate, params['id']) }),
      decide: ({ body }, { before }, { work }) =>
        before === null
          ? notFound(Crate)
          : changed(work, Crate, {
              before,
              after: work.change(Crate, { ...(before as object), ...given(body as object) } as never),
              event: 'updated' as never,
            }),
    }),
  }
}

test('a field is read, written, told of and described from its declaration alone', async t => {
  await bench.pool.query(statement`
    create table crates (tenant_id bigint, id bigint, title text not null, created_at timestamptz not null, primary key (tenant_id, id))`)
  const tenant = await bench.tenant()
  const before = cratesWith(false)
  const old = await tenant.done(before.create, { title: 'Old' })
  t.deepEqual(Object.keys(old), ['id', 'title', 'created_at'])

  await bench.pool.query(statement`alter table crates add column colour text`)
  const after = cratesWith(true)
  t.like(await tenant.read(after.read, { id: old.id }), { title: 'Old', colour: null })
  const { body: red, events } = await tenant.run(after.create, { title: 'New', colour: 'red' })
  t.like(red, { title: 'New', colour: 'red' })
  t.like(events, [{ type: 'crate.created', data: red, previous: null }])
  const change = await tenant.run(after.change, { colour: 'blue' }, { id: red.id })
  t.like(change.events, [{ type: 'crate.updated', data: { colour: 'blue' }, previous: { colour: 'red' } }])
  t.like(await tenant.read(after.read, { id: red.id }), { title: 'New', colour: 'blue' })
  t.like(await tenant.page(after.list), [{ colour: null }, { colour: 'blue' }] as never)
  const described = jsonSchemaOf(after.reply, 'reply') as { properties: Record<string, unknown>; required: string[] }
  t.deepEqual(Object.keys(described.properties), ['id', 'title', 'colour', 'created_at'])
  t.true(described.required.includes('colour'))
})

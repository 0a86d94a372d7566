/**
 * A small list of test endpoints, with one of each kind and every kind of field, so that tests can show by hand what the code derives from
 * a list. No server serves them.
 */
import * as v from 'valibot'
import { defineList, defineRead, type Endpoint } from '../../lib/kit/api/endpoint.ts'
import { refuse } from '../../lib/kit/api/errors.ts'
import {
  clearable,
  flag,
  id,
  list,
  nullable,
  oneOf,
  optional,
  quantity,
  shape,
  text,
  withDefault,
} from '../../lib/kit/api/fields.ts'
import { named } from '../../lib/kit/api/reply-fields.ts'
import { command } from '../../lib/kit/documents/command.ts'
import type { RecordedExamples } from '../../lib/openapi/recorded-examples.ts'
import { JsonNumber } from '../../lib/platform/json.ts'

const Crate = named(
  'Crate',
  v.object({
    id: v.string(),
    title: v.string(),
    kind: v.picklist(['WOOD', 'STEEL']),
    place_id: v.nullable(v.string()),
    weight: v.number(),
    parts: v.array(v.object({ id: v.string(), quantity: v.number() })),
  }),
)

const kinds = { WOOD: 'of planks', STEEL: 'of sheets' } as const

const absent = refuse('not_found', 'no such crate')
const nothing = async () => absent
const unit = { ids: () => 0, needs: () => ({}), decide: () => absent }

export const crateEndpoints: readonly Endpoint[] = [
  defineList({
    id: 'listCrates',
    path: '/crates',
    tag: ['Crates', 'For a test.'],
    scope: 'read:crates',
    summary: 'List crates',
    filters: shape({ kind: optional(oneOf(kinds)), place_id: optional(id()) }),
    reply: Crate,
    refusals: [],
    page: nothing,
  }),
  defineRead({
    id: 'getCrate',
    path: '/crates/{id}',
    tag: ['Crates', 'For a test.'],
    scope: 'read:crates',
    summary: 'Read a crate',
    reply: Crate,
    refusals: [],
    handle: nothing,
  }),
  command({
    id: 'createCrate',
    method: 'POST',
    path: '/crates',
    tag: ['Crates', 'For a test.'],
    scope: 'write:crates',
    summary: 'Create a crate',
    description: 'Makes a crate of its parts.',
    body: v.pipe(
      shape({
        title: text(),
        kind: withDefault(oneOf(kinds), 'WOOD'),
        place_id: nullable(id()),
        weight: withDefault(quantity({ min: '0' }), new JsonNumber('1.5')),
        sealed: clearable(flag()),
        parts: list(shape({ quantity: quantity({ moreThan: '0' }) }), { min: 1, max: 500 }),
      }),
      v.check(body => body.title !== 'forbidden'),
    ),
    example: { title: 'Apples', kind: 'STEEL', parts: [{ quantity: 2 }, { quantity: 3.5 }] },
    reply: Crate,
    refusals: ['insufficient_stock'],
    success: 201,
    replay: 200,
    countsAsDocument: true,
    ...unit,
  }),
  command({
    id: 'deleteCrate',
    method: 'DELETE',
    path: '/crates/{id}',
    tag: ['Crates', 'For a test.'],
    scope: 'write:crates',
    summary: 'Delete a crate',
    refusals: [],
    success: 204,
    countsAsDocument: false,
    ...unit,
  }),
]

const crate = { id: '1042', title: 'Apples', kind: 'STEEL', place_id: null, weight: 1.5, parts: [] }

export const crateExamples: RecordedExamples = {
  endpoints: {
    listCrates: { reply: { data: [crate], next_cursor: '' } },
    getCrate: { id: '1042', reply: crate },
    createCrate: {
      body: { title: 'Apples', kind: 'STEEL', parts: [{ quantity: 2 }, { quantity: 3.5 }] },
      reply: crate,
    },
    deleteCrate: { id: '1042' },
  },
  events: {},
  errors: {},
}

/** The schemas of a bulk and of its answer (docs/rules/requests.md, "Bulk writes"). */
import * as v from 'valibot'
import { BODY_BYTES_MAX } from '../../kit/api/body-limit.ts'
import { anything, clearable, list, oneOf, shape, text, withDefault } from '../../kit/api/fields.ts'
import { anyJson, choice, explained, named, orNull, plainText, truth, wholeNumber } from '../../kit/api/reply-fields.ts'
import { NESTING_MAX } from '../../platform/json.ts'

export const ENTRIES_MAX = 100
export const BULK_BYTES_MAX = 4 * BODY_BYTES_MAX
/** An entry's body is three levels deep: in an object, in a list, in an object. */
export const BULK_NESTING_MAX = NESTING_MAX + 3
const KEY_LENGTH_MAX = 200

const modes = {
  each: 'each entry stands alone; what is refused leaves the others as they are',
  all: 'one transaction: all entries are done, or none',
} as const

const modeWords = 'whether entries stand alone'
const keyWords = "the entry's own, in force alone and in a bulk alike; no two entries may share one"

const key = explained(text(KEY_LENGTH_MAX), keyWords)

const entry = {
  method: explained(
    oneOf({
      POST: 'makes a record or moves it',
      PUT: 'makes or changes the record of a reference',
      PATCH: 'changes a record',
      DELETE: 'removes a record',
    }),
    'of HTTP',
  ),
  path: explained(text(2_000), 'below `/api/external/v1`, without a query'),
  idempotency_key: key,
  if_match: clearable(anything({ type: 'string', description: 'as the header `If-Match`' })),
  body: clearable(
    anything({
      type: 'object',
      // Without it client generators make an object without fields.
      additionalProperties: true,
      description: 'as the endpoint takes it; left out where it takes none',
    }),
  ),
}

const bulkOf = <const Entry extends v.ObjectEntries>(of: Entry) =>
  shape({
    mode: withDefault(explained(oneOf(modes), modeWords), 'each'),
    requests: explained(list(shape(of), { min: 1, max: ENTRIES_MAX }), 'the writes, in the order in which they run'),
  })

export const NewBulk = bulkOf(entry)
/** A dry run of a bulk ignores keys. */
export const DryBulk = bulkOf({ ...entry, idempotency_key: clearable(key) })
export type NewBulk = v.InferOutput<typeof DryBulk>

export const BulkReply = named(
  'Bulk',
  shape({
    mode: explained(choice(modes), modeWords),
    results: explained(
      v.array(
        shape({
          idempotency_key: orNull(explained(plainText(), 'of the entry; null: it was run dry without a key')),
          status: explained(wholeNumber(), 'what the entry alone would have been answered with, or 424'),
          replayed: explained(truth(), 'whether it is the recorded answer of an earlier request'),
          etag: orNull(explained(plainText(), 'where the body is a record as its GET shows it')),
          retry_after: orNull(
            explained(wholeNumber(), 'seconds after which to try the entry again, where its refusal says so'),
          ),
          error_fields: orNull(
            explained(v.array(plainText()), 'the fields that a refusal `validation_failed` names, ten at most'),
          ),
          body: explained(anyJson(), 'what the entry alone would have been answered; null for a 204'),
        }),
      ),
      'in the order of `requests`',
    ),
  }),
)

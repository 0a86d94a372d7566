/** The list of requests: the outcome of each write that a worker decided (docs/rules/requests.md, "The list of requests"). */
import { defineList, type Json } from '../../kit/api/endpoint.ts'
import { oneOf, optional, shape, someIds, text, timestamp } from '../../kit/api/fields.ts'
import { ABOVE_ALL_IDS, BELOW_ALL_IDS } from '../../kit/api/page-order.ts'
import {
  choice,
  explained,
  idText,
  instant,
  named,
  orNull,
  plainText,
  wholeNumber,
} from '../../kit/api/reply-fields.ts'
import { resource } from '../../kit/documents/resources.ts'
import { type FoundRequest, findRequests } from './find-requests.ts'
import { lowestSince, timeOf } from './request-number.ts'

const DAY_MS = 24 * 60 * 60 * 1_000
const [DONE_KEPT_MS, REFUSED_KEPT_MS] = [30 * DAY_MS, DAY_MS]

const outcomes = { done: 'it was done', refused: 'it was refused, and nothing of it was done' } as const

const LoggedRequest = named(
  'LoggedRequest',
  shape({
    id: explained(idText(), 'the place in the list; ids rise as requests are decided'),
    request_id: explained(
      plainText(),
      'what `X-Request-Id` answered; of an entry of a bulk with its place: `req_x.007`',
    ),
    key_id: explained(idText(), 'the API key that sent it'),
    user_name: orNull(explained(plainText(), 'the user whom the key named; null: the key was issued without a name')),
    method: orNull(explained(plainText(), 'of HTTP')),
    path: orNull(explained(plainText(), 'below the prefix of the interface')),
    idempotency_key: explained(plainText(), 'with which it was sent'),
    outcome: explained(choice(outcomes), 'how it ended'),
    status: explained(wholeNumber(), 'of the answer'),
    error: orNull(explained(plainText(), 'the code of a refusal')),
    message: orNull(explained(plainText(), 'why it was refused; null for a key without the scope of that endpoint')),
    first_sequence: orNull(explained(wholeNumber(), 'of its first event; null: it told none')),
    last_sequence: orNull(explained(wholeNumber(), 'of its last event')),
    created_at: explained(instant(), 'when it was decided'),
  }),
)

const listRequests = defineList({
  id: 'listRequests',
  path: '/requests',
  tag: ['Requests', 'What became of each write, and who sent it.'],
  scope: 'read:requests',
  summary: 'List the writes and what became of them',
  description:
    'Every write that the service decided, newest first: successes of the last 30 days; refusals of the last 24 hours, the last 100,000. ' +
    'Replays are not listed, nor what was refused before it was queued (400 of a malformed body, 401, 403, 429 of the rate), nor entries ' +
    'of a bulk that were not applied (424). `request_id` of a bulk finds its entries. `created_after` is inclusive, `created_before` exclusive.',
  refusals: [],
  reply: LoggedRequest,
  order: 'desc',
  filters: shape({
    id: optional(someIds()),
    key_id: optional(someIds()),
    request_id: optional(explained(text(), 'of the request; that of a bulk finds its entries')),
    idempotency_key: optional(text()),
    outcome: optional(oneOf(outcomes)),
    created_after: optional(explained(timestamp(), 'decided at or after this')),
    created_before: optional(explained(timestamp(), 'decided before this')),
  }),
  page: async ({ pool, tenantId, scopes, now }, { filters, after, limit, order }) => {
    const { created_after: from, created_before: until } = filters
    const ago = (ms: number) => String(lowestSince(new Date(Date.parse(now) - ms).toISOString()))
    const found = await findRequests(pool, {
      tenantId,
      above: greatest(order === 'asc' ? after : null, from && String(lowestSince(from) - 1n)),
      below: least(order === 'desc' ? after : null, until && String(lowestSince(until))),
      doneSince: ago(DONE_KEPT_MS),
      refusedSince: ago(REFUSED_KEPT_MS),
      ids: filters.id,
      keyIds: filters.key_id,
      requestId: filters.request_id,
      idempotencyKey: filters.idempotency_key,
      outcome: filters.outcome,
      order,
      limit,
    })
    return found.map(request => ({ id: request.id, document: jsonOf(request, scopes) }))
  },
})

type Bound = string | null | undefined

const greatest = (a: Bound, b: Bound): string =>
  [a, b].reduce<string>((most, given) => (given && BigInt(given) > BigInt(most) ? given : most), BELOW_ALL_IDS)
const least = (a: Bound, b: Bound): string =>
  [a, b].reduce<string>((most, given) => (given && BigInt(given) < BigInt(most) ? given : most), ABOVE_ALL_IDS)

/** A key sees the reason of a refusal only if it could have made the request itself. */
function jsonOf({ scope, ...request }: FoundRequest, scopes: ReadonlySet<string>): Json {
  const { message, first_sequence: first, last_sequence: last } = request
  return JSON.stringify({
    ...request,
    message: scope === null || scopes.has(scope) ? message : null,
    first_sequence: first === null ? null : Number(first),
    last_sequence: last === null ? null : Number(last),
    created_at: timeOf(request.id),
  })
}

export const requests = resource([], [listRequests])

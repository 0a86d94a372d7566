/**
 * The texts that every integrator needs, in Markdown: the OpenAPI document's description and the docs page's guides are
 * both made of them. They tell only what holds for every endpoint; what one endpoint does stands in its declaration.
 */

import { errorCatalogue } from '../api/errors.ts'
import { guideFile } from './guide-file.ts'

export type Guide = { readonly id: string; readonly title: string; readonly markdown: string }

const FENCE = '```'

export const guides: readonly Guide[] = [
  {
    id: 'first-call',
    title: 'First call',
    markdown: `Every path begins with \`/api/external/v1\` and every call carries an API key:

${FENCE}sh
curl -sS {base_url}/api/external/v1/products -H "Authorization: Bearer $TOKEN"
${FENCE}

A list answers \`{ "data": [...], "next_cursor": "" }\`. A write also carries an \`Idempotency-Key\` of your choice:

${FENCE}sh
curl -sS {base_url}/api/external/v1/products \\
  -H "Authorization: Bearer $TOKEN" \\
  -H "Idempotency-Key: first-product" \\
  -H "Content-Type: application/json" \\
  -d '{"title": "Oak table", "sku": "OAK-TABLE"}'
${FENCE}

\`GET /api/external/v1\`, without a key, says where this description is, as a page and for programs.

Bodies are UTF-8 JSON objects of at most 1 MiB; an endpoint whose fields need less says how much it takes. Unknown fields and unknown query parameters are refused, so a misspelt name never goes unnoticed.`,
  },
  {
    id: 'authentication',
    title: 'Authentication',
    markdown: `Send \`Authorization: Bearer <key>\`. A key (\`mrk_...\`) belongs to one tenant and sees only that tenant's records; it is shown once, when it is issued.

Each endpoint needs one scope, stated beside it; \`GET /me\` needs none and tells whose the key is, what it may do and how many documents it has left today. A missing, malformed, expired or revoked key is answered with 401 \`unauthorized\`; a valid key without the scope with 403 \`forbidden\`, whose message names the scope. All keys of a tenant that its operator suspended are answered 403 too. Revocation and suspension hold within 5 seconds.`,
  },
  {
    id: 'idempotency',
    title: 'Safe retries',
    markdown: `Every write needs an \`Idempotency-Key\` of 1 to 200 characters. Make a new one per intended effect and send the same one again whenever you are unsure whether a call went through: a timeout, a broken connection, a 503.

- The same key with the same request has one effect. The repeat gets the first answer with the header \`Idempotent-Replayed: true\`; for product creation and stock adjustment its status is 200 instead of 201.
- The same key with another method, path or body is 409 \`conflict\`. Key order, white space and the spelling of numbers (\`1\`, \`1.0\`) make no difference; \`"1"\` and \`1\` do.
- A repeat that arrives while the first is still running waits for its answer.
- A refusal (4xx) had no effect and is not kept: correct the body and use the same key, if you like.
- Successes are kept for 30 days. Replays cost no document quota. Secrets are shown once: a replay has \`null\` in their place.

Writes of one tenant run one after another, in the order in which they arrived, each in one database transaction.`,
  },
  {
    id: 'lists',
    title: 'Lists and cursors',
    markdown: `Lists answer \`data\` and \`next_cursor\`. Pass \`next_cursor\` back as \`cursor\`, with the same filters, until it is empty. \`limit\` is 1 to 200 (50) and may change between pages.

\`order\` is \`asc\` or \`desc\`, over the order that a list has anyway: ascending ids, unless its endpoint says otherwise.

A cursor is opaque and belongs to its endpoint, tenant, filters and order; anywhere else it is 400. It stays valid while records change: a full read-through sees every record that was there from beginning to end exactly once.

To follow changes, remember the greatest \`updated_at\` that you saw and pass it as \`updated_after\` (inclusive), which \`GET /products\`, \`GET /suppliers\`, \`GET /customers\`, \`GET /operations\`, \`GET /recipes\`, \`GET /manufacturing-orders\`, \`GET /purchase-orders\`, \`GET /sales-orders\`, \`GET /sales-returns\` and \`GET /stock\` take. With it they go by \`updated_at\`, then \`id\`: a record that changes while you page is shown again further on, and nothing is missed. Stock alone stays in the order of ids: of it keep the time at which your last read-through began. Every write of a record is an event as well: read \`GET /events\`, follow \`GET /events/stream\`, or subscribe to webhooks.

Filters by \`status\` take several values joined by commas. \`q\` finds records that have every one of its words, in any case, as a part of their texts.

Archived records are listed unless you filter them. A filter by an id that is not yours answers an empty list.`,
  },
  {
    id: 'reads',
    title: 'Reading less',
    markdown: `Every answer to a read carries \`Event-Sequence\`, your tenant's last event at that moment (0: none yet): what it shows includes all events up to it. Who reads a list through, keeps the number of its first page, and then reads \`GET /events?after_sequence=\` from there on misses nothing.

A record that is read by its id carries an \`ETag\`. Send it back as \`If-None-Match\`: while the record is the same the answer is 304, without a body.

${FENCE}sh
curl -sS {base_url}/api/external/v1/products/1042 -H "Authorization: Bearer $TOKEN" -H 'If-None-Match: "HaZ0OVZJVJ6eYsUhJMaYJA"'
${FENCE}

With \`Accept-Encoding: gzip, br\` (\`curl --compressed\`) answers over 2 KiB come compressed; the \`ETag\` stays the same.`,
  },
  {
    id: 'bulk',
    title: 'Many writes at once',
    markdown: `\`POST /bulk\` takes up to 100 writes, each with its own \`idempotency_key\`, and answers what each alone would have been answered. With \`each\` (the default) what is refused leaves the others alone; with \`all\` they are one transaction: when one is refused nothing happens, and the others show 424 \`not_applied\`. Repeat it as it was when you are unsure: what is done is replayed. It takes as many requests of the rate as it has entries, at once.`,
  },
  {
    id: 'conditions',
    title: 'Edits that overwrite nobody',
    markdown: `PATCH, DELETE and the steps of a record take \`If-Match\` with the \`ETag\` that the record was read or answered with. Where it is another by the time the write runs, the answer is 412 \`precondition_failed\` and nothing happens: read it again, decide, and send that. Of many writers with one ETag one wins. \`*\` asks only that the record is there; a bulk's entries take the tag as \`if_match\`.`,
  },
  {
    id: 'errors',
    title: 'Errors',
    markdown: `Every error is an object of three strings:

${FENCE}json
{
  "error": "validation_failed",
  "message": "items[0].quantity: must be greater than 0",
  "request_id": "req_3v0k9w5m2c8r7x1t"
}
${FENCE}

\`error\` is a stable code for programs, \`message\` tells a person what is wrong and names the field (of a body or query with several faults up to ten, in their order, joined by \`; \`), and \`request_id\` (also in the header \`X-Request-Id\` of every answer) finds the call in the logs. A refused write changed nothing.

Retry 429 after the seconds in \`Retry-After\`, and 503 with the same \`Idempotency-Key\`: a 503 leaves open whether the write happened, and the key settles it. Do not retry other 4xx unchanged.

${errorTable()}`,
  },
  {
    id: 'limits',
    title: 'Rate limit and quota',
    markdown: `Each key may send 600 requests a minute and up to 100 at once, unless it was issued with other figures. Answers carry \`RateLimit-Limit\` (per minute), \`RateLimit-Remaining\` (what could be sent at once now) and \`RateLimit-Reset\` (seconds until the full burst is there again); 429 \`rate_limited\` carries \`Retry-After\` in seconds.

Creating documents also spends the key's daily quota: 500 a UTC day unless issued otherwise. Endpoints that spend it say so; only successes count, replays and refusals don't. Beyond it: 429 \`document_quota_exceeded\` with \`Retry-After\` to midnight UTC.`,
  },
  {
    id: 'values',
    title: 'Ids, decimals and dates',
    markdown: `**Ids** are int64 integers. Answers hold them as strings (\`"1042"\`), because many JSON readers round large numbers; bodies and filters take \`"1042"\` or \`1042\`. A reference to a record that is not there, or not yours, is 400.

**Quantities, prices and amounts** are JSON numbers with an exact decimal value. Read them into a decimal type, not into binary floating point. Quantities and prices have at most 6 decimals, quantities are below 1e9 in size, tax rates have at most 4 decimals. Amounts of money are rounded half away from zero to the currency's minor unit per line, and totals are sums of lines; costs and stock values are rounded to 4 decimals with every posting.

**Times** are answered as \`2026-11-21T05:00:00.000Z\`. Send an ISO-8601 date (the start of that day, UTC) or a timestamp (UTC without an offset). A document dated more than 5 minutes ahead, or in a closed accounting period, is 422.

**Absent values** are there as \`null\`. In a PATCH an omitted field stays as it is and \`null\` clears it. Text is trimmed.`,
  },
  { id: 'following', title: 'Following the changes', markdown: guideFile('following') },
  { id: 'webhooks', title: 'Webhooks', markdown: guideFile('webhooks') },
  {
    id: 'versioning',
    title: 'Versioning',
    markdown: `The version stands in the path. Within \`v1\`, fields of answers, endpoints, optional request fields, error codes and event kinds may be added; nothing is removed, renamed or given another meaning. Ignore fields that you don't know.`,
  },
]

function errorTable(): string {
  const rows = Object.entries(errorCatalogue).map(
    ([code, { status, meaning }]) => `| ${status} | \`${code}\` | ${meaning} |`,
  )
  return ['| Status | Code | Meaning |', '| --- | --- | --- |', ...rows].join('\n')
}

/** All guides as one Markdown text. */
export function guidesAsMarkdown(): string {
  return guides.map(({ title, markdown }) => `## ${title}\n\n${markdown}`).join('\n\n')
}

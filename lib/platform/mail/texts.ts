/** The texts of mails to tenants' owners. Pure; it must not know how they are sent. */
import * as v from 'valibot'

const facts = {
  /** The daily quota of documents of a key is used up. */
  quota_exhausted: v.object({
    key_id: v.string(),
    key_name: v.string(),
    daily_documents: v.number(),
    day: v.string(),
  }),
  /** A webhook subscription was disabled after its receiver failed. */
  webhook_disabled: v.object({
    subscription_id: v.string(),
    url: v.string(),
    reason: v.nullable(v.string()),
    last_delivery_at: v.nullable(v.string()),
  }),
}
type Kinds = typeof facts
type MailKind = keyof Kinds
export type MailFacts = { [K in MailKind]: { readonly kind: K; readonly facts: v.InferOutput<Kinds[K]> } }[MailKind]

type MailText = { readonly subject: string; readonly text: string }

/** Subject and text of a stored mail. @throws if kind or facts are unknown */
export function mailText(kind: string, stored: unknown): MailText {
  switch (kind) {
    case 'quota_exhausted':
      return quotaExhausted(v.parse(facts.quota_exhausted, stored))
    case 'webhook_disabled':
      return webhookDisabled(v.parse(facts.webhook_disabled, stored))
    default:
      throw new TypeError(`no text for mails of kind ${kind}`)
  }
}

// Lines have at most 76 characters. Longer ones would be encoded, and the raw mail unreadable.

function quotaExhausted(given: v.InferOutput<Kinds['quota_exhausted']>): MailText {
  const { key_id: id, daily_documents: limit, day } = given
  const name = given.key_name.replaceAll(/[\s\p{Cc}]+/gu, ' ')
  return {
    subject: `API key ${name}: daily document quota is spent`,
    text: `The API key "${name}" (id ${id})
has created ${limit} documents on ${day} (UTC), its daily quota.

Until midnight UTC, its requests that create documents are answered
with 429 document_quota_exceeded. Reads and all other writes go on.

If the key needs more, ask whoever runs the service for a key with a
higher quota.
`,
  }
}

function webhookDisabled(given: v.InferOutput<Kinds['webhook_disabled']>): MailText {
  const { subscription_id: id, url, reason, last_delivery_at: last } = given
  return {
    subject: `Webhook subscription ${id} was disabled`,
    text: `The webhook subscription ${id} was disabled because its receiver did
not take events.

Receiver: ${url}
Last failure: ${reason ?? 'unknown'}
Last success: ${last ?? 'none yet'}

Nothing more is sent to it. Its events are kept for 14 days. When the
receiver works again, enable the subscription:

PATCH /api/external/v1/webhook-subscriptions/${id}
{"enabled": true}

and send what it missed:

POST /api/external/v1/webhook-subscriptions/${id}/recover
{"since": "${last ?? 'the time of the first missing event'}"}
`,
  }
}

/**
 * The form of an answer in a reply stream. Redis may store it in a file, so a secret that is shown once is encrypted for the server that
 * waits.
 */

import type { SecretBox } from '../platform/secret-box.ts'
import type { Command, Done, Outcome } from './command.ts'

/** JSON in the stream. `body` is what replays show. */
type Form = Outcome & { readonly sealedBody?: string }

/** The encrypted body can be decrypted for this request only, so that no answer can replace another. */
const ownerOf = (requestId: string): string => `reply ${requestId}`

/**
 * The answer in the form of the stream. A secret is encrypted with a key that the server has too (`replyKeys`). Without such a key the
 * secret is left out and `onFault` is called.
 */
export const formReply = (outcome: Outcome, to: Recipient, options: Options): string =>
  JSON.stringify(formOf(outcome, to, options))

/** The request that gets the answer, and for a bulk also its entries. */
type Recipient = Pick<Command, 'requestId' | 'replyKeys' | 'entries'>
type Options = { readonly secrets: SecretBox; readonly onFault: (error: Error) => void }

function formOf(outcome: Outcome, to: Recipient, { secrets, onFault }: Options): Form {
  if (outcome.kind !== 'done') return outcome
  const { entries } = outcome
  if (entries)
    return {
      ...outcome,
      entries: entries.map(each => {
        const entry = to.entries?.find(({ requestId }) => requestId === each.requestId) ?? to
        return { ...formOf(each, entry, { secrets, onFault }), requestId: each.requestId }
      }),
    }
  if (outcome.recordedBody === undefined) return outcome
  const { recordedBody, ...done } = outcome
  const shown: Done = { ...done, body: recordedBody }
  const sealed = secrets.sealFor(to.replyKeys ?? [], Buffer.from(done.body ?? ''), ownerOf(to.requestId))
  if (!sealed) onFault(new Error('WEBHOOK_SECRET_KEY is not the same here and in the web process: no secret was shown'))
  return sealed ? { ...shown, sealedBody: sealed.toString('base64') } : shown
}

/** The answer from its form. If it cannot be decrypted, the secret is left out and `onFault` is called. */
export const readReply = (text: string, requestId: string, options: Options): Outcome =>
  readForm(JSON.parse(text) as Form, requestId, options)

function readForm({ sealedBody, ...outcome }: Form, requestId: string, { secrets, onFault }: Options): Outcome {
  if (outcome.kind === 'done' && outcome.entries) {
    const entries = outcome.entries.map(each => {
      return { ...readForm(each, each.requestId, { secrets, onFault }), requestId: each.requestId }
    })
    return { ...outcome, entries }
  }
  if (sealedBody === undefined || outcome.kind !== 'done') return outcome
  try {
    return { ...outcome, body: secrets.open(Buffer.from(sealedBody, 'base64'), ownerOf(requestId)).toString() }
  } catch (error) {
    onFault(error as Error)
    return outcome
  }
}

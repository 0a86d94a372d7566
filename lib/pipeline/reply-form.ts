/**
 * The form of an answer in a reply stream: an answer that shows a secret once (Redis may keep it in a file) holds it sealed
 * for the server that waits.
 */

import type { SecretBox } from '../secret-box.ts'
import type { Command, Done, Outcome } from './command.ts'

/** As JSON in the stream. `body` is what replays show, so that no reader needs to know of `sealedBody`. */
type Form = Outcome & { readonly sealedBody?: string }

/** Opens for the request alone, so that no answer can be put in another's place. */
const ownerOf = (requestId: string): string => `reply ${requestId}`

/**
 * The answer as it goes into the stream. One that shows a secret is sealed under a key that the server holds too
 * (`replyKeys`); where there is none, `onFault` hears of it and the secret stays out. A server of a version that names no
 * keys can open nothing and gets it as that version had it.
 */
export function formReply(
  outcome: Outcome,
  to: Pick<Command, 'requestId' | 'replyKeys'>,
  { secrets, onFault }: { readonly secrets: SecretBox; readonly onFault: (error: Error) => void },
): string {
  if (outcome.kind !== 'done' || outcome.recordedBody === undefined || !to.replyKeys) return JSON.stringify(outcome)
  const { recordedBody, ...done } = outcome
  const shown: Done = { ...done, body: recordedBody }
  const sealed = secrets.sealFor(to.replyKeys, Buffer.from(done.body ?? ''), ownerOf(to.requestId))
  if (!sealed) onFault(new Error('WEBHOOK_SECRET_KEY is not the same here and in the web process: no secret was shown'))
  return JSON.stringify(sealed ? { ...shown, sealedBody: sealed.toString('base64') } : shown)
}

/** The answer of its form; what cannot be opened is without its secret, and `onFault` hears of it. */
export function readReply(
  text: string,
  requestId: string,
  { secrets, onFault }: { readonly secrets: SecretBox; readonly onFault: (error: Error) => void },
): Outcome {
  const { sealedBody, ...outcome } = JSON.parse(text) as Form
  if (sealedBody === undefined || outcome.kind !== 'done') return outcome
  try {
    return { ...outcome, body: secrets.open(Buffer.from(sealedBody, 'base64'), ownerOf(requestId)).toString() }
  } catch (error) {
    onFault(error as Error)
    return outcome
  }
}

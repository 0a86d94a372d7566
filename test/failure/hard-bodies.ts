/**
 * Bodies that are as hard to read as their length allows, each with its expected answer. One tenant sends many of them at the same time.
 */
import type { Reply } from '../support/client.ts'
import type { Tenant } from './tenants.ts'

const MiB = 1024 * 1024

type HardBody = { readonly path: string; readonly text: string; readonly message: string }

/** A text of repeated pieces, a little shorter than the longest that is allowed. */
function filled(bytes: number, before: string, piece: (n: number) => string, after: string): string {
  const pieces: string[] = []
  for (let n = 0, length = before.length + after.length; length < bytes - 20; n++) {
    const next = piece(n)
    pieces.push(next)
    length += next.length + 1
  }
  return before + pieces.join(',') + after
}

const unknownFields = Array.from({ length: 10 }, (_, n) => `${n}: is not a known field`).join('; ')
const tooManyEntries = 'requests: must have at most 100 entries'

const hardBodies: readonly HardBody[] = [
  { path: '/bulk', text: filled(4 * MiB, '{', n => `"${n}":0`, '}'), message: unknownFields },
  { path: '/bulk', text: filled(4 * MiB, '{"requests":[', () => '0', ']}'), message: tooManyEntries },
  { path: '/bulk', text: filled(4 * MiB, '{"requests":[', () => '{}', ']}'), message: tooManyEntries },
  { path: '/bulk', text: filled(4 * MiB, '{"mode":"', () => '\\u0041\\n\\"', '"}'), message: 'mode: must be one of' },
  { path: '/sales-orders', text: filled(MiB, '{', n => `"${n}":0`, '}'), message: unknownFields },
  {
    path: '/sales-orders',
    text: filled(MiB, '{"customer_id":1,"items":[', () => '[0,0,0]', ']}'),
    message: 'items: must have at most 500 entries',
  },
]

/**
 * Sends this many at the same time. Each is refused with its own message, or because its turn did not come in time. @throws for any other
 * answer
 */
export async function sendHardBodies({ client }: Tenant, count: number): Promise<void> {
  const send = async (n: number): Promise<void> => {
    const { path, text, message } = hardBodies[n % hardBodies.length] as HardBody
    const reply: Reply = await client.request('POST', path, { rawBody: text })
    const isRight = reply.status === 400 ? reply.body.message.startsWith(message) : reply.status === 503
    if (!isRight) throw new Error(`${path} ${text.slice(0, 30)}: ${reply.status} ${reply.text.slice(0, 300)}`)
  }
  await Promise.all(Array.from({ length: count }, (_, n) => send(n)))
}

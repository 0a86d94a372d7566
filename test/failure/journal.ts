/** What was sent and what was answered. It compares every answer with its write, and keeps each fault with all that its analysis needs. */
import { isDeepStrictEqual } from 'node:util'
import type { Reply } from '../support/client.ts'
import type { Loose } from '../support/command-context.ts'
import type { Tenant } from './tenants.ts'
import type { Bulk, Write } from './writes.ts'

/** `other`: a gap in the events, a difference that reconcile finds, an unexpected error, a service that did not recover. */
export const faultKinds = ['lost', 'doubled', 'mixed up', 'other'] as const
export type FaultKind = (typeof faultKinds)[number]
export type Fault = { readonly kind: FaultKind; readonly text: string }

export type Sent = {
  readonly tenant: Tenant
  readonly write: Write
  /** The answer of its first success. */
  answer?: Loose
  /** Whether a proof has sent it again. */
  isReplayed?: boolean
}

/** The verdict on an answer. `open`: the request is sent again; `wrong`: its answer is a fault. */
export type Heard = 'done' | 'open' | 'wrong'

type Answer = Pick<Reply, 'status' | 'body'> & { readonly isReplay: boolean }

export class Journal {
  readonly sent: Sent[] = []
  readonly faults: Fault[] = []
  readonly figures = { acknowledged: 0, refused: 0, open: 0, replayed: 0, dry: 0 }
  /** How many writes of a tenant are acknowledged. */
  readonly acknowledgedOf = new Map<Tenant, number>()
  readonly #known = new Set<string>()

  note(tenant: Tenant, write: Write): Sent {
    const sent: Sent = { tenant, write }
    this.sent.push(sent)
    return sent
  }

  /** The writes with an answer that says that they are done. */
  get acknowledged(): readonly Sent[] {
    return this.sent.filter(({ answer }) => answer !== undefined)
  }

  /** Takes an answer to a write; null: there was none. */
  hear(sent: Sent, reply: Reply | null): Heard {
    if (reply === null || reply.status === 503) return this.#open()
    const { status, body, headers } = reply
    if (status >= 400 && body?.request_id !== headers.get('x-request-id'))
      return this.#wrong(sent, reply, "the refusal has another request's id")
    return this.#hear(sent, { status, body, isReplay: headers.get('idempotent-replayed') === 'true' })
  }

  /** Takes an answer to a bulk: for each of its writes the answer that it would have alone. */
  hearBulk({ mode }: Bulk, entries: readonly Sent[], reply: Reply | null): Heard {
    if (reply === null || reply.status === 503) return this.#open()
    const results = (reply.body?.results ?? []) as Loose[]
    const heard = entries.map((entry, at): Heard => {
      const { idempotency_key: key, status, body, replayed } = results[at] ?? {}
      if (key !== entry.write.key) return this.#wrong(entry, reply, `not the answer of this bulk (results[${at}])`)
      return status === 503 ? 'open' : this.#hear(entry, { status, body, isReplay: replayed })
    })
    if (heard.includes('wrong') || !heard.includes('open')) return heard.find(each => each === 'wrong') ?? 'done'
    const [first] = entries
    const isPart = mode === 'all' && heard.includes('done')
    return isPart && first ? this.#wrong(first, reply, 'a part of one transaction') : this.#open()
  }

  /**
   * Takes an answer to a dry run, which must be the answer of the write. If the dry run leaves anything, the proof finds it as something
   * that no write made.
   */
  hearDry(of: Sent, reply: Reply | null): Heard {
    if (reply === null || reply.status === 503) return this.#open()
    return this.#hearDry(of, reply, { status: reply.status, body: reply.body, isReplay: false })
  }

  /** The same for a bulk in one transaction. */
  hearDryBulk(entries: readonly Sent[], reply: Reply | null): Heard {
    if (reply === null || reply.status === 503) return this.#open()
    const heard = entries.map((entry, at) => {
      const { status, body, replayed } = reply.body?.results?.[at] ?? {}
      return this.#hearDry(entry, reply, { status, body, isReplay: replayed })
    })
    return heard.find(each => each === 'wrong') ?? 'done'
  }

  #hearDry(of: Sent, { headers }: Reply, answer: Answer): Heard {
    this.figures.dry++
    if (headers.get('dry-run') !== 'true') return this.#wrong(of, answer, 'a dry run that was a real write')
    const wrong = answer.isReplay ? 'a dry run that was replayed' : wrongOf(of.write, answer, undefined)
    return wrong === undefined ? 'done' : this.#wrong(of, answer, `of a dry run: ${wrong}`)
  }

  /** Only the first fault of a kind and subject is kept: a lost write is missing in many places, and in every later proof. */
  fault(kind: FaultKind, subject: string, text: string): void {
    const name = `${kind}: ${subject}`
    if (this.#known.has(name)) return
    this.#known.add(name)
    this.faults.push({ kind, text: `${name}: ${text}` })
  }

  /** A fault of one write, with all that was sent and answered. */
  faultOf(kind: FaultKind, { tenant, write, answer }: Sent, text: string, found?: unknown): void {
    const { key, method, path, body } = write
    const lines = [
      text,
      `tenant ${tenant.client.tenantId}, key ${key}: ${method} ${path} ${JSON.stringify(body)}`,
      `first answer: ${JSON.stringify(answer)}`,
      `found: ${JSON.stringify(found)}`,
    ]
    this.fault(kind, key, lines.join('\n  '))
  }

  #hear(sent: Sent, answer: Answer): Heard {
    const first = sent.answer
    if (answer.status < 300) {
      if (answer.isReplay) this.figures.replayed++
      if (first === undefined) this.#acknowledge(sent, answer)
    } else this.figures.refused++
    const wrong = wrongOf(sent.write, answer, first)
    return wrong === undefined ? 'done' : this.#wrong(sent, answer, wrong)
  }

  /** An answer that belongs to another write acknowledges it too, since its caller has to take the write for done. */
  #acknowledge(sent: Sent, { body }: Answer): void {
    sent.answer = body
    this.figures.acknowledged++
    this.acknowledgedOf.set(sent.tenant, (this.acknowledgedOf.get(sent.tenant) ?? 0) + 1)
  }

  #open(): 'open' {
    this.figures.open++
    return 'open'
  }

  #wrong(sent: Sent, { status, body }: Pick<Reply, 'status' | 'body'>, text: string): 'wrong' {
    this.faultOf(status >= 500 ? 'other' : 'mixed up', sent, text, { status, body })
    return 'wrong'
  }
}

/** Why this cannot be the answer to this write, whose first success had the answer `first`. */
function wrongOf(write: Write, { status, body, isReplay }: Answer, first: Loose): string | undefined {
  if (write.refusal) {
    const { status: wanted, error, message } = write.refusal
    const isIt = status === wanted && body.error === error && String(body.message).includes(message)
    return isIt ? undefined : `not its refusal, ${wanted} ${error} (${message})`
  }
  const wanted = isReplay ? write.replayStatus : write.status
  if (status !== wanted) return `not its status, ${wanted}`
  if (first !== undefined && !isDeepStrictEqual(body, first)) return 'one key, two answers'
  const missing = whereNotShown(write.shows, body)
  return missing === undefined ? undefined : `not its ${missing}`
}

/**
 * The first place where `actual` does not show what is expected (`body.items[0].quantity`). undefined: it shows everything. Other fields do
 * not count.
 */
export function whereNotShown(expected: unknown, actual: Loose, at = 'body'): string | undefined {
  if (typeof expected !== 'object' || expected === null) return expected === actual ? undefined : at
  if (Array.isArray(expected) && expected.length !== actual?.length) return `${at}.length`
  for (const [name, value] of Object.entries(expected)) {
    const path = Array.isArray(expected) ? `${at}[${name}]` : `${at}.${name}`
    const missing = whereNotShown(value, actual?.[name], path)
    if (missing !== undefined) return missing
  }
  return undefined
}

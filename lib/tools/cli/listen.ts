/** `listen`: shows a tenant's events as they happen, and forwards them to a receiver on this machine. */
import { ApiError, ConnectionError, EventGapError } from '../../../client/src/index.ts'
import { type Forwarded, forward, shownSecretOf } from '../events/forward.ts'
import { type CliCommand, Refused, UsageError } from './command.ts'
import { baseUrlOption, calledService } from './running-service.ts'
import { optional, type Reader, text, whole } from './values.ts'

const listen: CliCommand = {
  words: ['listen'],
  summary: "Show a tenant's events as they happen, and forward them to a receiver on this machine",
  options: {
    forward: { value: 'URL', help: 'the receiver: each event is posted there, signed as a webhook is' },
    types: { value: 'KINDS', help: 'kinds of events, joined by commas (default all)' },
    after: { value: 'N', help: 'begin behind the event of this sequence (default: with what happens from now on)' },
    ...baseUrlOption,
  },
  details: [
    'It takes the API key, which needs the scope read:webhooks, from MILLRACE_TOKEN and the address from --base-url or',
    'MILLRACE_URL; without both it follows the demo tenant of the service that npm start runs here. Each line shows time, kind,',
    'sequence, and the status and milliseconds of the receiver. An event that the receiver does not take is not repeated. The',
    'secret is the same each time for a key. Ctrl-C ends it.',
  ],
  examples: [
    'listen --forward http://localhost:8080/hooks',
    'listen --types sales_order.created,sales_order.shipped --after 0 --json',
  ],
  run: async (input, world) => {
    const to = optional(input, 'forward', receiver)
    const types = optional(input, 'types', (typed, label) => text(typed.replaceAll(' ', ''), label))
    const after = optional(input, 'after', whole(0, Number.MAX_SAFE_INTEGER))
    const { baseUrl, token } = await calledService(input, world)
    const ended = new AbortController()
    const end = () => ended.abort()
    process.once('SIGINT', end).once('SIGTERM', end)
    const secret = shownSecretOf(token)
    const where = to === undefined ? '' : `, forwarded to ${to}\nSecret of the signatures: ${secret}`
    world.print({ json: { base_url: baseUrl, forward: to ?? null, secret }, text: `Events of ${baseUrl}${where}` })
    let [events, failed] = [0, 0]
    const onEvent = (forwarded: Forwarded) => {
      events++
      if (forwarded.reason !== null) failed++
      world.print({ json: forwarded, text: lineOf(forwarded) })
    }
    try {
      await forward({ baseUrl, token, to, types, after, signal: ended.signal, onEvent })
    } catch (error) {
      if (error instanceof ApiError || error instanceof ConnectionError || error instanceof EventGapError)
        throw new Refused(error.message)
      throw error
    } finally {
      process.off('SIGINT', end).off('SIGTERM', end)
    }
    return { json: { events, failed }, text: `${events} events, ${failed} of them not taken` }
  },
}

/** A URL exactly as typed: a slash at its end may matter. */
const receiver: Reader<string> = (typed, label) => {
  if (URL.canParse(typed) && /^https?:$/.test(new URL(typed).protocol)) return typed
  throw new UsageError(`${label} must be a URL like http://localhost:8080/hooks`)
}

/** `14:03:59  sales_order.created  #42  200  12 ms` */
function lineOf({ time, type, sequence, status, duration_ms, reason }: Forwarded): string {
  const outcome = duration_ms === null ? [] : [reason ?? String(status), `${duration_ms} ms`]
  return [time.slice(11, 19), type, `#${sequence}`, ...outcome].join('  ')
}

export const listenCommands: readonly CliCommand[] = [listen]

/**
 * The common part of every draft: the check of the key's scope, a dry run, the summary for the user, and the confirmation for `apply`. It
 * writes nothing.
 */
import { ApiError, type List, type Me, responseOf } from '../../../../client/src/index.ts'
import { type Action, actions } from '../actions.ts'
import { byNumber } from '../orders.ts'
import { type Answer, type Context, field, ToolRefusal } from '../tool.ts'

export const LINES_MAX = 50
const LINES_IN_SUMMARY_MAX = 5

export const quoted = (text: string) => JSON.stringify(text)

/** The key's tenant. @throws ToolRefusal where the key lacks the scope: nobody should confirm what cannot be applied */
export async function allowed(action: Action, { millrace, signal }: Context): Promise<Me> {
  const me = await millrace.me({ signal })
  const { scope } = actions[action]
  if (me.scopes.includes(scope)) return me
  throw new ToolRefusal('forbidden', `the API key lacks the scope ${scope}`, responseOf(me)?.request_id)
}

type Request = { readonly id?: string; readonly if_match?: string; readonly body: object }

/**
 * The service's answer in a dry run. `warnings`: why it would refuse. @throws errors that say nothing about the write: a spent rate, no
 * answer
 */
async function whatWouldHappen(action: Action, { id = '', if_match: ifMatch, body }: Request, context: Context) {
  const { millrace, signal } = context
  try {
    const { booked } = await actions[action].run(millrace, { id, body }, { dryRun: true, ifMatch, signal })
    return { would_be: booked, warnings: [] }
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500 || error.code === 'rate_limited') throw error
    return { would_be: null, warnings: [`${error.code}: ${error.message}`] }
  }
}

/** What is shown, with the confirmation for `apply`. */
export async function draft(
  plan: {
    action: Action
    summary: string
    body: object
    id?: string
    if_match?: string | null | undefined
    shown: object
  },
  context: Context,
): Promise<Answer> {
  const { action, body, id, if_match, shown } = plan
  // As JSON carries it: undefined fields are dropped.
  const request = JSON.parse(JSON.stringify({ id, if_match: if_match ?? undefined, body })) as Request
  const { would_be, warnings } = await whatWouldHappen(action, request, context)
  // The user sees the warnings, too.
  const summary = [plan.summary, ...warnings.map(warning => `WARNING: ${warning}`)].join('. ')
  const confirmed = { action, summary, request }
  const next =
    'Nothing is written yet. Show the user apply.summary; if they agree, call apply with the apply object unchanged, within 15 minutes.'
  return {
    words:
      warnings.length === 0
        ? next
        : `It has warnings: the service would refuse it now. ${next}\n${JSON.stringify({ warnings })}`,
    data: { ...shown, would_be, warnings, apply: { ...confirmed, confirmation: context.confirm.of(confirmed) } },
  }
}

export function inSummary(lines: readonly string[]): string {
  const more = lines.length - LINES_IN_SUMMARY_MAX
  return [...lines.slice(0, LINES_IN_SUMMARY_MAX), ...(more > 0 ? [`and ${more} more lines`] : [])].join(', ')
}

export const numberField = field.words('The number of the order, as PO-00001 or MO-00001.')

export const orderOf = async <T extends { readonly id: string }>(
  number: string,
  { list, get }: { list: (query: { number: string }) => List<T>; get: (id: string) => Promise<T> },
): Promise<T> => {
  const found = await byNumber(number, async given => (await list({ number: given })).data[0])
  if (found === undefined) throw new ToolRefusal('not_found', `number: no such order ${quoted(number)}`)
  // Read by its id: a record of a list has no version that a write can be bound to.
  return get(found.id)
}

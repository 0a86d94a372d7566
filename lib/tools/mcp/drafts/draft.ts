/** What every draft is made of: the check of the key's scope, the summary for the user, and what applies it later. It writes nothing. */
import { type List, type Me, responseOf } from '../../../../client/src/index.ts'
import { type Action, actions } from '../actions.ts'
import { byNumber } from '../orders.ts'
import { type Answer, type Context, field, ToolRefusal } from '../tool.ts'

export const LINES_MAX = 50
const LINES_IN_SUMMARY_MAX = 5

export const quoted = (text: string) => JSON.stringify(text)

/** The key's tenant. @throws ToolRefusal where the key may not do it: nobody should confirm what cannot be applied. */
export async function allowed(action: Action, { millrace, signal }: Context): Promise<Me> {
  const me = await millrace.me({ signal })
  const { scope } = actions[action]
  if (me.scopes.includes(scope)) return me
  throw new ToolRefusal('forbidden', `the API key lacks the scope ${scope}`, responseOf(me)?.request_id)
}

/** What is shown, with the confirmation that `apply` takes. */
export function draft(
  plan: {
    action: Action
    summary: string
    body: object
    id?: string
    if_match?: string | null | undefined
    /** Why applying it would be refused now. The user sees them in the summary. */
    warnings?: readonly string[]
    shown: object
  },
  { confirm }: Context,
): Answer {
  const { action, body, id, if_match, warnings = [], shown } = plan
  const summary = [plan.summary, ...warnings.map(warning => `WARNING: ${warning}`)].join('. ')
  // As JSON carries it: what is not given is not there.
  const request = JSON.parse(JSON.stringify({ id, if_match: if_match ?? undefined, body })) as Record<string, unknown>
  const confirmed = { action, summary, request }
  const refused = warnings.length === 0 ? '' : 'It has warnings: applying it may be refused. '
  return {
    words:
      refused +
      'Nothing is written yet. Show the user apply.summary; if they agree, call apply with the apply object unchanged, within 15 minutes.',
    data: { ...shown, warnings, apply: { ...confirmed, confirmation: confirm.of(confirmed) } },
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

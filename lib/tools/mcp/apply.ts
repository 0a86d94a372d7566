/** `apply`: the only tool that writes, and only what a draft has shown. */
import * as v from 'valibot'
import { type Action, actions } from './actions.ts'
import { ToolRefusal, tool } from './tool.ts'

const names = Object.keys(actions) as [Action, ...Action[]]

export const apply = tool({
  name: 'apply',
  title: 'Apply a draft',
  about:
    'Writes what a draft has shown, once the user has agreed to its summary: takes the apply object of the draft unchanged. Applying it ' +
    'again within the 15 minutes writes nothing again and answers the same. Anything changed in it is refused.',
  scopes: names.map(name => actions[name].scope),
  writes: true,
  anyScope: true,
  input: v.strictObject({
    action: v.pipe(v.picklist(names), v.description('As the draft says.')),
    summary: v.pipe(v.string(), v.maxLength(20_000), v.description('As the draft says: what the user has agreed to.')),
    request: v.pipe(
      v.strictObject({
        id: v.optional(v.string()),
        if_match: v.optional(v.string()),
        body: v.record(v.string(), v.unknown()),
      }),
      v.description('As the draft says.'),
    ),
    confirmation: v.pipe(v.string(), v.maxLength(100), v.description('As the draft says.')),
  }),
  output: {
    type: 'object',
    properties: {
      replayed: { type: 'boolean', description: 'Whether an earlier call wrote it.' },
      booked: { type: 'object', description: 'The record as it was written.' },
    },
    required: ['replayed', 'booked'],
  },
  run: async ({ confirmation, ...plan }, { millrace, signal, confirm }) => {
    const checked = confirm.check(plan, confirmation)
    if (checked === 'expired')
      throw new ToolRefusal('confirmation_expired', 'the draft is older than 15 minutes: draft it again, and ask again')
    if (checked === 'other')
      throw new ToolRefusal(
        'confirmation_refused',
        'this is not what a draft has shown with this key: pass its apply object unchanged, or draft it again',
      )
    const { id = '', if_match: ifMatch, body } = plan.request
    const { replayed, booked } = await actions[plan.action].run(
      millrace,
      { id, body },
      { idempotencyKey: checked.idempotencyKey, ifMatch, signal },
    )
    const words = replayed ? 'It was written by an earlier call; nothing was written again.' : 'It is written.'
    return { words, data: { replayed, booked } }
  },
})

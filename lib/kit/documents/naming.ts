/** Bodies that name records by other texts than ids (`namedBy`). These records are found first, because all other needs depend on them. */
import { memoized } from '../../platform/memoized.ts'
import type { Params } from '../api/endpoint.ts'
import { allInvalid, invalid, type Refusal } from '../api/errors.ts'
import type { SentFields } from '../fields/bodies.ts'
import type { AnyField, Naming } from '../fields/field.ts'
import type { Fields } from './document.ts'
import type { Facts, Need, Needs } from './needs.ts'

type Values = Readonly<Record<string, unknown>>
type Request = { readonly params: Params; readonly body: unknown }
type Find = (text: string) => string | null

/** The needs of a request that names records in this way, and the same request with ids. */
export type Named = {
  readonly needs: Needs
  /** Refuses `validation_failed` for texts that name no record. */
  readonly resolve: (facts: Facts<Needs>) => Request | Refusal
}

/** Returns null if the body names records only by ids. */
export function namedIn(fields: Fields | SentFields, request: Request): Named | null {
  if (!isNaming(fields, request.body as Values)) return null
  const asked = new Map<Naming, string[]>()
  replaced(fields, request.body as Values, '', (naming, text) => {
    asked.set(naming, [...(asked.get(naming) ?? []), text])
    return text
  })
  const needs = Object.fromEntries([...asked].map(([naming, texts]) => [naming.as, naming.find(texts) as Need<Find>]))
  return {
    needs,
    resolve: facts => {
      const faults: Refusal[] = []
      const body = replaced(fields, request.body as Values, '', (naming, text, at) => {
        const id = (facts[naming.as] as Find)(text)
        if (id === null) faults.push({ ...invalid(`${at}${naming.as}`, naming.unknown), reason: 'reference' })
        return id
      })
      return faults.length > 0 ? allInvalid(faults) : { ...request, body }
    },
  }
}

/** The fields by which a body may name records, and the lines with such fields. */
const namesOf = memoized(
  (fields: Fields | SentFields): { readonly own: readonly Naming[]; readonly lines: readonly Lines[] } => {
    const members = Object.entries(fields)
    return {
      own: members.flatMap(([, member]) => ('sent' in member && (member as AnyField).sent.naming) || []),
      lines: members.flatMap(([name, member]) => ('sentLines' in member ? [{ name, fields: member.of.fields }] : [])),
    }
  },
)
type Lines = { readonly name: string; readonly fields: Fields }

function isNaming(fields: Fields | SentFields, body: Values): boolean {
  const { own, lines } = namesOf(fields)
  if (own.some(naming => typeof body[naming.as] === 'string')) return true
  return lines.some(({ name, fields }) => {
    const sent = body[name]
    return Array.isArray(sent) && sent.some(line => isNaming(fields, line as Values))
  })
}

/** The body with ids. A body that names no record is the same object. @param at its place: `items[0].` */
function replaced(
  fields: Fields | SentFields,
  body: Values,
  at: string,
  find: (naming: Naming, text: string, at: string) => string | null,
): Values {
  let changed: Record<string, unknown> | null = null
  for (const [name, member] of Object.entries(fields)) {
    if ('sentLines' in member && Array.isArray(body[name])) {
      const before = body[name] as readonly Values[]
      const after = before.map((line, index) => replaced(member.of.fields, line, `${at}${name}[${index}].`, find))
      if (after.some((line, index) => line !== before[index])) changed = { ...(changed ?? body), [name]: after }
    }
    const naming = 'sent' in member ? (member as AnyField).sent.naming : undefined
    const text = naming && body[naming.as]
    if (naming === undefined || typeof text !== 'string') continue
    const { [naming.as]: _, ...rest } = changed ?? body
    changed = { ...rest, [name]: find(naming, text, at) }
  }
  return changed ?? body
}

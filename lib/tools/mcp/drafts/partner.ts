/** The customer or supplier of a drafted order: found by words or id, or made with the order. */
import type { List } from '../../../../client/src/index.ts'
import { findPartner, type Partner } from '../look-up.ts'
import { ToolRefusal } from '../tool.ts'
import { quoted } from './draft.ts'

type NamedPartner = {
  readonly words: string | undefined
  readonly id: string | undefined
  readonly made: string | undefined
}

/** The partner of an order, for the order's body and as text. */
export async function partnerOf<T extends Partner>(
  kind: 'supplier' | 'customer',
  { words, id, made }: NamedPartner,
  read: {
    readonly get: (id: string) => Promise<T>
    readonly list: (query: { q: string; archived: false; limit: number }) => List<T>
  },
) {
  if ([words, id, made].filter(given => given !== undefined).length !== 1)
    throw new ToolRefusal('validation_failed', `${kind}: give one of ${kind}, ${kind}_id and new_${kind}`)
  if (made !== undefined)
    return { body: { [kind]: { title: made } }, words: `the new ${kind} ${quoted(made)}`, title: made, id: undefined }
  const found = id === undefined ? await findPartner(words ?? '', kind, read.list) : await read.get(id)
  return {
    body: { [`${kind}_id`]: found.id },
    words: `${kind} ${quoted(found.title)} (${found.id})`,
    title: found.title,
    id: found.id,
  }
}

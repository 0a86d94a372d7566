/** Finds the variants that a PUT names by what identifies them. Pure (docs/rules/documents.md, "By reference"). */
import { decideEach, invalid, isRefusal, type Refusal } from '../../kit/api/errors.ts'
import type { Product, Variant } from './noun.ts'

type Named = {
  readonly external_ref?: string | null
  readonly sku?: string | null
  readonly title?: string
  readonly archived?: boolean
}
type Body = { readonly variants?: readonly Named[] }

/**
 * The body with the ids of the variants that exist: each is found by `external_ref`, else by `sku`, else by title. Other variants are new.
 * Refuses `validation_failed` for an entry that fits two variants.
 */
export function withFoundVariants(product: Product, body: Body): Body | Refusal {
  if (body.variants === undefined) return body
  const seen = new Set<string>()
  const found = decideEach(body.variants, (entry, at) => {
    const variant = foundBy(product.variants, entry)
    const [one, other] = variant.map(({ id }) => id)
    if (one === undefined) return unarchived(entry)
    if (other === undefined) {
      if (seen.has(one)) return invalid(`variants[${at}]`, `names variant ${one}, as an entry before it does`)
      seen.add(one)
      return { ...entry, id: one }
    }
    return invalid(`variants[${at}]`, `names two variants of product ${product.id}: ${one} and ${other}`)
  })
  return isRefusal(found) ? found : { ...body, variants: found }
}

function foundBy(variants: readonly Variant[], { external_ref: ref, sku, title }: Named): readonly Variant[] {
  const having = (name: 'external_ref' | 'sku' | 'title', value: string | null | undefined) =>
    value == null ? [] : unarchivedFirst(variants.filter(variant => variant[name] === value))
  const byText = new Set([...having('external_ref', ref), ...having('sku', sku)])
  return byText.size > 0 ? [...byText] : having('title', title)
}

/** An archived variant counts only if no unarchived one was found. */
function unarchivedFirst(variants: readonly Variant[]): readonly Variant[] {
  const unarchived = variants.filter(({ archived }) => !archived)
  return unarchived.length > 0 ? unarchived : variants
}

/** A new variant is unarchived, so `archived: false` is dropped. */
const unarchived = ({ archived, ...entry }: Named): Named => (archived ? { ...entry, archived } : entry)

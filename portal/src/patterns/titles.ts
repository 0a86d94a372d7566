/** The names of variants and lines in a row. */
import type { Decimal } from '../exact.ts'
import { quantityText } from '../format.tsx'

type Made = { readonly item_title: string; readonly title: string }

/** A variant with its product. The variant's title may begin with that of the product. */
export const variantTitle = ({ item_title, title }: Made): string =>
  title.startsWith(item_title) && !/^[\p{L}\p{N}]/u.test(title.slice(item_title.length))
    ? title
    : `${item_title} – ${title}`

const LINES_SHOWN = 3

type Counted = { readonly quantity: Decimal; readonly title: string }

/** The first lines of a document. */
export function linesText(lines: readonly Counted[]): string {
  const shown = lines.slice(0, LINES_SHOWN).map(({ quantity, title }) => `${quantityText(quantity)} × ${title}`)
  return lines.length > LINES_SHOWN ? `${shown.join(', ')} and ${lines.length - LINES_SHOWN} more` : shown.join(', ')
}

export const joinedTexts = (...parts: readonly (string | null)[]): string => parts.filter(Boolean).join(', ')

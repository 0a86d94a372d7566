/** Variants and lines as documents show them. */
import { Text } from '@mantine/core'
import type { Decimal } from '../exact.ts'
import { quantityText } from '../format.tsx'
import { PathLink } from './path-link.tsx'

type Props = {
  readonly title: string
  readonly sku: string | null
  /** Of the product and the variant, to lead to their stock. */
  readonly ids?: readonly [item: string, variant: string]
}

/** A variant as lines show it: its title, and its sku below. */
export function What({ title, sku, ids }: Props) {
  return (
    <>
      {ids ? <PathLink to={`/stock/${ids.join('/')}`}>{title}</PathLink> : title}
      {sku !== null && (
        <Text span size="xs" c="dimmed" display="block">
          {sku}
        </Text>
      )}
    </>
  )
}

type Made = { readonly item_title: string; readonly title: string }

/** A variant beside its product, whose title may stand in its own. */
export const variantTitle = ({ item_title, title }: Made): string =>
  title.startsWith(item_title) ? title : `${item_title} – ${title}`

const LINES_SHOWN = 3

type Counted = { readonly quantity: Decimal; readonly title: string }

/** The first lines of a document in a row of a list. */
export function linesText(lines: readonly Counted[]): string {
  const shown = lines.slice(0, LINES_SHOWN).map(({ quantity, title }) => `${quantityText(quantity)} × ${title}`)
  return lines.length > LINES_SHOWN ? `${shown.join(', ')} and ${lines.length - LINES_SHOWN} more` : shown.join(', ')
}

/** A variant as lines show it: its title, and its sku below. */
import { Text } from '@mantine/core'
import type { Decimal } from '../exact.ts'
import { quantityText } from '../format.tsx'

export function What({ title, sku }: { readonly title: string; readonly sku: string | null }) {
  return (
    <>
      {title}
      {sku !== null && (
        <Text span size="xs" c="dimmed" display="block">
          {sku}
        </Text>
      )}
    </>
  )
}

type Made = { readonly item_title: string; readonly title: string }

/** A variant of a product that has several. */
export const variantTitle = ({ item_title, title }: Made): string =>
  title === item_title ? title : `${item_title} – ${title}`

const LINES_SHOWN = 3

type Counted = { readonly quantity: Decimal; readonly title: string }

/** The first lines of a document in a row of a list. */
export function linesText(lines: readonly Counted[]): string {
  const shown = lines.slice(0, LINES_SHOWN).map(({ quantity, title }) => `${quantityText(quantity)} × ${title}`)
  return lines.length > LINES_SHOWN ? `${shown.join(', ')} and ${lines.length - LINES_SHOWN} more` : shown.join(', ')
}

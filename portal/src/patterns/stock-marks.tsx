/**
 * Marks of stock that cannot be used, because it is expired or in quarantine. All lists of stock show them, and such stock is not
 * available.
 */
import { Badge, Group } from '@mantine/core'
import { type Decimal, isPositive, isSame, minus } from '../exact.ts'

type Marked = {
  readonly is_expired: boolean
  readonly quantity: Decimal
  readonly quarantine_quantity: Decimal
}

/** The marks as words, where colours are not possible. */
export const marksText = (of: Marked): string[] => [
  ...(of.is_expired ? ['expired'] : []),
  ...(!isPositive(of.quarantine_quantity)
    ? []
    : isSame(of.quantity, of.quarantine_quantity)
      ? ['in quarantine']
      : ['in part in quarantine']),
]

export function StockMarks({ of }: { readonly of: Marked }) {
  const texts = marksText(of)
  return (
    texts.length > 0 && (
      <Group component="span" gap={4} ml={6} display="inline-flex">
        {texts.map(text => (
          <Badge key={text} component="span" color={text === 'expired' ? 'red' : 'orange'} size="sm" miw="max-content">
            {text}
          </Badge>
        ))}
      </Group>
    )
  )
}

/** The quantity outside of quarantine. */
export const outsideOf = ({ quantity, quarantine_quantity }: Omit<Marked, 'is_expired'>): Decimal =>
  minus(quantity, quarantine_quantity)

/** A row of stock with its own levels. */
export const withLevels = <Entry extends object>(entry: Entry) => ({ ...entry, levels: entry })

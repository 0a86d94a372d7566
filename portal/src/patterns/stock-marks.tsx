/** What keeps stock from being used: it is expired or in quarantine. Marked wherever stock is shown, and not counted as available. */
import { Badge, Group } from '@mantine/core'
import { type Decimal, isPositive, isSame, minus } from '../exact.ts'
import type { StockEntry } from '../records.ts'

type Marked = {
  readonly is_expired: boolean
  readonly quantity: Decimal
  readonly quarantine_quantity: Decimal
}

/** In words, where there is no place for colours. */
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
      <Group component="span" gap={4} display="inline-flex">
        {texts.map(text => (
          <Badge key={text} component="span" color={text === 'expired' ? 'red' : 'orange'} size="sm" miw="max-content">
            {text}
          </Badge>
        ))}
      </Group>
    )
  )
}

type Levels = Pick<
  StockEntry,
  'quantity' | 'quarantine_quantity' | 'reserved_quantity' | 'expected_quantity' | 'available_quantity'
>

/** What of it is not in quarantine. */
export const outsideOf = ({ quantity, quarantine_quantity }: Omit<Marked, 'is_expired'>): Decimal =>
  minus(quantity, quarantine_quantity)

/** What of it nobody may pick, beside what is in quarantine. */
export const expiredOf = (entry: Marked): Decimal => (entry.is_expired ? outsideOf(entry) : '0')

/** A row of stock with levels that count nothing expired as available. */
export const withLevels = <Entry extends Marked & Levels>(entry: Entry) => ({
  ...entry,
  levels: withoutExpired(entry, expiredOf(entry)),
})

/** The levels of a row with the expired goods taken from what is available. */
export const withoutExpired = <Of extends Levels>(levels: Of, expired: Decimal): Of => ({
  ...levels,
  available_quantity: minus(levels.available_quantity, expired),
})

/** The effects on goods that a dry run shows, line by line (docs/guides/what-would-happen.md). */
import { List, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Decimal } from '../exact.ts'
import { BatchOf } from './batches.tsx'
import { Quantity } from './units.tsx'

type Line = {
  readonly id: string
  readonly item_variant_id: string | null
  readonly title: string
  readonly quantity: Decimal
  /** An existing batch by its id, another one by its number. */
  readonly batch_id: string | null
  readonly batch_number?: string | null
}

type Props = { readonly begins: string; readonly lines: readonly Line[]; readonly children?: ReactNode }

type Part = Pick<Line, 'item_variant_id' | 'title' | 'quantity'> & { readonly batch_id?: string | null }

/** The goods of a line of a sales document; for a kit its components. */
export const goodsOf = (
  item: Omit<Line, 'title'> & { readonly components: readonly Part[] },
  title: string,
): readonly Line[] =>
  item.components.length === 0
    ? [{ ...item, title }]
    : item.components.map(({ item_variant_id, batch_id = null, ...part }) => ({
        ...{ id: `${item.id} ${item_variant_id} ${batch_id}`, item_variant_id, batch_id },
        ...{ quantity: part.quantity, title: `${part.title} (${title})` },
      }))

/** The goods that move, and what follows (the children). */
export const Foretold = ({ begins, lines, children }: Props) => (
  <>
    <Text size="sm">{begins}</Text>
    <List size="sm">
      {lines.map(({ batch_id, batch_number, ...line }) => (
        <List.Item key={line.id}>
          <Quantity of={line.quantity} goods={line} /> × {line.title}
          {batch_number != null
            ? `, batch ${batch_number}`
            : batch_id !== null && (
                <>
                  , batch <BatchOf id={batch_id} />
                </>
              )}
        </List.Item>
      ))}
    </List>
    <Text size="sm">{children}</Text>
  </>
)

/** Supplier items as rows: how each is bought, and its steps. */
import { Badge, Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { isSame } from '../../exact.ts'
import { moneyText, quantityText } from '../../format.tsx'
import { type Columns, column } from '../../patterns/columns.tsx'
import { unitTitle } from '../../patterns/purchase-units.tsx'
import type { SupplierItem } from '../../records.ts'
import { SupplierItemSteps } from './supplier-item-steps.tsx'

type SupplierItemRow = SupplierItem & {
  /** The supplier on the page of a variant, the variant on that of a supplier. */
  readonly name: ReactNode
  /** The same in words alone. */
  readonly title: string
}

/** Further items are not shown. */
export const ITEMS_MAX = 200

/** Those in use first, and the preferred one before the others. */
export const inOrder = (items: readonly SupplierItem[]) =>
  items.toSorted(
    (one, other) =>
      Number(one.archived) - Number(other.archived) || Number(other.is_preferred) - Number(one.is_preferred),
  )

function unitText({ purchase_unit_name: name, conversion_rate: rate }: SupplierItemRow): string | null {
  if (name === null && isSame(rate, '1')) return null
  return name === null ? unitTitle({ name, rate }) : `${name}: ${quantityText(rate)}`
}

const priceOf = ({ price, currency }: SupplierItemRow): ReactNode =>
  price !== null &&
  (currency === null ? (
    <>
      {quantityText(price)}{' '}
      <Text span size="xs" c="dimmed" display="block">
        order's currency
      </Text>
    </>
  ) : (
    moneyText(price, currency)
  ))

/** @param header what `name` is. */
export const supplierItemColumns = (header: string): Columns<SupplierItemRow> => [
  column.shown(header, ({ name, is_preferred, archived }) => (
    <Group gap={6}>
      <div>{name}</div>
      {is_preferred && (
        <Badge color="green" miw="max-content">
          Preferred
        </Badge>
      )}
      {archived && (
        <Badge color="gray" miw="max-content">
          Archived
        </Badge>
      )}
    </Group>
  )),
  column.shown("Supplier's sku", ({ supplier_sku }) => supplier_sku, 'sm'),
  column.shown('Unit', unitText),
  column.figure('Price of one', item => priceOf(item) || null),
  column.number('Minimum', ({ minimum_quantity }) => minimum_quantity, 'md'),
  column.number('Multiples of', ({ multiple_of }) => multiple_of, 'md'),
  column.number('Days', ({ lead_time_days }) => lead_time_days, 'sm'),
  column.shown('Steps', row => <SupplierItemSteps item={row} title={row.title} />),
]

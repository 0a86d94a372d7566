/** The columns of a sales order's lines, with prices in the price mode of the order. */
import { Text } from '@mantine/core'
import { type Decimal, isZero } from '../../exact.ts'
import { moneyText, quantityText } from '../../format.tsx'
import { type Columns as ColumnsOf, column } from '../../patterns/columns.tsx'
import { partText } from '../../patterns/kits.tsx'
import { What } from '../../patterns/links.tsx'
import type { Priced } from '../../patterns/priced-order.tsx'
import { Small } from '../../patterns/small.tsx'
import { Taxes, taxTexts, taxWords } from '../../patterns/taxes.tsx'
import { Quantity } from '../../patterns/units.tsx'
import type { SalesOrder as Order } from '../../records.ts'
import { Covered, type Covering } from './coverage.tsx'

type Line = Priced<
  Order['items'][number] & {
    readonly sale: Order
    readonly covering?: Covering | undefined
    readonly returned: Decimal
    readonly awaited: Decimal
  }
>

const discountText = ({ discount_percent, discount_amount, currency }: Line): string | null =>
  [
    isZero(discount_percent) ? null : `${quantityText(discount_percent)} %`,
    isZero(discount_amount) ? null : moneyText(discount_amount, currency),
  ]
    .filter(Boolean)
    .join(', then ') || null

/** The components of a line's kit, for all its kits. */
const Parts = ({ line: { components } }: { readonly line: Line }) =>
  components.map(part => (
    <Text key={part.id} span size="xs" c="dimmed" display="block">
      {partText(part)}
      {!isZero(part.shipped_quantity) && `, ${quantityText(part.shipped_quantity)} shipped`}
    </Text>
  ))

/** The texts that the shop keeps with a line. */
function Noted({ line: { external_ref, metadata } }: { readonly line: Line }) {
  const texts = [
    ...(external_ref === null ? [] : [`Reference ${external_ref}`]),
    ...Object.entries(metadata).map(([name, text]) => `${name}: ${text}`),
  ]
  return texts.map(text => (
    <Text key={text} span size="xs" c="dimmed" display="block" className="address">
      {text}
    </Text>
  ))
}

const returned = column.figure<Line>(
  'Returned',
  line => (
    <>
      <Quantity of={line.returned} goods={line} />
      {!isZero(line.awaited) && <Small>{quantityText(line.awaited)} to come back</Small>}
    </>
  ),
  { says: ({ returned }) => returned, visibleFrom: 'sm' },
)

const columnsOf = (isWith: boolean, hasReturns: boolean): ColumnsOf<Line> => [
  column.shown(
    'What',
    line => (
      <>
        <What {...line} />
        <Parts line={line} />
        <Noted line={line} />
        {line.covering && <Covered of={line.covering} sale={line.sale} />}
      </>
    ),
    { says: ({ title }) => title },
  ),
  column.place('From', ({ storage_place_id }) => storage_place_id, 'md'),
  column.quantity('Quantity', ({ quantity }) => quantity),
  column.quantity('Packed', ({ packed_quantity }) => packed_quantity),
  column.quantity('Shipped', ({ shipped_quantity }) => shipped_quantity),
  ...(hasReturns ? [returned] : []),
  column.money(`Price ${taxWords(isWith)}`, ({ price, currency }) => [price, currency], 'sm'),
  column.figure('Discount', discountText, 'md'),
  column.figure('Tax', line => <Taxes of={line} currency={line.currency} />, {
    visibleFrom: 'md',
    says: line => taxTexts(line, line.currency).join(', '),
  }),
  column.money(
    `Amount ${taxWords(isWith)}`,
    ({ line_amount, line_amount_with_tax, currency }) => [isWith ? line_amount_with_tax : line_amount, currency],
    'sm',
  ),
]

const lists = [false, true].map(isWith => [false, true].map(hasReturns => columnsOf(isWith, hasReturns)))

export const columnsFor = ({ prices_include_tax }: Pick<Order, 'prices_include_tax'>, hasReturns: boolean) =>
  lists[Number(prices_include_tax)]?.[Number(hasReturns)] ?? []

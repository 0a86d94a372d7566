/**
 * The rows that a person chose among proposals. Each cell depends only on its own row: a tick costs the same among many rows as among few.
 */
import { Checkbox, Group, Text } from '@mantine/core'
import { useMemo, useSyncExternalStore } from 'react'
import { type Decimal, forTyping, isSame, quotient, sent, sentTyped, share, times, typed } from '../../exact.ts'
import { moneyText, quantityText } from '../../format.tsx'
import { numbers } from '../../patterns/fields.tsx'
import { DecimalInput } from '../../patterns/inputs.tsx'
import { type PurchaseUnit, unitTitle } from '../../patterns/purchase-units.tsx'
import { Small } from '../../patterns/small.tsx'
import { Quantity } from '../../patterns/units.tsx'
import type { Proposal } from './proposals.tsx'

/** The rows that are left out, and the typed quantities, by the ids of variants. */
export class Choices {
  left: ReadonlySet<string> = new Set()
  typed: ReadonlyMap<string, string> = new Map()
  /** The version rises with each change. */
  version = 0
  private readonly told = new Set<() => void>()

  readonly subscribe = (tell: () => void) => {
    this.told.add(tell)
    return () => {
      this.told.delete(tell)
    }
  }

  leave(ids: Iterable<string>): void {
    this.left = new Set(ids)
    this.tell()
  }

  choose(id: string, isChosen: boolean): void {
    this.leave(isChosen ? [...this.left].filter(one => one !== id) : [...this.left, id])
  }

  type(id: string, text: string): void {
    this.typed = new Map([...this.typed, [id, text]])
    this.tell()
  }

  private tell(): void {
    this.version++
    for (const tell of this.told) tell()
  }
}

export type Row = Proposal & {
  readonly currency: string
  /** The unit in which it is bought; undefined: stock units. */
  readonly unit: PurchaseUnit | undefined
  readonly choices: Choices
}
type Props = { readonly of: Row }

const useIsChosen = ({ choices, item_variant_id: id }: Row): boolean =>
  useSyncExternalStore(choices.subscribe, () => !choices.left.has(id))

/** The proposal in the supplier's unit; null if it is no whole number of them. */
function ofUnit({ unit, order_quantity }: Row): Decimal | null {
  const many = unit ? quotient(order_quantity, unit.rate) : null
  return many === null || many.includes('.') ? null : many
}

const beginOf = (row: Row): string => forTyping(ofUnit(row) ?? row.order_quantity)

const textOf = (row: Row): string => row.choices.typed.get(row.item_variant_id) ?? beginOf(row)

const useText = (row: Row): string => useSyncExternalStore(row.choices.subscribe, () => textOf(row))

/** What is wrong with a quantity: a supplier sells only whole units. */
const faultOf = (row: Row, text: string): string | null =>
  numbers.positive(text) ?? (ofUnit(row) === null ? null : numbers.whole(text))

export type Chosen = {
  readonly row: Row
  readonly quantity: string
  readonly fault: string | null
}

/** The chosen rows with their quantities. */
export function useChosen(rows: readonly Row[], choices: Choices): readonly Chosen[] {
  const version = useSyncExternalStore(choices.subscribe, () => choices.version)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the version says that something was chosen.
  return useMemo(
    () =>
      rows
        .filter(row => !choices.left.has(row.item_variant_id))
        .map(row => ({ row, quantity: textOf(row), fault: faultOf(row, textOf(row)) })),
    [rows, choices, version],
  )
}

/** In the supplier's unit if the proposal is a whole number of them. */
export const sentQuantity = (row: Row, text: string) =>
  row.unit && ofUnit(row) !== null
    ? {
        purchase_quantity: sentTyped(text),
        conversion_rate: sent(row.unit.rate),
        purchase_unit_name: row.unit.name,
      }
    : { quantity: sentTyped(text) }

export function ChosenBox({ of: row }: Props) {
  const { title, item_variant_id, choices } = row
  return (
    <Checkbox
      aria-label={`Order ${title}`}
      checked={useIsChosen(row)}
      onChange={event => choices.choose(item_variant_id, event.currentTarget.checked)}
    />
  )
}

export function QuantityOf({ of: row }: Props) {
  const text = useText(row)
  const isIn = ofUnit(row) === null ? undefined : row.unit
  const count = typed(text)
  return (
    <>
      <Group gap={6} wrap="nowrap">
        <DecimalInput
          aria-label={`Quantity of ${row.title}`}
          size="xs"
          w={72}
          value={text}
          error={faultOf(row, text)}
          onChange={event => row.choices.type(row.item_variant_id, event.currentTarget.value)}
        />
        {isIn && <Text size="sm">{unitTitle(isIn)}</Text>}
      </Group>
      {count !== null && (
        <Small>
          <Quantity of={isIn ? times(count, isIn.rate) : count} goods={row} />
          {!isSame(count, typed(beginOf(row)) ?? '0') && `, proposed ${quantityText(row.order_quantity)}`}
        </Small>
      )}
    </>
  )
}

/** The cost of the typed quantity, at the proposal's cost. */
export function RowCost({ of: row }: Props) {
  const count = typed(useText(row))
  if (row.cost === null || count === null) return '–'
  const whole = typed(beginOf(row)) ?? row.order_quantity
  return moneyText(share(row.cost, { part: count, whole }), row.currency)
}

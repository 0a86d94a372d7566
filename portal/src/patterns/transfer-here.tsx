/** A step that transfers goods to the place where they are missing: of batches those that expire first and have not expired. */
import type { ButtonProps } from '@mantine/core'
import { type Decimal, forTyping, greater, isPositive, minus, negated, sum, typed } from '../exact.ts'
import { countText } from '../format.tsx'
import { useApi } from '../session.tsx'
import { Step } from './action-form.tsx'
import { type AtPlace, free } from './goods.tsx'
import { DecimalInput, decimalRules } from './inputs.tsx'
import { transferLines } from './picks.ts'
import { PlaceSelect, placeValue, usePlaceTitle } from './places.tsx'
import { withUnit } from './units.tsx'

type Props = {
  readonly variantId: string
  readonly title: string
  readonly missing: Decimal
  readonly to: string | null
  readonly from: readonly AtPlace[]
  readonly button?: Pick<ButtonProps, 'size'>
}

const lesser = (one: Decimal, other: Decimal): Decimal => negated(greater(negated(one), negated(other)))

export function TransferHere({ variantId, title, missing, to, from, button }: Props) {
  const api = useApi()
  const titleOf = usePlaceTitle()
  const [richest] = from.toSorted((one, other) => (isPositive(minus(free(other), free(one))) ? 1 : -1))
  if (!richest) return null
  const at = (place: string) => from.find(one => placeValue(one.place) === place) ?? richest
  return (
    <Step
      label="Transfer"
      title={`Transfer ${title} to ${titleOf(to)}`}
      {...(button ? { button } : {})}
      scope={['write:inventory.transfer.create', 'read:stock']}
      initial={() => ({ from: placeValue(richest.place), quantity: forTyping(lesser(missing, free(richest))) })}
      validate={{
        from: place => (from.some(one => placeValue(one.place) === place) ? null : 'nothing of it is free there'),
        quantity: (input, values) =>
          decimalRules.positive(input) ??
          (isPositive(minus(typed(input) ?? '0', at(values.from).usable))
            ? `at most ${withUnit(at(values.from).usable, richest.unit)}`
            : null),
      }}
      fields={form => (
        <>
          <PlaceSelect
            label="From"
            required
            withNone={from.some(one => one.place === null)}
            {...form.getInputProps('from')}
          />
          <DecimalInput
            label="Quantity"
            withAsterisk
            description={`${withUnit(free(at(form.values.from)), richest.unit)} are free there, ${withUnit(missing, richest.unit)} are missing here`}
            {...form.getInputProps('quantity')}
          />
        </>
      )}
      send={({ from: place, quantity }, sending) =>
        api.stockTransfers.create(
          {
            from_storage_place_id: at(place).place,
            to_storage_place_id: to,
            items: transferLines(at(place), variantId, { quantity: typed(quantity) ?? '0' }),
          },
          sending,
        )
      }
      done={({ number }) => `Transferred with ${number}`}
      foretells={({ items }) =>
        `${withUnit(sum(items.map(({ quantity }) => quantity)), richest.unit)} are moved, in ${countText(items.length)} ${items.length === 1 ? 'line' : 'lines'}. Nothing else is changed.`
      }
    />
  )
}

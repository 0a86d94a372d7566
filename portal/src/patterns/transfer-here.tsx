/** A step that moves goods to where they are missing, of batches those that expire first and have not expired. */
import { withUnit } from './units.tsx'
import type { ButtonProps } from '@mantine/core'
import { type Decimal, forTyping, greater, isPositive, isZero, minus, negated, sent, sum, typed } from '../exact.ts'
import { countText, quantityText } from '../format.tsx'
import { useApi } from '../session.tsx'
import { Step } from './action-form.tsx'
import { type AtPlace, free, outside } from './goods.tsx'
import { DecimalInput, decimalRules } from './inputs.tsx'
import { PlaceSelect, placeValue, usePlaceTitle } from './places.tsx'

type Props = {
  readonly variantId: string
  readonly title: string
  readonly missing: Decimal
  readonly to: string | null
  /** Where it lies. */
  readonly from: readonly AtPlace[]
  readonly button?: Pick<ButtonProps, 'size'>
}

const lesser = (one: Decimal, other: Decimal): Decimal => negated(greater(negated(one), negated(other)))

/** A transfer that names no batch would take what has expired first. */
function linesOf({ entries, expired, quarantined }: AtPlace, item_variant_id: string, quantity: Decimal) {
  if (isZero(expired) && isZero(quarantined)) return [{ item_variant_id, quantity: sent(quantity) }]
  let left = quantity
  return entries
    .filter(entry => !entry.is_expired)
    .toSorted((one, other) => (one.expiry_date ?? '9999').localeCompare(other.expiry_date ?? '9999'))
    .flatMap(entry => {
      const taken = lesser(left, outside(entry))
      left = minus(left, taken)
      return isPositive(taken) ? [{ item_variant_id, batch_id: entry.batch_id, quantity: sent(taken) }] : []
    })
}

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
            items: linesOf(at(place), variantId, typed(quantity) ?? '0'),
          },
          sending,
        )
      }
      done={({ number }) => `Moved with ${number}`}
      foretells={({ items }) =>
        `${withUnit(sum(items.map(({ quantity }) => quantity)), richest.unit)} are moved, in ${countText(items.length)} ${items.length === 1 ? 'line' : 'lines'}. Nothing else is changed.`
      }
    />
  )
}

/** The form that receives goods of a purchase order. Lines that are bought in boxes are counted in boxes. */
import { Checkbox, Fieldset, SimpleGrid, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { dayAfter, dayOf, today } from '../../days.ts'
import { forTyping, isPositive, minus, quotient, sentUnlessEmpty, timesRounded, typed } from '../../exact.ts'
import { moneyText, quantityText } from '../../format.tsx'
import { Step } from '../../patterns/action-form.tsx'
import { DateWarnings, isBefore } from '../../patterns/date-warnings.tsx'
import { Foretold } from '../../patterns/foretold.tsx'
import { DecimalInput, decimalRules } from '../../patterns/inputs.tsx'
import { PlaceSelect, usePlaces, usualPlace } from '../../patterns/places.tsx'
import { type CountedIn, type PurchaseUnit, recounted, UnitSelect, unitTitle } from '../../patterns/purchase-units.tsx'
import { fieldOfSent, leftRule, linesLeft, type QuantityLine, sentLines } from '../../patterns/quantity-fields.tsx'
import { useStepsOf } from '../../patterns/record-steps.tsx'
import { focusField, ScanInput } from '../../patterns/scan-input.tsx'
import { batchIn, variantsIn } from '../../patterns/scans.ts'
import { ExpiryInput, isNewBatch, useTracked } from '../../patterns/tracked.tsx'
import { useUnits, withUnit } from '../../patterns/units.tsx'
import type { PurchaseOrder as Order, Scan } from '../../records.ts'
import { useSession } from '../../session.tsx'
import { purchaseOrders } from './nouns.ts'

type Line = QuantityLine & {
  readonly item_id: string
  /** The unit in which the line is bought; null: stock units. */
  readonly unit: PurchaseUnit | null
  readonly counted: CountedIn
  readonly batch_number: string
  readonly expiry_date: string
  readonly quarantine: boolean
}
type Values = { storage_place_id: string | null; received_date: string; exchange_rate: string; items: Line[] }

/** At most what is left, even if that is no whole number of purchase units. */
function leftInUnitRule(input: string, values: Values, path: string) {
  const line = values.items[Number(path.split('.')[1])]
  const value = typed(input)
  if (!line?.unit || line.counted === 'STOCK' || value === null) return leftRule(input, values, path)
  const units = quotient(line.left, line.unit.rate)
  return isPositive(minus(timesRounded(value, line.unit.rate), line.left))
    ? `at most ${units ? quantityText(units) : `${quantityText(line.left)} stock units`}`
    : null
}

const hasExpired = ({ items, received_date }: Values): boolean =>
  items.some(({ expiry_date }) => isBefore(expiry_date, received_date || today()))

export function Receive({ order }: { readonly order: Order }) {
  const session = useSession()
  const { api, me } = session
  const trackedOf = useTracked(order.items.map(({ item_id }) => item_id))
  const places = usePlaces()
  const { id } = order
  const isForeign = order.currency !== me.currency
  const step = useStepsOf(purchaseOrders, order, 'write:purchase.receipt.create')
  /** The shelf life of a new batch begins with its arrival. */
  const withExpiry = async (line: Line, arrived: string): Promise<Line> => {
    const { shelfLife } = trackedOf(line.item_id)
    const isOpen = shelfLife !== null && line.expiry_date === '' && isPositive(typed(line.quantity) ?? '0')
    return isOpen && (await isNewBatch(session, line.item_variant_id ?? '', line.batch_number.trim()))
      ? { ...line, expiry_date: dayAfter(arrived || today(), shelfLife) }
      : line
  }
  return (
    <Step
      {...step('Receive', 'received')}
      size="lg"
      button={{ variant: 'filled' }}
      explains="The goods enter the stock now, at the order's prices. What is left empty arrives later."
      initial={(): Values => ({
        storage_place_id: usualPlace(places, 'purchase_allowed'),
        received_date: '',
        exchange_rate: '',
        items: receivable(order),
      })}
      validate={{
        storage_place_id: value => (value === null ? 'choose where it is put' : null),
        exchange_rate: value => (decimalRules.empty(value) ? null : decimalRules.positive(value)),
        items: { quantity: leftInUnitRule },
      }}
      fieldOf={(field, values) => fieldOfSent(field.replace(/\.purchase_quantity$/, '.quantity'), values)}
      fields={form => (
        <>
          <SimpleGrid cols={2}>
            <PlaceSelect label="Put at" required of="purchase_allowed" {...form.getInputProps('storage_place_id')} />
            <TextInput type="date" label="Arrived on" {...form.getInputProps('received_date')} />
            {isForeign && (
              <DecimalInput
                label={`${me.currency} for one ${order.currency}`}
                placeholder={forTyping(order.exchange_rate)}
                {...form.getInputProps('exchange_rate')}
              />
            )}
          </SimpleGrid>
          <ReceiptLines form={form} />
          <DateWarnings of={[[hasExpired(form.values), 'a line has expired before it arrived']]} />
        </>
      )}
      send={async ({ storage_place_id, received_date, exchange_rate, items }, sending) => {
        const dated = await Promise.all(items.map(line => withExpiry(line, received_date)))
        return await api.purchaseOrders.createReceipt(
          id,
          {
            storage_place_id: storage_place_id ?? '',
            received_date: received_date || undefined,
            exchange_rate: sentUnlessEmpty(exchange_rate),
            items: sentLines(dated, 'purchase_order_item_id', ({ counted, batch_number, expiry_date, quarantine }) => ({
              counted,
              batch_number: batch_number.trim() || undefined,
              expiry_date: expiry_date || undefined,
              quarantine,
            })).map(({ counted, quantity, ...line }) =>
              counted === 'PURCHASE' ? { ...line, purchase_quantity: quantity } : { ...line, quantity },
            ),
          },
          sending,
        )
      }}
      done={receipt => `Received with ${receipt.number}`}
      foretells={({ items, total_amount }) => (
        <Foretold begins="These goods enter the stock:" lines={items}>
          They cost {moneyText(total_amount, order.currency)} without tax.
        </Foretold>
      )}
    />
  )
}

function receivable({ items }: Order): Line[] {
  return linesLeft(items, item => minus(item.quantity, item.received_quantity)).flatMap(line => {
    const item = items.find(({ id }) => id === line.id)
    if (item === undefined) return []
    const unit = item.purchase_quantity === null ? null : { name: item.purchase_unit_name, rate: item.conversion_rate }
    const units = unit && quotient(line.left, unit.rate)
    return {
      ...line,
      item_id: item.item_id,
      unit,
      counted: units === null ? 'STOCK' : 'PURCHASE',
      quantity: forTyping(units ?? line.left),
      batch_number: item.batch_number ?? '',
      expiry_date: dayOf(item.expiry_date),
      quarantine: false,
    }
  })
}

function leftText({ left, unit }: Line, stockUnit: string | null): string {
  const units = unit && quotient(left, unit.rate)
  return `${withUnit(left, stockUnit)} left${unit && units ? `: ${quantityText(units)} × ${unitTitle(unit)}` : ''}`
}

function ReceiptLines({ form }: { readonly form: UseFormReturnType<Values> }) {
  const lines = form.values.items
  const trackedOf = useTracked(lines.map(({ item_id }) => item_id))
  const unitOf = useUnits(lines.flatMap(({ item_variant_id }) => item_variant_id ?? []))
  /** Fills in the batch of the scanned line, and moves the focus to its quantity. */
  const onScan = (scan: Scan): string | null => {
    for (const variantId of variantsIn(scan)) {
      const { number, expiry } = batchIn(scan, variantId)
      const isOf = ({ item_variant_id }: Line) => item_variant_id === variantId
      const isFree = ({ batch_number }: Line) => number === '' || batch_number === '' || batch_number === number
      const index = lines.findIndex(line => isOf(line) && isFree(line))
      const line = lines[index]
      if (line === undefined) {
        if (lines.some(isOf)) return `Its line has another batch already: receive ${number} by itself`
        continue
      }
      if (number !== '' && trackedOf(line.item_id).mayHaveBatch) {
        form.setFieldValue(`items.${index}.batch_number`, number)
        form.setFieldValue(`items.${index}.expiry_date`, expiry)
      }
      focusField(`items.${index}.quantity`)
      return null
    }
    return 'No line of the order waits for this'
  }
  return (
    <>
      <ScanInput onScan={onScan} />
      {lines.map((line, index) => {
        const { unit, quantity, counted } = line
        const { mayHaveBatch, shelfLife } = trackedOf(line.item_id)
        return (
          <Fieldset key={line.id} legend={`${line.title}, ${leftText(line, unitOf(line.item_variant_id ?? ''))}`}>
            <SimpleGrid cols={{ base: 2, sm: 4 }} verticalSpacing="xs">
              <DecimalInput label="Quantity" {...form.getInputProps(`items.${index}.quantity`)} />
              {unit !== null && (
                <UnitSelect
                  unit={unit}
                  value={counted}
                  onChange={other => {
                    form.setFieldValue(`items.${index}.quantity`, recounted(quantity, unit, other))
                    form.setFieldValue(`items.${index}.counted`, other)
                  }}
                />
              )}
              {mayHaveBatch && (
                <>
                  <TextInput label="Batch" maxLength={64} {...form.getInputProps(`items.${index}.batch_number`)} />
                  <ExpiryInput
                    shelfLife={shelfLife}
                    from={form.values.received_date || today()}
                    {...form.getInputProps(`items.${index}.expiry_date`)}
                  />
                </>
              )}
              <Checkbox
                label="Quarantine"
                style={{ alignSelf: 'end' }}
                pb={8}
                {...form.getInputProps(`items.${index}.quarantine`, { type: 'checkbox' })}
              />
            </SimpleGrid>
          </Fieldset>
        )
      })}
    </>
  )
}

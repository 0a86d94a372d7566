/** The steps that change what is in stock of a variant. */
import { Checkbox, SegmentedControl, Select, Stack, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import {
  type Decimal,
  isPositive,
  isZero,
  minus,
  sent,
  sentTyped,
  sentUnlessEmpty,
  sum,
  typed,
  typedHint,
} from '../../exact.ts'
import { words } from '../../format.tsx'
import { Step } from '../../patterns/action-form.tsx'
import { BatchInput, entriesQuery, onHand } from '../../patterns/batches.tsx'
import { Foretold } from '../../patterns/foretold.tsx'
import { type AtPlace, asideTexts, goodsOf, hereOf, useGoods } from '../../patterns/goods.tsx'
import { DecimalInput, decimalRules } from '../../patterns/inputs.tsx'
import { transferLines } from '../../patterns/picks.ts'
import { PlaceSelect, placeId, placeValue, usePlaces } from '../../patterns/places.tsx'
import { Small } from '../../patterns/small.tsx'
import { withUnit } from '../../patterns/units.tsx'
import type { StockEntry as Entry, Product } from '../../records.ts'
import { useSession } from '../../session.tsx'

const REASONS = ['CORRECTION', 'COUNT', 'DAMAGE', 'LOSS', 'EXPIRED', 'INITIAL', 'OTHER'] as const
type Reason = (typeof REASONS)[number]

/** The quantity that can be moved without a named batch. Expired stock cannot. */
const movable = ({ usable, entries }: AtPlace, isQuarantined: boolean): Decimal =>
  isQuarantined ? sum(entries.filter(entry => !entry.is_expired).map(entry => entry.quarantine_quantity)) : usable

export type ShownVariant = { readonly product: Product; readonly variant: Product['variants'][number] }

export function StockSteps({ product, variant }: ShownVariant) {
  const { api, can } = useSession()
  const places = usePlaces()
  const { data } = useQuery({ ...entriesQuery(api, variant.id), enabled: can('read:stock') })
  // One page has the newest batches, but those that expire first are the oldest.
  const hasMore = data !== undefined && data.next_cursor !== ''
  const goods = useGoods(hasMore ? [variant.id] : [])
  const all = goods?.get(variant.id)?.flatMap(({ entries }) => entries)
  const entries: readonly Entry[] = all ?? data?.data ?? []
  const main = placeValue(places?.find(({ is_main }) => is_main)?.id ?? null)
  const hasUnplaced = places?.length === 0 || entries.some(row => row.storage_place_id === null)
  const isNew = ({ how, batch, number }: { how: string; batch: string; number: string }) =>
    product.batch_tracked && batch === '' && (how === 'COUNTED' || number.trim() !== '')
  // Place and stock must be loaded before the step can say what changes.
  const isRead = data !== undefined && (!hasMore || all !== undefined) && places !== undefined
  const closed = isRead ? undefined : 'Its stock is not read yet'
  const unit = product.unit_name
  return (
    <>
      <Step
        label="Adjust stock"
        submitLabel="Adjust"
        scope={['write:inventory.adjustment.create', 'read:stock']}
        closed={closed}
        initial={() => ({
          ...{ how: 'COUNTED' as 'COUNTED' | 'BY', reason: 'COUNT' as Reason, place: main },
          ...{ batch: '', number: '', expiry: '', quantity: '', cost: '', notes: '' },
          // What the person saw when the form was opened: is it another by then, a count is no longer one.
          seen: entries,
        })}
        validate={{
          quantity: (input, { how }) => {
            if (how === 'COUNTED') return decimalRules.zeroOrMore(input)
            const value = typed(input)
            return value === null ? typedHint : isZero(value) ? 'must not be 0' : null
          },
          cost: input => (decimalRules.empty(input) ? null : decimalRules.zeroOrMore(input)),
          batch: (batch, { how, number }) =>
            product.batch_tracked && how === 'COUNTED' && batch === '' && number.trim() === ''
              ? 'choose what batch was counted'
              : null,
        }}
        fields={form => {
          const { how, place, batch, quantity, seen } = form.values
          const isInflow = how === 'COUNTED' || (typed(quantity) ?? '').startsWith('-') === false
          return (
            <>
              <SegmentedControl
                aria-label="What is known"
                data={[
                  { value: 'COUNTED', label: 'It was counted' },
                  { value: 'BY', label: 'It changes by' },
                ]}
                value={how}
                onChange={value => {
                  form.setFieldValue('how', value as 'COUNTED' | 'BY')
                  form.setFieldValue('reason', value === 'COUNTED' ? 'COUNT' : 'CORRECTION')
                }}
              />
              <PlaceSelect label="Place" required withNone={hasUnplaced} {...form.getInputProps('place')} />
              {product.batch_tracked && (
                <BatchInput
                  entries={seen}
                  place={place}
                  {...form.getInputProps('batch')}
                  placeholder={how === 'COUNTED' ? 'A new one' : 'A new one, or those that expire first'}
                />
              )}
              {product.batch_tracked && batch === '' && isInflow && (
                <>
                  <TextInput label="Number of the new batch" maxLength={64} {...form.getInputProps('number')} />
                  <TextInput type="date" label="It expires" {...form.getInputProps('expiry')} />
                </>
              )}
              <DecimalInput
                label={how === 'COUNTED' ? `Counted, ${unit}` : `Change, ${unit} (-2 takes two out)`}
                required
                description={
                  isNew(form.values)
                    ? undefined
                    : `On hand as you opened this: ${withUnit(onHand(seen, place, batch), unit)}`
                }
                {...form.getInputProps('quantity')}
              />
              {isInflow && (
                <DecimalInput
                  label="Cost of one, where more came in"
                  placeholder="as the average is"
                  {...form.getInputProps('cost')}
                />
              )}
              <Select
                label="Reason"
                allowDeselect={false}
                data={REASONS.map(reason => ({ value: reason, label: words(reason) }))}
                {...form.getInputProps('reason')}
              />
              <TextInput label="Notes" maxLength={10_000} {...form.getInputProps('notes')} />
            </>
          )
        }}
        send={({ how, place, batch, number, expiry, quantity, cost, reason, notes, seen }, sending) => {
          const isNewBatch = batch === '' && number.trim() !== ''
          const counted = {
            counted_quantity: sentTyped(quantity),
            expected_quantity: isNewBatch ? undefined : sent(onHand(seen, place, batch)),
          }
          const item = {
            item_variant_id: variant.id,
            ...(how === 'COUNTED' ? counted : { quantity: sentTyped(quantity) }),
            unit_cost: sentUnlessEmpty(cost),
            batch_id: batch || undefined,
            ...(isNewBatch ? { batch_number: number, expiry_date: expiry || undefined } : {}),
          }
          const of = { storage_place_id: placeId(place), reason, notes: notes.trim() || null }
          return api.stockAdjustments.create({ ...of, items: [item] }, sending)
        }}
        done={({ number }) => `Adjusted with ${number}`}
      />
      <Step
        label="Transfer"
        title="Transfer stock"
        submitLabel="Transfer"
        scope={['write:inventory.transfer.create', 'read:stock']}
        closed={closed}
        initial={() => ({
          ...{ from: main, to: '', batch: '', quantity: '', notes: '' },
          ...{ from_quarantine: false, to_quarantine: false },
        })}
        validate={{
          to: (to, { from, from_quarantine, to_quarantine }) =>
            to === ''
              ? 'choose where it goes'
              : to === from && from_quarantine === to_quarantine
                ? 'the same place: choose another, or into or out of quarantine'
                : null,
          quantity: (input, { from, batch, from_quarantine }) => {
            const most = movable(hereOf(goodsOf(entries), variant.id, placeId(from)), from_quarantine)
            return (
              decimalRules.positive(input) ??
              (batch === '' && isPositive(minus(typed(input) ?? '0', most))
                ? `at most ${withUnit(most, unit)}, unless you choose a batch`
                : null)
            )
          },
        }}
        fields={form => (
          <>
            <PlaceSelect label="From" required withNone={hasUnplaced} {...form.getInputProps('from')} />
            <PlaceSelect label="To" required withNone={hasUnplaced} {...form.getInputProps('to')} />
            {product.batch_tracked && (
              <BatchInput
                entries={entries}
                place={form.values.from}
                {...form.getInputProps('batch')}
                placeholder="Those that expire first and have not expired"
              />
            )}
            <DecimalInput label={`Quantity, ${unit}`} required {...form.getInputProps('quantity')} />
            <Small>
              {[
                `There now: ${withUnit(onHand(entries, form.values.from, form.values.batch), unit)}.`,
                ...asideTexts(hereOf(goodsOf(entries), variant.id, placeId(form.values.from))),
              ].join(' ')}
            </Small>
            <Stack gap={6}>
              <Checkbox label="Out of quarantine" {...form.getInputProps('from_quarantine', { type: 'checkbox' })} />
              <Checkbox label="Into quarantine" {...form.getInputProps('to_quarantine', { type: 'checkbox' })} />
            </Stack>
            <TextInput label="Notes" maxLength={10_000} {...form.getInputProps('notes')} />
          </>
        )}
        send={({ from, to, batch, quantity, from_quarantine, to_quarantine, notes }, sending) => {
          const [from_storage_place_id, to_storage_place_id] = [placeId(from), placeId(to)]
          const lines =
            batch === ''
              ? transferLines({ place: from_storage_place_id, entries }, variant.id, {
                  quantity: typed(quantity) ?? '0',
                  isQuarantined: from_quarantine,
                })
              : [{ item_variant_id: variant.id, batch_id: batch, quantity: sentTyped(quantity) }]
          const items = lines.map(line => ({ ...line, from_quarantine, to_quarantine }))
          const between = { from_storage_place_id, to_storage_place_id, notes: notes.trim() || null }
          return api.stockTransfers.create({ ...between, items }, sending)
        }}
        done={({ number }) => `Transferred with ${number}`}
        foretells={({ items }) => <Foretold begins="This moves:" lines={items} />}
      />
    </>
  )
}

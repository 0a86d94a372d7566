/**
 * Steps with rows of stock, by place and batch: move, quarantine, release and scrap. The writes of several places are all done or none is.
 */
import { Select, TextInput } from '@mantine/core'
import { type StockAdjustment, type StockTransfer, type Entry as Write, writes } from '@millrace/client'
import { forTyping, isPositive, minus, negated, sent, typed } from '../exact.ts'
import { countText, words } from '../format.tsx'
import type { StockEntry as Entry } from '../records.ts'
import { useSession } from '../session.tsx'
import { Step, type StepProps } from './action-form.tsx'
import { stockRowText } from './chosen.tsx'
import { Foretold } from './foretold.tsx'
import { PlaceSelect, placeId, placeValue, usePlaces, usePlaceTitle } from './places.tsx'
import { fieldOfSent, QuantityFields, type QuantityLine, quantityRule } from './quantity-fields.tsx'
import { outsideOf } from './stock-marks.tsx'

type Line = QuantityLine & { readonly entry: Entry; readonly isQuarantined: boolean }
type Answer = StockTransfer | StockAdjustment
type Values = { items: Line[]; to: string; reason: string; notes: string }
type Written = Values & { readonly idempotencyKey: string }

type Props = { readonly rows: readonly Entry[]; readonly onDone?: () => void }

/** The most lines that the service takes in a document. */
const LINES_MAX = 500
/** The most places: the service takes twice as many writes at once, and scrapping quarantined stock needs two for each place. */
const PLACES_MAX = 50

const SCRAP_REASONS = ['DAMAGE', 'LOSS', 'EXPIRED', 'OTHER'] as const

/** The stock of the rows, in and out of quarantine, each as a line. */
function useLines(rows: readonly Entry[]): readonly Line[] {
  const placeTitle = usePlaceTitle()
  return rows.flatMap(entry =>
    [false, true].flatMap(isQuarantined => {
      const left = isQuarantined ? entry.quarantine_quantity : outsideOf(entry)
      if (!isPositive(left)) return []
      const title = `${stockRowText(entry, placeTitle)}${isQuarantined ? ', in quarantine' : ''}`
      return [
        { ...entry, id: `${entry.id} ${isQuarantined}`, title, left, quantity: forTyping(left), entry, isQuarantined },
      ]
    }),
  )
}

function byPlace(lines: readonly Line[]) {
  const kept = lines.flatMap(line => {
    const quantity = typed(line.quantity)
    return quantity !== null && isPositive(quantity) ? [{ ...line, kept: quantity }] : []
  })
  return [...Map.groupBy(kept, ({ entry }) => entry.storage_place_id)]
}

type Moving = {
  /** Undefined: each stays where it is. */
  readonly place?: string | null
  readonly toQuarantine: (line: Line) => boolean
}

const transfersOf = ({ items, notes, idempotencyKey }: Written, { place, toQuarantine }: Moving): Write<Answer>[] =>
  byPlace(items).map(([from, there]) =>
    writes.stockTransfers.create(
      {
        from_storage_place_id: from,
        to_storage_place_id: place === undefined ? from : place,
        notes: notes.trim() || null,
        items: there.map(line => ({
          item_variant_id: line.entry.item_variant_id,
          batch_id: line.entry.batch_id,
          quantity: sent(line.kept),
          from_quarantine: line.isQuarantined,
          to_quarantine: toQuarantine(line),
        })),
      },
      { idempotencyKey: `${idempotencyKey}-from-${from}` },
    ),
  )

const adjustmentsOf = ({ items, reason, notes, idempotencyKey }: Written): Write<Answer>[] =>
  byPlace(items).map(([storage_place_id, there]) =>
    writes.stockAdjustments.create(
      {
        storage_place_id,
        reason: reason as StockAdjustment['reason'],
        notes: notes.trim() || null,
        items: there.map(({ entry, kept }) => ({
          item_variant_id: entry.item_variant_id,
          batch_id: entry.batch_id,
          quantity: sent(negated(kept)),
        })),
      },
      { idempotencyKey: `${idempotencyKey}-scrap-${storage_place_id}` },
    ),
  )

type RowStepProps = Pick<
  StepProps<Values, never, unknown>,
  'label' | 'title' | 'explains' | 'scope' | 'button' | 'fields'
> & {
  readonly lines: readonly Line[]
  readonly reason?: string
  readonly validate?: { readonly to?: (to: string, values: Values) => string | null }
  readonly writesOf: (written: Written) => readonly Write<Answer>[]
  readonly begins: string
  readonly onDone?: (() => void) | undefined
}

/** A step with lines, each of which can be left out. Without lines there is no step. */
function RowStep({ lines, reason = '', validate, fields, writesOf, begins, onDone, ...props }: RowStepProps) {
  const { allOrNone } = useSession()
  if (lines.length === 0) return null
  const places = new Set(lines.map(({ entry }) => entry.storage_place_id)).size
  const isTooMuch = lines.length > LINES_MAX || places > PLACES_MAX
  return (
    <Step
      {...props}
      size="lg"
      closed={isTooMuch ? `At most ${countText(LINES_MAX)} rows of ${PLACES_MAX} places at once` : undefined}
      initial={(): Values => ({ items: [...lines], to: '', reason, notes: '' })}
      validate={{
        ...validate,
        items: {
          quantity: (input, { items }, path) => {
            const line = items[Number(path.split('.')[1])]
            const fault = quantityRule(input)
            if (fault !== null || line === undefined) return fault
            const value = typed(input)
            if (value?.startsWith('-')) return 'must be 0 or more'
            return value !== null && isPositive(minus(value, line.left)) ? 'more than is there' : null
          },
        },
        notes: (_, { items }) => (byPlace(items).length === 0 ? 'nothing is left to do: type a quantity' : null),
      }}
      fieldOf={(field, values) => (places === 1 ? fieldOfSent(field, values) : '')}
      fields={form => (
        <>
          {fields?.(form)}
          <QuantityFields form={form} leftIs="There" />
          <TextInput label="Notes" maxLength={10_000} {...form.getInputProps('notes')} />
        </>
      )}
      send={(values, { idempotencyKey, dryRun }) => allOrNone(writesOf({ ...values, idempotencyKey }), { dryRun })}
      done={documents => `Done with ${documents.map(({ number }) => number).join(', ')}`}
      foretells={documents => <Foretold begins={begins} lines={documents.flatMap(({ items }) => [...items])} />}
      onDone={() => onDone?.()}
    />
  )
}

const TRANSFER = ['write:inventory.transfer.create', 'read:stock']
const ADJUSTMENT = ['write:inventory.adjustment.create', 'read:stock']

const intoQuarantine = {
  label: 'Quarantine',
  explains: 'It stays where it is, and nothing is picked of it.',
  begins: 'This goes into quarantine:',
}
const outOfQuarantine = {
  label: 'Out of quarantine',
  explains: 'It stays where it is, and can be picked again.',
  begins: 'This comes out of quarantine:',
}

type QuarantineProps = Props & {
  /** Of the button, where more is meant than the rows that were chosen. */
  readonly label?: string
  readonly isOut?: boolean
}

export function QuarantineStep({ rows, isOut = false, ...props }: QuarantineProps) {
  return (
    <RowStep
      {...(isOut ? outOfQuarantine : intoQuarantine)}
      {...props}
      scope={TRANSFER}
      lines={useLines(rows).filter(line => line.isQuarantined === isOut)}
      writesOf={written => transfersOf(written, { toQuarantine: () => !isOut })}
    />
  )
}

function Move({ rows, onDone }: Props) {
  const places = usePlaces()
  const lines = useLines(rows)
  const hasUnplaced = places?.length === 0 || rows.some(row => row.storage_place_id === null)
  return (
    <RowStep
      label="Transfer"
      title="Transfer stock"
      scope={TRANSFER}
      explains="What is in quarantine stays in quarantine."
      lines={lines}
      validate={{
        to: (to, { items }) =>
          to === ''
            ? 'choose where it goes'
            : byPlace(items).some(([from]) => placeValue(from) === to)
              ? 'some of it is there already: choose another place, or leave it out'
              : null,
      }}
      fields={form => <PlaceSelect label="To" required withNone={hasUnplaced} {...form.getInputProps('to')} />}
      writesOf={written =>
        transfersOf(written, { place: placeId(written.to), toQuarantine: line => line.isQuarantined })
      }
      begins="This moves:"
      onDone={onDone}
    />
  )
}

function Scrap({ rows, onDone }: Props) {
  const lines = useLines(rows)
  const hasQuarantined = lines.some(({ isQuarantined }) => isQuarantined)
  return (
    <RowStep
      label="Scrap"
      title="Scrap stock"
      scope={hasQuarantined ? [...ADJUSTMENT, ...TRANSFER] : ADJUSTMENT}
      button={{ color: 'red', variant: 'outline' }}
      explains="It leaves the stock at its average cost."
      lines={lines}
      reason={rows.every(row => row.is_expired) ? 'EXPIRED' : 'DAMAGE'}
      fields={form => (
        <Select
          label="Reason"
          allowDeselect={false}
          data={SCRAP_REASONS.map(reason => ({ value: reason, label: words(reason) }))}
          {...form.getInputProps('reason')}
        />
      )}
      writesOf={written => [
        // An adjustment takes nothing out of quarantine: it comes out first.
        ...transfersOf(
          { ...written, items: written.items.filter(line => line.isQuarantined) },
          { toQuarantine: () => false },
        ),
        ...adjustmentsOf(written),
      ]}
      begins="These documents are booked:"
      onDone={onDone}
    />
  )
}

/** All steps; nothing without rows. */
export const StockRowSteps = (props: Props) =>
  props.rows.length > 0 && (
    <>
      <Move {...props} />
      <QuarantineStep {...props} />
      <QuarantineStep {...props} isOut />
      <Scrap {...props} />
    </>
  )

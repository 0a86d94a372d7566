/** Reversals of booked documents: the mark of a reversed one, and the step that reverses one. */
import { Badge, List, Text, TextInput } from '@mantine/core'
import type { StockMovement } from '@millrace/client'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { isPositive, negated } from '../exact.ts'
import { dayText } from '../format.tsx'
import { useSession } from '../session.tsx'
import { type Sending, Step } from './action-form.tsx'
import { BatchOf } from './batches.tsx'
import { Failure } from './failure.tsx'
import { Closed } from './lacking.tsx'
import { PlaceTitle } from './places.tsx'
import { Quantity } from './units.tsx'
import { Waiting } from './waiting.tsx'

export type Reversible = { readonly reversed_at: string | null; readonly reversal_reason: string | null }

/** The mark of a reversed document; nothing for others. */
export const Reversed = ({ of: { reversed_at, reversal_reason } }: { readonly of: Reversible }) =>
  reversed_at !== null && (
    <Text span size="xs" display="block" maw={320} className="address">
      <Badge component="span" color="orange" miw="max-content">
        Reversed
      </Badge>{' '}
      <span className="whole">{dayText(reversed_at)}</span>: {reversal_reason}
    </Text>
  )

type Source = StockMovement['source_type']
export type Titled = { readonly item_variant_id: string | null; readonly title: string }

/** The most movements of a document that the step lists. */
const SHOWN_MAX = 50

export type ReversedBody = { readonly reason: string; readonly date: string | undefined }

/** For a document of goods: the step lists what moves. */
type OfGoods = {
  /** The source in the document's movements. */
  readonly source: Source
  readonly lines: readonly Titled[]
  readonly ofValue?: never
}

/** For a document that booked only values: a text of what its reversal does. */
export type OfValue = {
  readonly ofValue: { readonly explains: string; readonly does: ReactNode }
  readonly source?: never
  readonly lines?: never
}

type Props<One extends Reversible> = (OfGoods | OfValue) & {
  readonly of: One & { readonly id: string; readonly number: string }
  /** The document as it was read by its id. A row of a list has no version to depend on. */
  readonly record?: One
  readonly reread?: () => Promise<One>
  readonly scope: string
  /** The effect on its order. */
  readonly follows?: string
  readonly size?: 'compact-xs'
  readonly send: (body: ReversedBody, sending: Sending) => Promise<One>
}

/** The step shows its effects before it asks for a reason. A reversed document has no such step. */
export function ReverseStep<One extends Reversible>(props: Props<One>) {
  const { of, source, lines, ofValue, follows, size, send, ...step } = props
  if (of.reversed_at !== null) return null
  return (
    <Step
      {...step}
      label={`Reverse ${of.number}`}
      submitLabel="Reverse"
      size="lg"
      button={{ color: 'red', variant: 'outline', ...(size ? { size } : {}) }}
      explains={
        ofValue?.explains ??
        'All of it is taken back, or nothing: what came in must still be there. This cannot be undone.'
      }
      initial={() => ({ reason: '', date: '' })}
      validate={{ reason: value => (value.trim() === '' ? 'say why' : null) }}
      fields={form => (
        <>
          {source === undefined ? ofValue?.does : <Opposites source={source} id={of.id} lines={lines} />}
          <Text size="sm">{follows} The document stays in its lists, marked as reversed.</Text>
          <TextInput label="Reason" withAsterisk maxLength={255} {...form.getInputProps('reason')} />
          <TextInput type="date" label="Reversed on (now if empty)" {...form.getInputProps('date')} />
        </>
      )}
      send={({ reason, date }, sending) => send({ reason: reason.trim(), date: date || undefined }, sending)}
      done={() => `${of.number} is reversed`}
      foretells={({ reversed_at }) => (
        <Text size="sm">
          Nothing stands in the way: {ofValue ? 'the stock gives back its part' : 'all of it is taken back'}, dated{' '}
          {dayText(reversed_at)}.
        </Text>
      )}
    />
  )
}

type OppositesProps = { readonly source: Source; readonly id: string; readonly lines: readonly Titled[] }

/** The opposites of the document's movements, the last one first, as the reversal will post them. */
function Opposites({ source, id, lines }: OppositesProps) {
  const { api, can } = useSession()
  const of = { source_type: source, source_id: id }
  const { data, error } = useQuery({
    queryKey: ['stock-movements', 'of-document', source, id],
    queryFn: async ({ signal }) =>
      await api.stockMovements.list({ ...of, order: 'desc', limit: SHOWN_MAX }, { signal }),
    enabled: can('read:stock'),
  })
  if (!can('read:stock')) return <Closed scope="read:stock" />
  if (error) return <Failure error={error} title="What it moved could not be read" />
  if (data === undefined) return <Waiting label="Reading what it moved" />
  const titles = new Map(lines.map(line => [line.item_variant_id, line.title]))
  return (
    <List size="sm" aria-label="What it does">
      {data.data.map(({ batch_id, storage_place_id, quantity, ...movement }) => (
        <List.Item key={movement.id}>
          <Quantity of={isPositive(quantity) ? quantity : negated(quantity)} goods={movement} /> ×{' '}
          {titles.get(movement.item_variant_id)}
          {batch_id !== null && (
            <>
              , batch <BatchOf id={batch_id} />
            </>
          )}{' '}
          {isPositive(quantity) ? 'leaves' : 'comes back to'} <PlaceTitle id={storage_place_id} />
        </List.Item>
      ))}
      {data.data.length === 0 && <List.Item>No goods move.</List.Item>}
      {data.next_cursor !== '' && <List.Item>And more: the document moved more than is named here.</List.Item>}
    </List>
  )
}

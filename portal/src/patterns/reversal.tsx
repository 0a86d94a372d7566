/** Reversals of booked documents: how a reversed one is marked wherever it is shown, and the step that reverses one. */
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

/** The mark of a reversed document; of others nothing. */
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

/** More movements of a document are not named. */
const SHOWN_MAX = 50

export type ReversedBody = { readonly reason: string; readonly date: string | undefined }

/** A document of goods: the step names what moves. */
type OfGoods = {
  /** As its movements name it. */
  readonly source: Source
  readonly lines: readonly Titled[]
  readonly ofValue?: never
}

/** A document that booked values alone says what its reversal does. */
export type OfValue = {
  readonly ofValue: { readonly explains: string; readonly does: ReactNode }
  readonly source?: never
  readonly lines?: never
}

type Props<One extends Reversible> = (OfGoods | OfValue) & {
  readonly of: One & { readonly id: string; readonly number: string }
  /** The document as it was read by its id; a row of a list is bound to nothing. */
  readonly record?: One
  readonly reread?: () => Promise<One>
  readonly scope: string
  /** What follows for its order. */
  readonly follows?: string
  readonly size?: 'compact-xs'
  readonly send: (body: ReversedBody, sending: Sending) => Promise<One>
}

/** Says what it will do before it asks why; there is none for what is reversed. */
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

/** The movements of the document as the reversal will answer them, the last first. */
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

/** Reversals of booked documents: how a reversed one is marked wherever it is shown, and the step that reverses one. */
import { Badge, List, Text, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { type Decimal, isPositive, isZero, negated } from '../exact.ts'
import { dayText, quantityText } from '../format.tsx'
import { type Sending, Step } from './action-form.tsx'
import { PlaceTitle } from './places.tsx'

type Reversible = { readonly reversed_at: string | null; readonly reversal_reason: string | null }

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

/** What a document moved: above 0 it brought goods. */
export type Moved = {
  readonly key: string
  readonly quantity: Decimal
  readonly title: string
  readonly batch?: ReactNode
  readonly place: string | null
}

type Body = { readonly reason: string; readonly date: string | undefined }

type Props<One extends Reversible> = {
  readonly of: One & { readonly number: string }
  /** The document as it was read by its id; a row of a list is bound to nothing. */
  readonly record?: One
  readonly reread?: () => Promise<One>
  readonly scope: string
  readonly moved: readonly Moved[]
  /** What follows for its order. */
  readonly follows?: string
  readonly size?: 'compact-xs'
  readonly send: (body: Body, sending: Sending) => Promise<One>
}

/** Says what it will do before it asks why; there is none for what is reversed. */
export function ReverseStep<One extends Reversible>({ of, moved, follows, size, send, ...props }: Props<One>) {
  if (of.reversed_at !== null) return null
  return (
    <Step
      {...props}
      label={`Reverse ${of.number}`}
      submitLabel="Reverse"
      size="lg"
      button={{ color: 'red', variant: 'outline', ...(size ? { size } : {}) }}
      explains="All of it is taken back, or nothing: what came in must still be there. This cannot be undone."
      initial={() => ({ reason: '', date: '' })}
      validate={{ reason: value => (value.trim() === '' ? 'say why' : null) }}
      fields={form => (
        <>
          <List size="sm" aria-label="What it does">
            {moved
              .filter(({ quantity }) => !isZero(quantity))
              .map(line => (
                <List.Item key={line.key}>
                  <Opposite of={line} />
                </List.Item>
              ))}
          </List>
          <Text size="sm">{follows} The document stays in its lists, marked as reversed.</Text>
          <TextInput label="Reason" withAsterisk maxLength={255} {...form.getInputProps('reason')} />
          <TextInput type="date" label="Reversed on (now if empty)" {...form.getInputProps('date')} />
        </>
      )}
      send={({ reason, date }, sending) => send({ reason: reason.trim(), date: date || undefined }, sending)}
      done={() => `${of.number} is reversed`}
    />
  )
}

function Opposite({ of: { quantity, title, batch, place } }: { readonly of: Moved }) {
  const came = isPositive(quantity)
  return (
    <>
      {quantityText(came ? quantity : negated(quantity))} × {title}
      {batch && <>, batch {batch}</>} {came ? 'leaves' : 'comes back to'} <PlaceTitle id={place} />
    </>
  )
}

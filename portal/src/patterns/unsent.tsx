/** What a form holds that was not booked: it is kept as a draft, and asked about before the form is left. */

import { Alert, Button, Group, Text } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { ApiError, responseOf } from '@millrace/client'
import { useRouter } from '@tanstack/react-router'
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { type Draft, dropDraft, useHasDraft, writeDraft } from '../drafts.ts'
import { instantText } from '../format.tsx'
import { type Difference, differences } from './differences.ts'
import type { AnyValues, MayClose } from './step-props.ts'

/** The record that a form changes, as the person saw it. */
type Bound<One extends object> = { readonly seen: One; readonly ifMatch: object | string }

/** A sent form must be sent again unchanged. An unsent one depends on the record as it is now. */
export function boundTo<One extends object>(draft: Draft | null, record: One | undefined): Bound<One> | null {
  if (draft?.isSent && draft.seen !== null && draft.etag !== null)
    return { seen: draft.seen as One, ifMatch: draft.etag }
  return record ? { seen: record, ifMatch: record } : null
}

/** Null if the draft belongs to the record as it is now. */
export function changedSince(draft: Draft | null, record: object | undefined): readonly Difference[] | null {
  if (!draft?.seen || draft.isSent || record === undefined) return null
  const found = differences(draft.seen, record)
  return found.length > 0 ? found : null
}

/** A draft of an earlier version of the portal may lack fields. */
export const fitting = (draft: Draft | null, initial: object): Draft | null =>
  draft !== null && String(Object.keys(draft.values)) === String(Object.keys(initial)) ? draft : null

type Props<Values extends AnyValues, One extends object> = {
  /** The draft with which the form began. */
  readonly draft: Draft | null
  readonly draftName: string
  readonly form: UseFormReturnType<Values, Values>
  readonly bound: Bound<One> | null
  readonly idempotencyKey: string
  readonly guard: RefObject<MayClose | null>
  readonly close: () => void
  readonly restart: () => void
  readonly again: string | undefined
}

/** Updates the draft of a form, and asks before the form is left. */
export function useUnsent<Values extends AnyValues, One extends object>(props: Props<Values, One>) {
  const { draft, draftName, form, bound, idempotencyKey, guard, close, restart, again } = props
  const [isSent, setSent] = useState(draft?.isSent ?? false)
  const hasEnded = useRef(false)
  const isKept = useHasDraft(draftName)
  const { values } = form
  const isFilled = isSent || JSON.stringify(values) !== JSON.stringify(form.getInitialValues())

  const keep = (filled: Values, sent: boolean) =>
    writeDraft(draftName, {
      values: filled,
      before: form.getInitialValues(),
      seen: bound?.seen ?? null,
      etag: bound === null ? null : etagOf(bound.ifMatch),
      idempotencyKey,
      isSent: sent,
    })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the draft follows what was filled in and what it is bound to.
  useEffect(() => {
    if (hasEnded.current) return
    if (isFilled) keep(values, isSent)
    else dropDraft(draftName)
  }, [values, isSent, bound, draftName])

  const drop = () => {
    hasEnded.current = true
    dropDraft(draftName)
  }
  const leaving = useLeaving({ holds: () => isFilled && !hasEnded.current, guard, close })
  const discardAndRestart = () => {
    drop()
    restart()
  }
  const question: ReactNode = leaving.isAsking ? (
    <AskBeforeLeaving
      isSent={isSent}
      isKept={isKept}
      onStay={leaving.stay}
      onKeep={leaving.leave}
      onDiscard={() => {
        drop()
        leaving.leave()
      }}
    />
  ) : null
  return {
    isSent: isSent && draft?.isSent === true,
    question,
    restored: draft && <Restored draft={draft} again={again} onDiscard={discardAndRestart} />,
    discardAndRestart,
    drop,
    /** Called before the request is sent: a reload must find its key. */
    sending: (filled: Values) => {
      keep(filled, true)
      setSent(true)
    },
    answered: (error: Error) => setSent(isUnknown(error)),
  }
}

/** Whether it is unknown if the service has made the write. */
const isUnknown = (error: Error): boolean => !(error instanceof ApiError) || error.status >= 500

const etagOf = (ifMatch: object | string): string | null =>
  typeof ifMatch === 'string' ? ifMatch : (responseOf(ifMatch)?.etag ?? null)

type Leaving = Pick<Props<AnyValues, object>, 'guard' | 'close'> & {
  /** Whether anything would be lost, asked at the moment of leaving. */
  readonly holds: () => boolean
}

/** The form asks when its own buttons, links and the browser's Back would leave it. The browser asks before a reload. */
function useLeaving({ holds, guard, close }: Leaving) {
  const { history } = useRouter()
  const [leave, setLeave] = useState<(() => void) | null>(null)
  const stay = () => setLeave(null)
  useEffect(() => {
    guard.current = () => {
      if (!holds()) return true
      // A second Escape is no answer: it returns to the form.
      setLeave(leave === null ? () => close : null)
      return false
    }
    return () => {
      guard.current = null
    }
  })
  useEffect(() =>
    history.block({
      enableBeforeUnload: holds,
      blockerFn: ({ action, nextLocation }) => {
        if (!holds()) return false
        const options = { ignoreBlocker: true }
        setLeave(() => () => {
          if (action === 'BACK') history.back(options)
          else if (action === 'FORWARD') history.forward(options)
          else history.push(nextLocation.href, nextLocation.state, options)
        })
        return true
      },
    }),
  )
  return { isAsking: leave !== null, stay, leave: () => leave?.() }
}

type AskProps = {
  readonly isSent: boolean
  readonly isKept: boolean
  readonly onStay: () => void
  readonly onKeep: () => void
  readonly onDiscard: () => void
}

function AskBeforeLeaving({ isSent, isKept, onStay, onKeep, onDiscard }: AskProps) {
  const stay = useRef<HTMLButtonElement>(null)
  // Whoever stays goes on in the field that had the focus.
  useEffect(() => {
    const before = document.activeElement
    stay.current?.focus()
    return () => {
      if (before instanceof HTMLElement) before.focus()
    }
  }, [])
  return (
    <Alert role="alert" color="orange" variant="outline" title="What you filled in is not booked">
      <Text size="sm" mb="xs">
        {isSent
          ? 'It was sent, and no answer came. If you discard it, look whether it was booked before you fill it in again.'
          : isKept
            ? 'As a draft it waits in this tab until you sign out.'
            : 'It is too long to be kept as a draft.'}
      </Text>
      <Group gap="xs">
        <Button ref={stay} size="xs" onClick={onStay}>
          Go on
        </Button>
        {isKept && (
          <Button size="xs" variant="default" onClick={onKeep}>
            Keep as a draft
          </Button>
        )}
        <Button size="xs" variant="outline" color="red" onClick={onDiscard}>
          Discard
        </Button>
      </Group>
    </Alert>
  )
}

type RestoredProps = { readonly draft: Draft; readonly again: string | undefined; readonly onDiscard: () => void }

const Restored = ({ draft, again = 'Trying again books it once.', onDiscard }: RestoredProps) => (
  <Alert role="status" variant="outline" title="Restored draft">
    <Text size="sm" mb="xs">
      {draft.isSent
        ? `This was sent at ${instantText(draft.at)}, and no answer came. ${again}`
        : `You filled this in at ${instantText(draft.at)} and did not send it.`}
    </Text>
    <Button size="compact-xs" variant="default" onClick={onDiscard}>
      Discard the draft
    </Button>
  </Alert>
)

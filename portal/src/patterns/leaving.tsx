/** What a form says of a draft: the question before the form is left, and the line above what was restored. */
import { Alert, Button, Group, Text } from '@mantine/core'
import { useEffect, useRef } from 'react'
import type { Draft } from '../drafts.ts'
import { instantText } from '../format.tsx'

type AskProps = {
  readonly isSent: boolean
  readonly isKept: boolean
  readonly onStay: () => void
  readonly onKeep: () => void
  readonly onDiscard: () => void
}

export function AskBeforeLeaving({ isSent, isKept, onStay, onKeep, onDiscard }: AskProps) {
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

export const Restored = ({ draft, again = 'Trying again books it once.', onDiscard }: RestoredProps) => (
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

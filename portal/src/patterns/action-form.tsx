/**
 * A step of a record, or the making of one, as a form. An opened form is one write: it has one Idempotency-Key, however often a button is
 * clicked. It depends on the shown version of the record: if the record has changed, nothing happens, and the form says what changed.
 */
import { Badge, Button, Modal, TextInput } from '@mantine/core'
import { useLocation } from '@tanstack/react-router'
import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { useHasDraft } from '../drafts.ts'
import { useSession } from '../session.tsx'
import { scopeWords } from './in-words.ts'
import { OpenedForm } from './opened-form.tsx'
import type { AnyValues, MayClose, Sending, StepProps } from './step-props.ts'

export type { Sending, StepProps } from './step-props.ts'

export function Step<Values extends AnyValues, One extends object, Answer>(props: StepProps<Values, One, Answer>) {
  const { label, title = label, size = 'md', button } = props
  const closed = useClosed(props)
  const [opened, setOpened] = useState(0)
  const [isOpen, setOpen] = useState(false)
  const draftName = useDraftName(props)
  const hasDraft = useHasDraft(draftName)
  const guard = useRef<MayClose>(null)
  const opener = useRef<HTMLButtonElement>(null)
  useLostFocus(opener, isOpen, closed !== undefined)
  const close = () => setOpen(false)
  return (
    <>
      <Button
        ref={opener}
        variant="default"
        {...button}
        aria-haspopup="dialog"
        disabled={closed !== undefined}
        title={closed}
        {...(hasDraft && !isOpen ? { rightSection: <Badge component="span">Draft</Badge> } : {})}
        onClick={() => {
          setOpened(opened + 1)
          setOpen(true)
        }}
      >
        {label}
      </Button>
      <Modal
        opened={isOpen}
        onClose={() => guard.current?.() !== false && close()}
        title={title}
        size={size}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <OpenedForm
          key={opened}
          {...props}
          draftName={draftName}
          guard={guard}
          close={close}
          restart={() => setOpened(current => current + 1)}
        />
      </Modal>
    </>
  )
}

/** Why a step is not possible now; undefined: it is possible. */
export function useClosed({ scope, closed }: Pick<StepProps<AnyValues, object, unknown>, 'scope' | 'closed'>) {
  const { can } = useSession()
  const lacking = [scope].flat().find(needed => !can(needed))
  return lacking === undefined ? closed : `This key may not ${scopeWords(lacking)}: it lacks the scope ${lacking}`
}

/** A draft belongs to one tenant, key, page, form and record. A form without a record is identified by its first values. */
function useDraftName<Values extends AnyValues, One extends object, Answer>(
  props: StepProps<Values, One, Answer>,
): string {
  const { me } = useSession()
  const pathname = useLocation({ select: location => location.pathname })
  const { label, title = label, record, initial } = props
  const of = record && 'id' in record ? String(record.id) : JSON.stringify(initial?.(), lastingOnly)
  return [me.tenant_id, me.key_id, pathname, label, title, of].join(' ')
}

/** Keys of lines, and moments, are new each time that a form begins, so they are left out. */
const lastingOnly = (name: string, value: unknown): unknown =>
  name === 'key' || (typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value)) ? undefined : value

type ReasonProps<One extends object, Answer> = Omit<
  StepProps<AnyValues, One, Answer>,
  'initial' | 'fields' | 'send'
> & {
  /** @param reason null: none was given. */
  readonly send: (reason: string | null, sending: Sending) => Promise<Answer>
}

export const ReasonStep = <One extends object, Answer>({ send, ...props }: ReasonProps<One, Answer>) => (
  <Step
    {...props}
    initial={() => ({ reason: '' })}
    fields={form => <TextInput label="Reason" maxLength={255} {...form.getInputProps('reason')} />}
    send={({ reason }, sending) => send(reason.trim() || null, sending)}
  />
)

type ButtonRef = RefObject<HTMLButtonElement | null>

/**
 * When the button that opens a form leaves the page or is closed, the keyboard goes on in the main part of the screen.
 * @param isOpen whether the form is open: it holds the focus then.
 * @param isClosed whether the button can be pressed no more.
 */
function useLostFocus(button: ButtonRef, isOpen: boolean, isClosed: boolean): void {
  const holds = useRef(isOpen)
  useLayoutEffect(() => {
    const element = button.current
    holds.current = isOpen
    // A closed button has no focus to lose.
    if (isClosed && !isOpen) return
    return () => queueMicrotask(() => isUsable(element) || goOnFrom(element, holds.current))
  }, [button, isOpen, isClosed])
}

const isUsable = (button: HTMLButtonElement | null): boolean => button?.isConnected === true && !button.disabled

function goOnFrom(button: HTMLButtonElement | null, isOpen: boolean): void {
  const focused = document.activeElement
  const isLeft = !isOpen && focused?.closest('[role=dialog]')
  if (focused === null || focused === document.body || focused === button || isLeft)
    document.getElementById('main')?.focus({ preventScroll: true })
}

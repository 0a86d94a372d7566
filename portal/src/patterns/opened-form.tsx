/**
 * The open form of a step: it is sent once, however often a button is clicked, shows what changed meanwhile, and keeps its inputs as a
 * draft.
 */
import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import { ApiError, newKey } from '@millrace/client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type KeyboardEvent, type RefObject, useState } from 'react'
import { readDraft } from '../drafts.ts'
import { isListField } from '../keyboard.ts'
import { Changed } from './changes-list.tsx'
import { differences } from './differences.ts'
import { Failure } from './failure.tsx'
import { useFormFocus } from './form-focus.ts'
import { faultsOf } from './refusals.ts'
import type { AnyValues, MayClose, StepProps } from './step-props.ts'
import { boundTo, changedSince, fitting, useUnsent } from './unsent.tsx'

type Opened = {
  readonly draftName: string
  readonly guard: RefObject<MayClose | null>
  /** A form on a page leads on by itself when it is done. Ctrl and Enter send it from any field. */
  readonly isPage?: boolean
  readonly close: () => void
  readonly restart: () => void
}

export function OpenedForm<Values extends AnyValues, One extends object, Answer>(
  props: StepProps<Values, One, Answer> & Opened,
) {
  const { label, submitLabel = label, initial = () => ({}) as Values, fields, foretells, isPage = false } = props
  const { record, draftName, guard, close, restart } = props
  const queries = useQueryClient()
  const [draft] = useState(() => fitting(readDraft(draftName), initial()))
  const [idempotencyKey] = useState(() => draft?.idempotencyKey ?? newKey())
  // The record may be reloaded behind the form. The version that the person saw when the form opened counts.
  const [bound, setBound] = useState(() => boundTo(draft, record))
  const [changed, setChanged] = useState(() => changedSince(draft, record))
  const form = useForm<Values, Values>({
    initialValues: (draft?.values as Values | undefined) ?? initial(),
    ...(props.validate ? { validate: props.validate } : {}),
  })
  useState(() => draft && form.setInitialValues(draft.before as Values))
  const unsent = useUnsent({ draft, draftName, form, bound, idempotencyKey, guard, close, restart, again: props.again })

  const sendingOptions = { idempotencyKey, ...(bound ? { ifMatch: bound.ifMatch } : {}) }
  const sending = useMutation<Answer, Error, Values>({
    mutationFn: (values: Values) => props.send(values, sendingOptions, form.getInitialValues()),
    onSuccess: async answer => {
      unsent.drop()
      // One message at a time: a second one would cover the page.
      notifications.clean()
      notifications.show({ message: props.done(answer), color: 'green' })
      if (!isPage) close()
      await props.onDone?.(answer)
      // What a write touches beside its record (stock, shortages, lists) is the service's to know.
      queries.invalidateQueries()
    },
    onError: async (error, values) => {
      unsent.answered(error)
      if (await refused(error, values)) sending.reset()
    },
  })
  const foretelling = useMutation<Answer, Error, Values>({
    mutationFn: (values: Values) => props.send(values, { ...sendingOptions, dryRun: true }, form.getInitialValues()),
    onError: async (error, values) => {
      if (await refused(error, values)) foretelling.reset()
    },
  })

  const { ref, handlers, toRefused } = useFormFocus({
    isPending: sending.isPending || foretelling.isPending,
    isDone: sending.isSuccess,
  })

  /** Shows a refusal at its field. Returns whether the record has changed since the form was opened. */
  async function refused(error: Error, values: Values): Promise<boolean> {
    if (!(error instanceof ApiError)) return false
    for (const { field, reason } of faultsOf(error)) {
      const as = field.replace(/\[(\d+)\]/g, '.$1')
      const path = props.fieldOf?.(as, values, form.getInitialValues()) ?? as
      if (form.getInputNode(path)) form.setFieldError(path, reason)
    }
    if (error.code !== 'precondition_failed' || !props.reread || !bound) return false
    const now = await props.reread().catch(() => null)
    if (now === null) return false
    setChanged(differences(bound.seen, now))
    setBound({ seen: now, ifMatch: now })
    queries.invalidateQueries()
    return true
  }
  // A preview of other values does not apply to these.
  const foretold = foretelling.variables === form.values ? foretelling : null
  const submit = (event: FormEvent<HTMLFormElement>) => {
    // Without this, React would pass the event on to the form of the page that opened this one.
    event.stopPropagation()
    form.onSubmit(values => {
      if (sending.isPending) return
      foretelling.reset()
      unsent.sending(values)
      sending.mutate(values)
    }, toRefused)(event)
  }
  // Of both answers only the last one is shown.
  const ask = () => {
    if (form.validate().hasErrors) return toRefused()
    sending.reset()
    foretelling.mutate(form.values)
  }

  return (
    // The form takes the focus: otherwise the focus would be on the button that closes it.
    <form
      ref={ref}
      {...handlers}
      onSubmit={submit}
      onKeyDown={event => onKey(event, isPage)}
      noValidate
      aria-label={label}
      tabIndex={-1}
      data-autofocus
    >
      <Stack>
        {unsent.restored}
        {props.explains && <Text size="sm">{props.explains}</Text>}
        {fields?.(form)}
        {changed && (
          <Changed
            differences={changed}
            onReload={fields && (() => queries.invalidateQueries().then(unsent.discardAndRestart))}
          />
        )}
        {sending.error && <Failure error={sending.error} />}
        {foretold?.error && <Failure error={foretold.error} title="It would be refused" />}
        {foretold?.data !== undefined && (
          <Alert role="status" variant="outline" title="What will happen">
            {foretells?.(foretold.data)}
          </Alert>
        )}
        {unsent.question ?? (
          <Group justify="flex-end">
            {foretells && (
              <Button variant="subtle" loading={foretelling.isPending} onClick={ask}>
                What will happen?
              </Button>
            )}
            <Button variant="default" onClick={() => guard.current?.() !== false && close()}>
              Back
            </Button>
            <Button type="submit" loading={sending.isPending}>
              {changed ? 'Apply again' : sending.error || unsent.isSent ? 'Try again' : submitLabel}
            </Button>
          </Group>
        )}
      </Stack>
    </form>
  )
}

/** Enter in a field with a list chooses, even if the list is empty. It must not send the form. */
function onKey(event: KeyboardEvent<HTMLFormElement>, isPage: boolean) {
  const { key, target, ctrlKey, metaKey, currentTarget } = event
  if (key !== 'Enter') return
  if (isPage && (ctrlKey || metaKey)) {
    event.preventDefault()
    currentTarget.requestSubmit()
  } else if (isListField(target)) event.preventDefault()
}

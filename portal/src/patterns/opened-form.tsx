/**
 * The form of a step while it is open: it is sent once whatever is clicked how often, says what changed meanwhile, and keeps what was filled in
 * as a draft.
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
  /** A page leads on by itself when it is done; Ctrl and Enter send it from any field. */
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
  // The record may be read anew behind the form: what the person saw when it was opened counts.
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
      // One at a time: a second one would cover the page.
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

  /** Shows a refusal where it belongs. Whether the record has changed since the form was opened. */
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
  // What was asked with other values says nothing of these.
  const foretold = foretelling.variables === form.values ? foretelling : null
  const submit = (event: FormEvent<HTMLFormElement>) => {
    // Forms of the page that opened this one hear what happens inside of it, too.
    event.stopPropagation()
    form.onSubmit(values => {
      if (sending.isPending) return
      foretelling.reset()
      unsent.sending(values)
      sending.mutate(values)
    }, toRefused)(event)
  }
  // Of both answers the last one is shown.
  const ask = () => {
    if (form.validate().hasErrors) return toRefused()
    sending.reset()
    foretelling.mutate(form.values)
  }

  return (
    // Where a keyboard begins: else it would be at the way out.
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

/** Enter in a field with a list chooses, also where nothing is found: it must not send the form. */
function onKey(event: KeyboardEvent<HTMLFormElement>, isPage: boolean) {
  const { key, target, ctrlKey, metaKey, currentTarget } = event
  if (key !== 'Enter') return
  if (isPage && (ctrlKey || metaKey)) {
    event.preventDefault()
    currentTarget.requestSubmit()
  } else if (isListField(target)) event.preventDefault()
}

/**
 * A step of a record, or the making of one, as a form. A form that is opened is one effect: it has one Idempotency-Key, whatever is clicked how
 * often. It is bound to the record as it is shown: when that is another by now, nothing happens, and it says what changed.
 */
import { Alert, Button, type ButtonProps, Group, List, Modal, Stack, Text, TextInput } from '@mantine/core'
import { type UseFormInput, type UseFormReturnType, useForm } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import { ApiError, newKey } from '@millrace/client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type KeyboardEvent, type ReactNode, useState } from 'react'
import { useSession } from '../session.tsx'
import { type Difference, differences } from './differences.ts'
import { Failure } from './failure.tsx'

// biome-ignore lint/suspicious/noExplicitAny: what the form library asks of values.
type AnyValues = Record<string, any>

type Rules<Values extends AnyValues> = NonNullable<UseFormInput<Values, Values>['validate']>

/** Options for the client's method. */
export type Sending = { readonly idempotencyKey: string; readonly ifMatch?: object; readonly dryRun?: boolean }

type Common<Values extends AnyValues> = {
  /** Of the button that opens the form. */
  readonly label: string
  /** Of the form; the label where it says enough. */
  readonly title?: string
  /** Of the button that does it. */
  readonly submitLabel?: string
  readonly explains?: ReactNode
  /** What the form begins with, made when it is opened; a step without fields has nothing. */
  readonly initial?: () => Values
  readonly validate?: Rules<Values>
  readonly fields?: (form: UseFormReturnType<Values>) => ReactNode
  /** Where a field that was refused (`items.0.quantity`, as it was sent) stands in the form; there unless told. */
  readonly fieldOf?: (field: string, values: Values, before: Values) => string
  readonly size?: string
  readonly button?: Pick<ButtonProps, 'variant' | 'color' | 'leftSection' | 'size'>
  /** What the key needs for it. */
  readonly scope: string | readonly string[]
  /** Why it cannot be done now. */
  readonly closed?: string | undefined
}

export type StepProps<Values extends AnyValues, One extends object, Answer> = Common<Values> & {
  /** The record that is shown, and how it is read anew; none for one that is to be made. */
  readonly record?: One
  readonly reread?: () => Promise<One>
  /** @param before what the form began with. */
  readonly send: (values: Values, sending: Sending, before: Values) => Promise<Answer>
  /** Said when it is done. */
  readonly done: (answer: Answer) => string
  /** What a dry run's answer says would happen; with it the form offers to ask. */
  readonly foretells?: (answer: Answer) => ReactNode
  /** Where it leads to. What is left by then is not read again: the record may be gone. */
  readonly onDone?: (answer: Answer) => unknown
}

/** A button that opens the form. */
export function Step<Values extends AnyValues, One extends object, Answer>(props: StepProps<Values, One, Answer>) {
  const { label, title = label, size = 'md', button, scope } = props
  const { can } = useSession()
  const lacking = [scope].flat().find(needed => !can(needed))
  const closed = lacking === undefined ? props.closed : `The key lacks the scope ${lacking}`
  const [opened, setOpened] = useState(0)
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button
        variant="default"
        {...button}
        disabled={closed !== undefined}
        title={closed}
        onClick={() => {
          setOpened(opened + 1)
          setOpen(true)
        }}
      >
        {label}
      </Button>
      <Modal
        opened={isOpen}
        onClose={() => setOpen(false)}
        title={title}
        size={size}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <OpenedForm
          key={opened}
          {...props}
          close={() => setOpen(false)}
          restart={() => setOpened(current => current + 1)}
        />
      </Modal>
    </>
  )
}

type ReasonProps<One extends object, Answer> = Omit<
  StepProps<AnyValues, One, Answer>,
  'initial' | 'fields' | 'send'
> & {
  /** @param reason null where none was given. */
  readonly send: (reason: string | null, sending: Sending) => Promise<Answer>
}

/** A step that asks for nothing but why. */
export const ReasonStep = <One extends object, Answer>({ send, ...props }: ReasonProps<One, Answer>) => (
  <Step
    {...props}
    initial={() => ({ reason: '' })}
    fields={form => <TextInput label="Reason" maxLength={255} {...form.getInputProps('reason')} />}
    send={({ reason }, sending) => send(reason.trim() || null, sending)}
  />
)

function OpenedForm<Values extends AnyValues, One extends object, Answer>(
  props: StepProps<Values, One, Answer> & { readonly close: () => void; readonly restart: () => void },
) {
  const {
    label,
    submitLabel = label,
    explains,
    initial = () => ({}) as Values,
    validate,
    fields,
    fieldOf,
    record,
    reread,
    send,
    done,
    foretells,
    onDone,
    close,
    restart,
  } = props
  const queries = useQueryClient()
  const [idempotencyKey] = useState(newKey)
  // The record may be read anew behind the form: what the person saw when it was opened counts.
  const [seen, setSeen] = useState(record)
  const [changed, setChanged] = useState<readonly Difference[] | null>(null)
  const form = useForm<Values, Values>({ initialValues: initial(), ...(validate ? { validate } : {}) })

  const sendingOptions = { idempotencyKey, ...(seen ? { ifMatch: seen } : {}) }
  const sending = useMutation<Answer, Error, Values>({
    mutationFn: (values: Values) => send(values, sendingOptions, form.getInitialValues()),
    onSuccess: async answer => {
      notifications.show({ message: done(answer), color: 'green' })
      close()
      await onDone?.(answer)
      // What a write touches beside its record (stock, shortages, lists) is the service's to know.
      queries.invalidateQueries()
    },
    onError: async (error, values) => {
      if (await refused(error, values)) sending.reset()
    },
  })
  const foretelling = useMutation<Answer, Error, Values>({
    mutationFn: (values: Values) => send(values, { ...sendingOptions, dryRun: true }, form.getInitialValues()),
    onError: async (error, values) => {
      if (await refused(error, values)) foretelling.reset()
    },
  })

  /** Shows a refusal where it belongs. Whether the record has changed since the form was opened. */
  async function refused(error: Error, values: Values): Promise<boolean> {
    if (!(error instanceof ApiError)) return false
    for (const { field, reason } of error.fields) {
      const as = field.replace(/\[(\d+)\]/g, '.$1')
      const path = fieldOf?.(as, values, form.getInitialValues()) ?? as
      if (form.getInputNode(path)) form.setFieldError(path, reason)
    }
    if (error.code !== 'precondition_failed' || !reread || !seen) return false
    const now = await reread().catch(() => null)
    if (now === null) return false
    setChanged(differences(seen, now))
    setSeen(now)
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
      sending.mutate(values)
    })(event)
  }
  // Of both answers the last one is shown.
  const ask = () => {
    if (form.validate().hasErrors) return
    sending.reset()
    foretelling.mutate(form.values)
  }

  return (
    // Where a keyboard begins: else it would be at the way out.
    <form onSubmit={submit} onKeyDown={chooses} noValidate aria-label={label} tabIndex={-1} data-autofocus>
      <Stack>
        {explains && <Text size="sm">{explains}</Text>}
        {fields?.(form)}
        {changed && (
          <Changed differences={changed} onReload={fields && (() => queries.invalidateQueries().then(restart))} />
        )}
        {sending.error && <Failure error={sending.error} />}
        {foretold?.error && <Failure error={foretold.error} title="It would be refused" />}
        {foretold?.data !== undefined && (
          <Alert role="status" variant="outline" title="What will happen">
            {foretells?.(foretold.data)}
          </Alert>
        )}
        <Group justify="flex-end">
          {foretells && (
            <Button variant="subtle" loading={foretelling.isPending} onClick={ask}>
              What will happen?
            </Button>
          )}
          <Button variant="default" onClick={close}>
            Back
          </Button>
          <Button type="submit" loading={sending.isPending}>
            {changed ? 'Apply again' : sending.error ? 'Try again' : submitLabel}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/** Enter in a field with a list chooses, also where nothing is found: it must not send the form. */
function chooses(event: KeyboardEvent<HTMLFormElement>) {
  const isOfList = event.target instanceof Element && event.target.getAttribute('aria-haspopup') === 'listbox'
  if (event.key === 'Enter' && isOfList) event.preventDefault()
}

type ChangedProps = { readonly differences: readonly Difference[]; readonly onReload?: (() => unknown) | undefined }

function Changed({ differences, onReload }: ChangedProps) {
  return (
    <Alert role="alert" color="orange" variant="outline" title="It has changed since you opened this form">
      <Stack gap="xs" align="flex-start">
        <Text size="sm">Nothing was done. Look at what changed, and apply it again if it still holds.</Text>
        <List size="sm">
          {differences.map(({ field, before, after }) => (
            <List.Item key={field}>
              {field}: {before} → {after}
            </List.Item>
          ))}
        </List>
        {onReload && (
          <Button size="xs" variant="default" onClick={onReload}>
            Reload the form
          </Button>
        )}
      </Stack>
    </Alert>
  )
}

/** The steps that simple records share: create, change, archive and use again. */
import { PlusIcon } from '@radix-ui/react-icons'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Filters } from '../filters.ts'
import { type AnyNoun, idOf, type Noun, nameOf } from '../noun.ts'
import { useApi } from '../session.tsx'
import { type Sending, Step, type StepProps } from './action-form.tsx'
import {
  type ChangesOf,
  changesOf,
  RecordFields,
  type Fields as RecordFieldsOf,
  rulesOf,
  type SentOf,
  sentOf,
  type ValuesOf,
  valuesOf,
} from './record-fields.tsx'
import type { AnyValues } from './step-props.ts'

type Titled = { readonly id: string; readonly title: string }

type NewProps<All extends RecordFieldsOf, Answer> = {
  readonly of: Pick<AnyNoun, 'one' | 'path'>
  readonly fields: All
  readonly scope: string
  readonly endpoint: { create(body: SentOf<All>, sending: Sending): Promise<Answer> }
  readonly explains?: ReactNode
  readonly size?: string
  readonly buttonSize?: string
  /** The person stays on the screen, and `onMade` is called. Default: the new record is shown. */
  readonly stays?: boolean
  readonly onMade?: (made: Answer) => unknown
}

export function NewRecord<All extends RecordFieldsOf, Answer extends Titled>(props: NewProps<All, Answer>) {
  const { of, fields, scope, endpoint, stays = false, onMade, explains, size = 'lg', buttonSize } = props
  const navigate = useNavigate()
  return (
    <Step
      label={`New ${of.one.toLowerCase()}`}
      submitLabel="Create"
      size={size}
      scope={scope}
      explains={explains}
      button={
        buttonSize === undefined
          ? { variant: 'filled', leftSection: <PlusIcon aria-hidden /> }
          : { variant: 'subtle', size: buttonSize }
      }
      initial={() => valuesOf(fields)}
      // The form library's types cannot follow rules of generic fields.
      validate={rulesOf(fields) as never}
      fields={form => <RecordFields form={form} fields={fields} />}
      send={(values, sending) => endpoint.create(sentOf(fields, values), sending)}
      done={({ title }) => `${title} is made`}
      onDone={made => (stays ? onMade?.(made) : navigate({ to: `${of.path}/${made.id}` as string }))}
    />
  )
}

/**
 * What the steps of a record share: the version that they depend on, the scope, and the record's name in titles and messages. A step adds
 * the rest: `{...step('Release', 'released')}`.
 */
export function useStepsOf<One extends object, Has extends Filters>(of: Noun<One, Has>, record: One, scope: string) {
  const api = useApi()
  const [id, name] = [idOf(of, record), nameOf(of, record)]
  return (label: string, past: string) => ({
    ...{ record, reread: () => of.of(api).get(id), scope },
    ...{ label, title: `${label} ${name}`, done: () => `${name} is ${past}` },
  })
}

type EditProps<All extends RecordFieldsOf, One extends object, Has extends Filters> = {
  readonly of: Noun<One, Has>
  readonly record: One
  readonly fields: All
  /** The object with the values of the fields. Default: the record itself. */
  readonly values?: object
  readonly scope: string
  readonly isStacked?: boolean
  readonly below?: (values: ValuesOf<All>) => ReactNode
  readonly update: (changes: ChangesOf<All>, sending: Sending) => Promise<One>
} & Partial<Pick<StepProps<AnyValues, One, One>, 'label' | 'title' | 'explains' | 'size' | 'done'>>

export function EditRecord<All extends RecordFieldsOf, One extends object, Has extends Filters>(
  props: EditProps<All, One, Has>,
) {
  const { of, record, fields, values = record, scope, isStacked = false, below, update, ...said } = props
  const step = useStepsOf(of, record, scope)
  return (
    <Step
      {...step(said.label ?? 'Edit', 'saved')}
      submitLabel="Save"
      size="lg"
      initial={() => valuesOf(fields, values)}
      // The form library's types cannot follow rules of generic fields.
      validate={rulesOf(fields) as never}
      fields={form => (
        <>
          <RecordFields form={form} fields={fields} isStacked={isStacked} />
          {below?.(form.values)}
        </>
      )}
      send={(now, sending, before) => update(changesOf(fields, before, now), sending)}
      done={answer => `${nameOf(of, answer)} is saved`}
      {...said}
    />
  )
}

type RecordStepsProps<All extends RecordFieldsOf, One extends object, Has extends Filters> = Pick<
  EditProps<All, One, Has>,
  'of' | 'record' | 'fields' | 'scope'
> & {
  readonly endpoint: {
    update(id: string, changes: ChangesOf<All> | { readonly archived: boolean }, sending: Sending): Promise<One>
  }
  /** What a change means for documents. */
  readonly edits?: ReactNode
  /** What archiving means for documents. */
  readonly archives: ReactNode
  readonly keeps?: string | undefined
}

export function RecordSteps<
  All extends RecordFieldsOf,
  One extends Titled & { readonly archived: boolean },
  Has extends Filters,
>(props: RecordStepsProps<All, One, Has>) {
  const { endpoint, edits, archives, keeps, ...common } = props
  const { of, record, scope } = common
  const api = useApi()
  const { id, title, archived } = record
  return (
    <>
      <EditRecord {...common} explains={edits} update={(changes, sending) => endpoint.update(id, changes, sending)} />
      <ArchiveStep
        record={record}
        scope={scope}
        reread={() => of.of(api).get(id)}
        title={title}
        isArchived={archived}
        explains={archives}
        closed={keeps}
        update={(changes, sending) => endpoint.update(id, changes, sending)}
      />
    </>
  )
}

type ArchiveProps<One extends object> = Pick<
  StepProps<AnyValues, One, unknown>,
  'reread' | 'scope' | 'explains' | 'closed'
> & {
  /** With its ETag. */
  readonly record: One
  readonly title: string
  readonly isArchived: boolean
  readonly update: (changes: { readonly archived: boolean }, sending: Sending) => Promise<unknown>
}

export const ArchiveStep = <One extends object>({ title, isArchived, update, ...props }: ArchiveProps<One>) => (
  <Step
    {...props}
    label={isArchived ? 'Use again' : 'Archive'}
    title={isArchived ? `Use ${title} again` : `Archive ${title}`}
    explains={isArchived ? 'New documents may name it again.' : props.explains}
    send={(_, sending) => update({ archived: !isArchived }, sending)}
    done={() => (isArchived ? `${title} is in use again` : `${title} is archived`)}
  />
)

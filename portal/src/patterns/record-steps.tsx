/** The steps that simple records share: one is made, changed, archived and taken back into use. */
import { PlusIcon } from '@radix-ui/react-icons'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { type Sending, Step } from './action-form.tsx'
import {
  type ChangesOf,
  changesOf,
  type Fields,
  RecordFields,
  rulesOf,
  type SentOf,
  sentOf,
  valuesOf,
} from './record-fields.tsx'

type Titled = { readonly id: string; readonly title: string }

type NewProps<All extends Fields, Answer> = {
  /** `customer` */
  readonly kind: string
  readonly fields: All
  readonly scope: string
  readonly create: (body: SentOf<All>, sending: Sending) => Promise<Answer>
  readonly explains?: ReactNode
  readonly size?: string
  readonly buttonSize?: string
  /** Where records of this kind are found: the new one is shown. Without it the person stays, and `onMade` is told. */
  readonly path?: string
  readonly onMade?: (made: Answer) => unknown
}

export function NewRecord<All extends Fields, Answer extends Titled>(props: NewProps<All, Answer>) {
  const { kind, fields, scope, create, path, onMade, explains, size = 'lg', buttonSize } = props
  const navigate = useNavigate()
  return (
    <Step
      label={`New ${kind}`}
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
      // The form library cannot follow rules of fields that are not known here.
      validate={rulesOf(fields) as never}
      fields={form => <RecordFields form={form} fields={fields} />}
      send={(values, sending) => create(sentOf(fields, values), sending)}
      done={({ title }) => `${title} is made`}
      onDone={made => (path === undefined ? onMade?.(made) : navigate({ to: `${path}/${made.id}` as string }))}
    />
  )
}

type EditProps<All extends Fields, One> = {
  readonly record: One
  readonly fields: All
  readonly scope: string
  readonly explains?: ReactNode
  readonly reread: () => Promise<One>
  readonly update: (changes: ChangesOf<All>, sending: Sending) => Promise<One>
}

export const EditRecord = <All extends Fields, One extends Titled>(props: EditProps<All, One>) => {
  const { record, fields, scope, explains, reread, update } = props
  return (
    <Step
      record={record}
      reread={reread}
      label="Edit"
      title={`Edit ${record.title}`}
      submitLabel="Save"
      size="lg"
      scope={scope}
      explains={explains}
      initial={() => valuesOf(fields, record)}
      // The form library cannot follow rules of fields that are not known here.
      validate={rulesOf(fields) as never}
      fields={form => <RecordFields form={form} fields={fields} />}
      send={(now, sending, before) => update(changesOf(fields, before, now), sending)}
      done={({ title }) => `${title} is saved`}
    />
  )
}

type RecordStepsProps<All extends Fields, One> = {
  readonly record: One
  readonly fields: All
  readonly scope: string
  readonly endpoint: {
    get(id: string): Promise<One>
    update(id: string, changes: ChangesOf<All> | { readonly archived: boolean }, sending: Sending): Promise<One>
  }
  /** What a change means for documents. */
  readonly edits?: ReactNode
  /** What archiving means for them. */
  readonly archives: ReactNode
  /** Why it cannot be archived now. */
  readonly keeps?: string | undefined
}

/** Changes and archives a record. */
export function RecordSteps<All extends Fields, One extends Titled & { readonly archived: boolean }>(
  props: RecordStepsProps<All, One>,
) {
  const { record, fields, scope, endpoint, edits, archives, keeps } = props
  const { id, title, archived } = record
  const common = { record, scope, reread: () => endpoint.get(id) }
  return (
    <>
      <EditRecord
        {...common}
        fields={fields}
        explains={edits}
        update={(changes, sending) => endpoint.update(id, changes, sending)}
      />
      <ArchiveStep
        {...common}
        title={title}
        isArchived={archived}
        explains={archives}
        closed={keeps}
        update={(changes, sending) => endpoint.update(id, changes, sending)}
      />
    </>
  )
}

type ArchiveProps<One> = {
  /** With its ETag. */
  readonly record: One
  readonly title: string
  readonly isArchived: boolean
  readonly scope: string
  /** What follows for documents. */
  readonly explains: ReactNode
  /** Why it cannot be done now. */
  readonly closed?: string | undefined
  readonly reread: () => Promise<One>
  readonly update: (changes: { readonly archived: boolean }, sending: Sending) => Promise<unknown>
}

export const ArchiveStep = <One extends object>({
  title,
  isArchived,
  update,
  explains,
  ...props
}: ArchiveProps<One>) => (
  <Step
    {...props}
    label={isArchived ? 'Use again' : 'Archive'}
    title={isArchived ? `Use ${title} again` : `Archive ${title}`}
    explains={isArchived ? 'New documents may name it again.' : explains}
    send={(_, sending) => update({ archived: !isArchived }, sending)}
    done={() => (isArchived ? `${title} is in use again` : `${title} is archived`)}
  />
)

/** The declaration of a step: its button, its form, and its request. */
import type { ButtonProps } from '@mantine/core'
import type { UseFormInput, UseFormReturnType } from '@mantine/form'
import type { ReactNode } from 'react'

// biome-ignore lint/suspicious/noExplicitAny: what the form library asks of values.
export type AnyValues = Record<string, any>

type Rules<Values extends AnyValues> = NonNullable<UseFormInput<Values, Values>['validate']>

export type Sending = { readonly idempotencyKey: string; readonly ifMatch?: object | string; readonly dryRun?: boolean }

type Common<Values extends AnyValues> = {
  /** The label of the button that opens the form. */
  readonly label: string
  /** The title of the form. Default: the label. */
  readonly title?: string
  /** The label of the button that sends the form. */
  readonly submitLabel?: string
  readonly explains?: ReactNode
  /** The first values of the form, made when it opens; undefined for a step without fields. */
  readonly initial?: () => Values
  readonly validate?: Rules<Values>
  readonly fields?: (form: UseFormReturnType<Values>) => ReactNode
  /** The form's path of a refused field (`items.0.quantity`, as it was sent). Default: the same path. */
  readonly fieldOf?: (field: string, values: Values, before: Values) => string
  readonly size?: string
  readonly button?: Pick<ButtonProps, 'variant' | 'color' | 'leftSection' | 'size'>
  readonly scope: string | readonly string[]
  /** Why it is not possible now. */
  readonly closed?: string | undefined
  /** The text about trying again without an answer, where a repeat would be a second write. */
  readonly again?: string
}

export type StepProps<Values extends AnyValues, One extends object, Answer> = Common<Values> & {
  /** The shown record, and a function that reads it again; undefined for a new record. */
  readonly record?: One
  readonly reread?: () => Promise<One>
  /** @param before the form's first values. */
  readonly send: (values: Values, sending: Sending, before: Values) => Promise<Answer>
  readonly done: (answer: Answer) => string
  /** The effects in a dry run's answer. With it the form has a button for a dry run. */
  readonly foretells?: (answer: Answer) => ReactNode
  /** What happens after success. Then the data of the old screen is not reloaded, because the record may be gone. */
  readonly onDone?: (answer: Answer) => unknown
}

/** Whether an open form may be closed. If not, the form asks. */
export type MayClose = () => boolean

/** What a step declares: its button, its form, and what it sends. */
import type { ButtonProps } from '@mantine/core'
import type { UseFormInput, UseFormReturnType } from '@mantine/form'
import type { ReactNode } from 'react'

// biome-ignore lint/suspicious/noExplicitAny: what the form library asks of values.
export type AnyValues = Record<string, any>

type Rules<Values extends AnyValues> = NonNullable<UseFormInput<Values, Values>['validate']>

export type Sending = { readonly idempotencyKey: string; readonly ifMatch?: object | string; readonly dryRun?: boolean }

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
  readonly scope: string | readonly string[]
  /** Why it cannot be done now. */
  readonly closed?: string | undefined
  /** What is said of trying again without an answer, where a repeat is not the same effect. */
  readonly again?: string
}

export type StepProps<Values extends AnyValues, One extends object, Answer> = Common<Values> & {
  /** The record that is shown, and how it is read anew; none for one that is to be made. */
  readonly record?: One
  readonly reread?: () => Promise<One>
  /** @param before what the form began with. */
  readonly send: (values: Values, sending: Sending, before: Values) => Promise<Answer>
  readonly done: (answer: Answer) => string
  /** What a dry run's answer says would happen; with it the form offers to ask. */
  readonly foretells?: (answer: Answer) => ReactNode
  /** Where it leads to. What is left by then is not read again: the record may be gone. */
  readonly onDone?: (answer: Answer) => unknown
}

/** Whether an open form may be closed; where not, it asks. */
export type MayClose = () => boolean

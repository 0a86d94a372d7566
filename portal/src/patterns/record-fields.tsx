/** Forms of records whose fields are declared: what a form begins with, its rules, its inputs, and what is sent. */
import { SimpleGrid } from '@mantine/core'
import { Fragment, type ReactNode } from 'react'

/** What an input of a form takes; the form library's own type knows the paths of one form alone. */
export type InputsOf = (path: string, options?: { readonly type: 'checkbox' }) => Record<string, never>

/** @template Sent in the body of a new record, `Changed` in that of a PATCH. */
export type Field<Value, Sent, Changed = Sent> = {
  /** @param of the record's value; undefined of a new record. */
  begin(of: unknown): Value
  rule?(value: Value): string | null
  sent(value: Value): Sent
  /** In a PATCH; as in a new record unless told. */
  changed?(value: Value, before: Value): Changed
  input(inputs: InputsOf, path: string): ReactNode
}

export type Fields = Readonly<Record<string, Field<unknown, unknown, unknown>>>
export type ValuesOf<All> = {
  -readonly [Name in keyof All]: All[Name] extends Field<infer Value, unknown, unknown> ? Value : never
}
export type SentOf<All> = {
  [Name in keyof All]: All[Name] extends Field<infer _, infer Sent, unknown> ? Sent : never
}
export type ChangesOf<All> = {
  [Name in keyof All]?: All[Name] extends Field<infer _, unknown, infer Changed> ? Changed : never
}

const each = (fields: Fields, of: (field: Fields[string], name: string) => unknown) =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, of(field, name)]))

export const valuesOf = <All extends Fields>(fields: All, of?: object): ValuesOf<All> =>
  each(fields, (field, name) => field.begin((of as Record<string, unknown> | undefined)?.[name])) as ValuesOf<All>

type Rules<All> = { readonly [Name in keyof All]: (value: ValuesOf<All>[Name]) => string | null }

export const rulesOf = <All extends Fields>(fields: All): Rules<All> =>
  each(fields, field => (value: unknown) => field.rule?.(value) ?? null) as Rules<All>

type Given<All> = { readonly [Name in keyof All]: unknown }

/** The body of a new record. */
export const sentOf = <All extends Fields>(fields: All, values: Given<All>): SentOf<All> =>
  each(fields, (field, name) => field.sent(values[name as keyof All])) as SentOf<All>

/** The fields of a PATCH that differ from what the form began with. */
export const changesOf = <All extends Fields>(fields: All, before: Given<All>, now: Given<All>): ChangesOf<All> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => {
      const [is, was] = [now[name as keyof All], before[name as keyof All]]
      if (JSON.stringify(is) === JSON.stringify(was)) return []
      return [[name, field.changed ? field.changed(is, was) : field.sent(is)]]
    }),
  ) as ChangesOf<All>

type Props = {
  readonly form: { readonly getInputProps: unknown }
  readonly fields: Fields
  /** Where the fields stand in the form: `variants.0.`. */
  readonly at?: string
  /** Below each other; else two in a row. */
  readonly isStacked?: boolean
}

export function RecordFields({ form, fields, at = '', isStacked = false }: Props) {
  const inputs = Object.entries(fields).map(([name, field]) => (
    <Fragment key={name}>{field.input(form.getInputProps as InputsOf, `${at}${name}`)}</Fragment>
  ))
  if (isStacked) return inputs
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} verticalSpacing="xs">
      {inputs}
    </SimpleGrid>
  )
}

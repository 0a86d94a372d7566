/** Forms of records with declared fields: their first values, rules, inputs, and the sent bodies. */
import { SimpleGrid } from '@mantine/core'
import { Fragment, type ReactNode } from 'react'

/** The props of a form's input. The form library's own type knows the paths of one form only. */
export type InputsOf = (path: string, options?: { readonly type: 'checkbox' }) => Record<string, never>

/** @template Sent in the body of a new record, `Changed` in that of a PATCH. */
export type Field<Value, Sent, Changed = Sent> = {
  /** @param of the record's value; undefined for a new record. */
  begin(of: unknown): Value
  rule?(value: Value): string | null
  sent(value: Value): Sent
  /** The value in a PATCH. Default: as in a new record. */
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

/** The fields of a PATCH that differ from the form's first values. */
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
  /** The path of the fields in the form: `variants.0.`. */
  readonly at?: string
  /** One field in a row; default: two. */
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

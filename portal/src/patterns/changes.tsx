/**
 * Forms that change a record and its lines. Only fields that the person changed are sent, so that other people's changes of other fields
 * stay.
 */

import { Button, Checkbox, Fieldset, SimpleGrid } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { ReactNode } from 'react'
import { dayOf } from '../days.ts'
import { AddLine } from './add-line.tsx'
import { type Choice, type Use, VariantPicker } from './inputs.tsx'

type Writers<Values, Sent> = {
  readonly [Name in keyof Sent]: (value: Name extends keyof Values ? Values[Name] : never) => Sent[Name]
}

/** The fields of a PATCH that differ from the form's first values. */
export function changedFields<Values extends object, Sent>(
  before: Values,
  now: Values,
  as: Writers<Values, Sent>,
): Partial<Sent> {
  const changed: Partial<Sent> = {}
  // A form copies objects with each change, so values are compared as JSON.
  for (const name of Object.keys(as) as (keyof Values & keyof Sent)[])
    if (JSON.stringify(now[name]) !== JSON.stringify(before[name])) changed[name] = as[name](now[name] as never)
  return changed
}

/** A text or a day that may be empty. */
export const orNull = (input: string): string | null => input.trim() || null

/** A day in the format of its input. */
export const dayInput = (timestamp: string | null): string => dayOf(timestamp)

export type EditedLine = {
  readonly key: string
  /** Null: the line is new. */
  readonly id: string | null
  readonly variant: Choice | null
  readonly remove: boolean
}

export const editedLine = ({ id, title, sku }: { id: string; title: string; sku: string | null }): EditedLine => ({
  key: id,
  id,
  variant: { id, label: title, hint: sku },
  remove: false,
})

export const addedLine = (): EditedLine => ({ key: String(Math.random()), id: null, variant: null, remove: false })

export const variantRule = (variant: Choice | null) => (variant === null ? 'choose a product' : null)

/** A rule for a field that may be empty in a new line. */
export const unlessAdded =
  <Line extends EditedLine>(rule: (input: string) => string | null) =>
  (input: string, { items }: { readonly items: readonly Line[] }, path: string) =>
    input.trim() === '' && items[Number(path.split('.')[1])]?.id === null ? null : rule(input)

type Lines<Line extends EditedLine> = {
  readonly before: readonly Line[]
  readonly now: readonly Line[]
  readonly blank: Line
}

/** `items` of a PATCH (undefined if no line was changed, removed or added), and the form's path of a field of a sent entry. */
export function lineChanges<Line extends EditedLine, Sent>(
  { before, now, blank }: Lines<Line>,
  as: Writers<Line, Sent>,
) {
  const known = new Map(before.map(line => [line.key, line]))
  const entries = now.flatMap((line, index) => {
    const fields = line.remove ? {} : changedFields(known.get(line.key) ?? blank, line, as)
    const named = line.id === null ? { item_variant_id: line.variant?.id } : { id: line.id, remove: line.remove }
    const isChanged = line.id === null || line.remove || Object.keys(fields).length > 0
    return isChanged ? [{ index, entry: { ...named, ...(fields as Partial<Sent>) } }] : []
  })
  return {
    items: entries.length === 0 ? undefined : entries.map(({ entry }) => entry),
    /** The lines of the sent entries. */
    lines: entries.map(({ index }) => now[index]),
    fieldOf: (field: string) =>
      field
        .replace(/^items\.(\d+)/, (_, sent: string) => `items.${entries[Number(sent)]?.index ?? sent}`)
        .replace(/\.item_variant_id$/, '.variant'),
  }
}

type Props<Values extends { items: EditedLine[] }> = {
  readonly form: UseFormReturnType<Values>
  readonly of?: Use | undefined
  readonly blank: () => Values['items'][number]
  readonly inputs: (index: number) => ReactNode
}

/** The lines of a record: existing ones can be changed or removed, new ones added. */
export function EditedLines<Values extends { items: EditedLine[] }>({ form, of, blank, inputs }: Props<Values>) {
  return (
    <>
      {form.values.items.map(({ key, id, variant }, index) => (
        <Fieldset key={key} legend={id === null ? 'New line' : variant?.label}>
          <SimpleGrid cols={{ base: 2, sm: 3 }} verticalSpacing="xs">
            {id === null && (
              <VariantPicker label="Product" required of={of} {...form.getInputProps(`items.${index}.variant`)} />
            )}
            {inputs(index)}
            {id === null ? (
              <Button variant="subtle" style={{ alignSelf: 'end' }} onClick={() => form.removeListItem('items', index)}>
                Remove the new line
              </Button>
            ) : (
              <Checkbox
                label="Remove the line"
                style={{ alignSelf: 'end' }}
                pb={8}
                {...form.getInputProps(`items.${index}.remove`, { type: 'checkbox' })}
              />
            )}
          </SimpleGrid>
        </Fieldset>
      ))}
      <AddLine onAdd={() => form.insertListItem('items', blank() as never)}>Add a line</AddLine>
    </>
  )
}

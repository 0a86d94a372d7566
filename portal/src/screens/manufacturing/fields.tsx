/** The fields that the forms of new and of open manufacturing orders have in common. */
import { SimpleGrid, Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { ReactNode } from 'react'
import { type Decimal, sent } from '../../exact.ts'
import { orNull } from '../../patterns/changes.tsx'
import { DateWarnings, isBefore, today } from '../../patterns/date-warnings.tsx'

export type Planned = {
  priority: string
  planned_start_date: string
  production_date: string
  shipping_date: string
  output_batch_number: string
  output_manufacture_date: string
  output_expiry_date: string
  external_ref: string
  notes: string
}

export const unplanned = (): Planned => ({
  ...{ priority: '0', planned_start_date: '', production_date: '', shipping_date: '' },
  ...{ output_batch_number: '', output_manufacture_date: '', output_expiry_date: '', external_ref: '', notes: '' },
})

export const priorityRule = (value: string) => (/^-?\d{1,10}$/.test(value.trim()) ? null : 'a whole number')

/** How they are sent. */
export const plannedWriters = {
  priority: (input: string) => sent(input.trim() as Decimal),
  planned_start_date: orNull,
  production_date: orNull,
  shipping_date: orNull,
  output_batch_number: orNull,
  output_manufacture_date: orNull,
  output_expiry_date: orNull,
  external_ref: orNull,
  notes: orNull,
}

type Props<Values extends Planned> = {
  readonly form: UseFormReturnType<Values>
  readonly hasDates: boolean
  readonly hasOutput: boolean
  /** What stands before and after its own fields. */
  readonly first?: ReactNode
  readonly lines?: ReactNode
}

export function PlannedFields<Values extends Planned>({ form: given, hasDates, hasOutput, ...more }: Props<Values>) {
  // The library cannot follow paths of values that are not known.
  const form = given as unknown as UseFormReturnType<Planned>
  const { planned_start_date: start, production_date: due, shipping_date: shipped, ...values } = form.values
  const { output_manufacture_date: made, output_expiry_date: expires } = values
  const isChanged = start !== form.getInitialValues().planned_start_date
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        {more.first}
        {hasDates && (
          <>
            <TextInput type="date" label="Starts" {...form.getInputProps('planned_start_date')} />
            <TextInput type="date" label="Due" {...form.getInputProps('production_date')} />
            <TextInput type="date" label="To be shipped" {...form.getInputProps('shipping_date')} />
            <TextInput label="Priority" inputMode="numeric" {...form.getInputProps('priority')} />
          </>
        )}
        {hasOutput && (
          <>
            <TextInput label="Output batch" maxLength={64} {...form.getInputProps('output_batch_number')} />
            <TextInput type="date" label="Output made" {...form.getInputProps('output_manufacture_date')} />
            <TextInput type="date" label="Output expires" {...form.getInputProps('output_expiry_date')} />
          </>
        )}
      </SimpleGrid>
      <DateWarnings
        of={[
          [isChanged && isBefore(start, today()), 'it starts before today'],
          [isBefore(due, start), 'it is due before it starts'],
          [isBefore(shipped, due || start), 'it is shipped before it is made'],
          [isBefore(expires, made), 'the output expires before it is made'],
          [isBefore(expires, shipped || due || start), 'the output expires before the order is done'],
        ]}
      />
      {more.lines}
      <TextInput label="Reference" maxLength={255} {...form.getInputProps('external_ref')} />
      <Textarea label="Notes" autosize minRows={2} maxLength={10_000} {...form.getInputProps('notes')} />
    </>
  )
}

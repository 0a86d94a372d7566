/** The fields that the forms of new and of open manufacturing orders have in common. */
import { SimpleGrid } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { ReactNode } from 'react'
import { today } from '../../days.ts'
import { DateWarnings, isBefore } from '../../patterns/date-warnings.tsx'
import { field } from '../../patterns/fields.tsx'
import { RecordFields, type ValuesOf } from '../../patterns/record-fields.tsx'

const dates = {
  planned_start_date: field.day('Starts'),
  production_date: field.day('Due'),
  shipping_date: field.day('To be shipped'),
  priority: field.priority('Priority'),
}

const output = {
  output_batch_number: field.text('Output batch', { maxLength: 64 }),
  output_manufacture_date: field.day('Output made'),
  output_expiry_date: field.day('Output expires'),
}

const noted = { external_ref: field.text('Reference'), notes: field.longText('Notes') }

export const plannedFields = { ...dates, ...output, ...noted }

export type Planned = ValuesOf<typeof plannedFields>

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
        {hasDates && <RecordFields form={form} fields={dates} isStacked />}
        {hasOutput && <RecordFields form={form} fields={output} isStacked />}
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
      <RecordFields form={form} fields={noted} isStacked />
    </>
  )
}

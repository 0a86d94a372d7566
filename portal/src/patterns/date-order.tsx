/** A warning where dates of a form stand in another order than they happen. The service decides; a person may have mistyped. */
import { Text } from '@mantine/core'

type Dated = readonly [label: string, day: string]

/** @param of dates as their inputs have them, in the order in which they happen; empty ones count for nothing. */
export function DatesInOrder({ of }: { readonly of: readonly Dated[] }) {
  const given = of.filter(([, day]) => day !== '')
  const at = given.findIndex(([, day], index) => day < (given[index - 1]?.[1] ?? ''))
  const [before, after] = [given[at - 1], given[at]]
  if (before === undefined || after === undefined) return null
  return (
    <Text role="status" size="sm" c="var(--mantine-color-error)">
      Look again: “{after[0]}” is before “{before[0]}”.
    </Text>
  )
}

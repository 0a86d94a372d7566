/** What changed, from what to what. */
import { List, Text } from '@mantine/core'
import type { Difference } from './differences.ts'

/** More are shown to who asks for them. */
const SHOWN_MAX = 4

export function ChangesList({ of }: { readonly of: readonly Difference[] }) {
  if (of.length === 0) return null
  const list = (
    <List size="xs" className="address">
      {of.map(({ field, before, after }) => (
        <List.Item key={field}>
          {field}: {before} → {after}
        </List.Item>
      ))}
    </List>
  )
  return of.length <= SHOWN_MAX ? (
    list
  ) : (
    <details>
      <Text component="summary" size="xs">
        {of.length} changes
      </Text>
      {list}
    </details>
  )
}

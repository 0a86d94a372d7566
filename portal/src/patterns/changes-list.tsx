/** What changed, from what to what. */
import { Alert, Button, List, Stack, Text } from '@mantine/core'
import type { Difference } from './differences.ts'

/** Further changes are shown on request. */
const SHOWN_MAX = 4

const items = (differences: readonly Difference[]) =>
  differences.map(({ field, before, after }) => (
    <List.Item key={field}>
      {field}: {before} → {after}
    </List.Item>
  ))

export function ChangesList({ of }: { readonly of: readonly Difference[] }) {
  if (of.length === 0) return null
  const list = (
    <List size="xs" className="address">
      {items(of)}
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

type ChangedProps = { readonly differences: readonly Difference[]; readonly onReload?: (() => unknown) | undefined }

/** Of a record since its form was opened. */
export const Changed = ({ differences, onReload }: ChangedProps) => (
  <Alert role="alert" color="orange" variant="outline" title="It has changed since you opened this form">
    <Stack gap="xs" align="flex-start">
      <Text size="sm">Nothing was done. Look at what changed, and apply it again if it still holds.</Text>
      <List size="sm">{items(differences)}</List>
      {onReload && (
        <Button size="xs" variant="default" onClick={onReload}>
          Reload the form
        </Button>
      )}
    </Stack>
  </Alert>
)

/** Says what changed of a record since its form was opened. */
import { Alert, Button, List, Stack, Text } from '@mantine/core'
import type { Difference } from './differences.ts'

type ChangedProps = { readonly differences: readonly Difference[]; readonly onReload?: (() => unknown) | undefined }

export function Changed({ differences, onReload }: ChangedProps) {
  return (
    <Alert role="alert" color="orange" variant="outline" title="It has changed since you opened this form">
      <Stack gap="xs" align="flex-start">
        <Text size="sm">Nothing was done. Look at what changed, and apply it again if it still holds.</Text>
        <List size="sm">
          {differences.map(({ field, before, after }) => (
            <List.Item key={field}>
              {field}: {before} → {after}
            </List.Item>
          ))}
        </List>
        {onReload && (
          <Button size="xs" variant="default" onClick={onReload}>
            Reload the form
          </Button>
        )}
      </Stack>
    </Alert>
  )
}

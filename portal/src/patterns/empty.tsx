/** A message where there is nothing to show. */
import { Text } from '@mantine/core'
import type { ReactNode } from 'react'

/** What would be shown here, and what the person may do. */
export function Empty({ children }: { readonly children: ReactNode }) {
  return (
    <Text c="dimmed" size="sm" ta="center" p="xl" component="div">
      {children}
    </Text>
  )
}

/** Words where there is nothing to show. */
import { Text } from '@mantine/core'
import type { ReactNode } from 'react'

/** What it would be, and what to do. */
export function Empty({ children }: { readonly children: ReactNode }) {
  return (
    <Text c="dimmed" size="sm" ta="center" p="xl" component="div">
      {children}
    </Text>
  )
}

/** A titled part of a page. */
import { Group, Paper, Title } from '@mantine/core'
import type { ReactNode } from 'react'

type SectionProps = { readonly title: string; readonly aside?: ReactNode; readonly children: ReactNode }

export function Section({ title, aside, children }: SectionProps) {
  return (
    <Paper withBorder component="section" aria-label={title}>
      <Group justify="space-between" px="sm" pt="sm" pb={4}>
        <Title order={2}>{title}</Title>
        {aside}
      </Group>
      {children}
    </Paper>
  )
}

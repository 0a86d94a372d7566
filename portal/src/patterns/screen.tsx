/** What every screen has: its title, its steps, and its parts below each other. */
import { Group, Stack, Title } from '@mantine/core'
import type { ReactNode } from 'react'

type Props = {
  readonly title: string
  readonly status?: ReactNode
  readonly actions?: ReactNode
  readonly children: ReactNode
}

export const Screen = ({ title, status, actions, children }: Props) => (
  <Stack gap="md">
    <title>{`${title} · Millrace`}</title>
    <Group justify="space-between">
      <Group gap="sm">
        <Title order={1}>{title}</Title>
        {status}
      </Group>
      <Group gap="xs">{actions}</Group>
    </Group>
    {children}
  </Stack>
)

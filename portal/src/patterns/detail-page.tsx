/** One record: its name and status, its steps, its facts, and sections below. */
import { Center, Grid, Group, Loader, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { type UseQueryOptions, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Failure } from './failure.tsx'

type Props<One> = {
  /** What it is called while it is not known: `Sales order`. */
  readonly kind: string
  readonly query: UseQueryOptions<One, Error, One, readonly unknown[]>
  readonly children: (record: One) => ReactNode
}

/** Reads a record and shows it, or why it cannot. */
export function DetailPage<One>({ kind, query, children }: Props<One>) {
  const { data, error, refetch } = useQuery(query)
  if (error)
    return (
      <Stack>
        <title>{`${kind} · Millrace`}</title>
        <Title order={1}>{kind}</Title>
        <Failure error={error} title={`${kind} could not be read`} onRetry={() => refetch()} />
      </Stack>
    )
  if (data === undefined)
    return (
      <Center p="xl">
        <title>{`${kind} · Millrace`}</title>
        <Loader aria-label={`Reading the ${kind.toLowerCase()}`} />
      </Center>
    )
  return children(data)
}

type HeadProps = {
  readonly title: string
  readonly status?: ReactNode
  /** Buttons of the steps that its status allows. */
  readonly steps?: ReactNode
}

export function DetailHead({ title, status, steps }: HeadProps) {
  return (
    <Group justify="space-between">
      <title>{`${title} · Millrace`}</title>
      <Group gap="sm">
        <Title order={1}>{title}</Title>
        {status}
      </Group>
      <Group gap="xs">{steps}</Group>
    </Group>
  )
}

/** Pairs of a name and a value; those without a value are left out. */
export function Facts({ facts }: { readonly facts: readonly (readonly [name: string, value: ReactNode])[] }) {
  const given = facts.filter(([, value]) => value !== null && value !== undefined && value !== '')
  return (
    <Paper withBorder p="md">
      <SimpleGrid component="dl" m={0} cols={{ base: 2, sm: 3, lg: 4 }} spacing="md" verticalSpacing="sm">
        {given.map(([name, value]) => (
          <div key={name}>
            <Text component="dt" size="xs" c="dimmed">
              {name}
            </Text>
            <Text component="dd" size="sm" m={0}>
              {value}
            </Text>
          </div>
        ))}
      </SimpleGrid>
    </Paper>
  )
}

/** A titled part of a page; `aside` stands beside the title. */
export function Section({
  title,
  aside,
  children,
}: {
  readonly title: string
  readonly aside?: ReactNode
  readonly children: ReactNode
}) {
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

/** A wide part and a narrow one beside it, below each other on a phone. */
export function Columns({ wide, narrow }: { readonly wide: ReactNode; readonly narrow: ReactNode }) {
  return (
    <Grid gap="md">
      <Grid.Col span={{ base: 12, lg: 8 }}>
        <Stack gap="md">{wide}</Stack>
      </Grid.Col>
      <Grid.Col span={{ base: 12, lg: 4 }}>
        <Stack gap="md">{narrow}</Stack>
      </Grid.Col>
    </Grid>
  )
}

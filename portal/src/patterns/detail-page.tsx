/** One record: its name and status, its steps, its facts, and sections below. */
import { Grid, Paper, SimpleGrid, Stack, Table, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { Fragment, type ReactNode } from 'react'
import type { ExactApi } from '../exact.ts'
import type { Filters } from '../filters.ts'
import type { Noun } from '../noun.ts'
import { useApi, useSession } from '../session.tsx'
import { Failure } from './failure.tsx'
import { Screen } from './screen.tsx'
import { Section } from './section.tsx'
import { Waiting } from './waiting.tsx'

type Props<One> = {
  /** The heading while the record is loading: `Sales order`. */
  readonly kind: string
  /** The key of the query, with the resource first (live.tsx). */
  readonly name: readonly unknown[]
  readonly read: (options: { readonly signal: AbortSignal }) => Promise<One>
  /** For records that change without an event. */
  readonly refreshMs?: number
  readonly children: (record: One) => ReactNode
}

export function DetailPage<One>({ kind, name, read, refreshMs, children }: Props<One>) {
  const { data, error, refetch } = useQuery({
    queryKey: name,
    queryFn: read,
    ...(refreshMs === undefined ? {} : { refetchInterval: refreshMs }),
  })
  if (data !== undefined && !error) return children(data)
  return (
    <Stack>
      <title>{`${kind} · Millrace`}</title>
      {error ? (
        <>
          <Title order={1}>{kind}</Title>
          <Failure error={error} title={`${kind} could not be read`} onRetry={() => refetch()} />
        </>
      ) : (
        <Waiting label={`Reading the ${kind.toLowerCase()}`} />
      )}
    </Stack>
  )
}

type OfProps<One extends object, Has extends Filters> = {
  readonly of: Noun<One, Has>
  readonly children: (record: One, api: ExactApi) => ReactNode
}

/** The record in the address. Inputs on its page are dropped with it. */
export function RecordOf<One extends object, Has extends Filters>({ of: noun, children }: OfProps<One, Has>) {
  const api = useApi()
  const { id = '' } = useParams({ strict: false }) as { readonly id?: string }
  return (
    <DetailPage kind={noun.one} {...oneQuery(noun, id, api)}>
      {record => <Fragment key={id}>{children(record, api)}</Fragment>}
    </DetailPage>
  )
}

const oneQuery = <One extends object, Has extends Filters>(
  { of, resource }: Noun<One, Has>,
  id: string,
  api: ExactApi,
) => ({
  name: [resource, 'one', id] as const,
  read: (options: { readonly signal: AbortSignal }) => of(api).get(id, options),
})

/** The record that another one refers to. Null: there is no reference. Undefined: it is not loaded yet, or the key may not read it. */
export function useRecord<One extends object, Has extends Filters>(
  of: Noun<One, Has>,
  id: string | null | undefined,
): One | null | undefined {
  const { api, can } = useSession()
  const { name, read } = oneQuery(of, id ?? '', api)
  const { data } = useQuery({
    queryKey: name,
    queryFn: read,
    enabled: id != null && can(of.scope),
  })
  return id === null ? null : data
}

/** Pairs of a name and a value. Pairs without a value are left out. */
export type FactsOf = readonly (readonly [name: string, value: ReactNode])[]

type RecordProps = {
  readonly title: string
  readonly status?: ReactNode
  readonly steps?: ReactNode
  readonly facts: FactsOf
  /** The record, where it says who made and changed it. */
  readonly of?: Recorded | undefined
  /** What stands before its facts. */
  readonly notice?: ReactNode
  readonly children?: ReactNode
}

export function RecordPage({ title, status, steps, facts, of, notice, children }: RecordProps) {
  return (
    <Screen title={title} status={status} actions={steps}>
      {notice}
      <Facts facts={of ? [...facts, ...whoFacts(of)] : facts} />
      {children}
      {of && <Metadata of={of} />}
    </Screen>
  )
}

export function Facts({ facts }: Pick<RecordProps, 'facts'>) {
  const given = facts.filter(([, value]) => value !== null && value !== undefined && value !== '')
  if (given.length === 0) return null
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

/** On a window of this width the lines of an order fit beside its history. */
const BESIDE = { xs: '0', sm: '0', md: '0', lg: '0', xl: '1400px' }

/** A wide part and a narrow one beside it; one below the other where both would be cut. */
export function Columns({ wide, narrow }: { readonly wide: ReactNode; readonly narrow: ReactNode }) {
  return (
    <Grid gap="md" type="container" breakpoints={BESIDE}>
      <Grid.Col span={{ base: 12, xl: 8 }}>
        <Stack gap="md">{wide}</Stack>
      </Grid.Col>
      <Grid.Col span={{ base: 12, xl: 4 }}>
        <Stack gap="md">{narrow}</Stack>
      </Grid.Col>
    </Grid>
  )
}

type Fact = readonly [name: string, value: string | null]

/** What every record with a reference of its own shows. */
export type Recorded = {
  readonly created_by_user_name: string | null
  readonly updated_by_user_name: string | null
  readonly metadata: Readonly<Record<string, string>>
}

const whoFacts = (of: Recorded): readonly Fact[] => [
  ['Created by', of.created_by_user_name],
  ['Last changed by', of.updated_by_user_name],
]

function Metadata({ of: { metadata } }: { readonly of: Recorded }) {
  const entries = Object.entries(metadata)
  if (entries.length === 0) return null
  return (
    <Section title="Metadata">
      <Table aria-label="Metadata">
        <Table.Tbody>
          {entries.map(([name, text]) => (
            <Table.Tr key={name}>
              <Table.Th scope="row">{name}</Table.Th>
              <Table.Td>{text}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Section>
  )
}

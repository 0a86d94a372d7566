/** The kinds of events: what each means, its schema, and an example. */
import { Accordion, Group, Paper, Skeleton, Stack, Text, Title } from '@mantine/core'
import type { WebhookEventKind } from '@millrace/client'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Failure } from '../../patterns/failure.tsx'
import { TextFilter, useFilters } from '../../patterns/filters.tsx'
import { Empty } from '../../patterns/list-page.tsx'
import { Screen } from '../../patterns/screen.tsx'
import { Small } from '../../patterns/small.tsx'
import { Waiting } from '../../patterns/waiting.tsx'
import { useSession } from '../../session.tsx'
import { JsonBlock, useKinds, Ways } from './shared.tsx'

const route = getRouteApi('/webhooks/kinds')

export function Kinds() {
  const { data, error, refetch } = useKinds()
  const { search, filter } = useFilters(route)
  const { q, kind } = search
  const shown = data?.filter(({ kind, description }) =>
    `${kind} ${description}`.toLowerCase().includes(q?.toLowerCase() ?? ''),
  )
  return (
    <Screen title="Event kinds" actions={<Ways here="/webhooks/kinds" />}>
      <Group className="filters">
        <TextFilter label="Search" {...filter('q')} />
      </Group>
      {error && <Failure error={error} title="The kinds could not be read" onRetry={() => refetch()} />}
      {!data && !error && <Waiting label="Reading the kinds" />}
      {shown && (
        <Paper withBorder>
          {shown.length === 0 ? (
            <Empty>No kind matches “{q}”.</Empty>
          ) : (
            <Accordion value={kind ?? null} onChange={value => filter('kind').onChange(value ?? undefined)}>
              {shown.map(each => (
                <Accordion.Item key={each.kind} value={each.kind}>
                  <Accordion.Control>
                    <Text size="sm" fw={500}>
                      {each.kind}
                    </Text>
                    <Small>{each.description}</Small>
                  </Accordion.Control>
                  <Accordion.Panel>{each.kind === kind && <Described kind={each} />}</Accordion.Panel>
                </Accordion.Item>
              ))}
            </Accordion>
          )}
        </Paper>
      )}
    </Screen>
  )
}

function Described({ kind: { kind, schema } }: { readonly kind: WebhookEventKind }) {
  const { verbatim } = useSession()
  const { data, error, refetch } = useQuery({
    queryKey: ['events', 'last', kind],
    queryFn: async ({ signal }) => {
      const { data } = await verbatim.events.list({ type: kind, order: 'desc', limit: 1 }, { signal })
      return data[0] ?? null
    },
  })
  return (
    <Stack gap="xs">
      <Title order={2}>{data ? 'Example: the last one of yours' : 'Example'}</Title>
      {error ? (
        <Failure error={error} onRetry={() => refetch()} />
      ) : data === undefined ? (
        <Skeleton h={160} />
      ) : (
        <JsonBlock label={`Example of ${kind}`} value={data ?? sampleOf(schema)} />
      )}
      <Title order={2}>Schema</Title>
      <JsonBlock label={`Schema of ${kind}`} value={schema} />
    </Stack>
  )
}

type Schema = {
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly examples?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
}

function sampleOf(schema: Schema): unknown {
  if (schema.const !== undefined) return schema.const
  const given = schema.examples ?? schema.enum
  if (given && given.length > 0) return given[0]
  if (schema.anyOf?.[0]) return sampleOf(schema.anyOf[0])
  const type = typeof schema.type === 'string' ? schema.type : schema.type?.[0]
  switch (type) {
    case 'object':
      return Object.fromEntries(Object.entries(schema.properties ?? {}).map(([name, of]) => [name, sampleOf(of)]))
    case 'array':
      return schema.items ? [sampleOf(schema.items)] : []
    case 'integer':
    case 'number':
      return 1
    case 'boolean':
      return false
    case 'null':
      return null
    default:
      return schema.format === 'date-time'
        ? '2026-11-21T05:00:00.000Z'
        : schema.format === 'date'
          ? '2026-11-21'
          : 'text'
  }
}

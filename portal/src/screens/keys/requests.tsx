/** What became of the writes of all keys. */
import { Group, Stack, Title } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useFilters } from '../../patterns/filters.tsx'
import { ButtonLink } from '../../patterns/links.tsx'
import { RequestRecords } from './request-records.tsx'

const route = getRouteApi('/requests')

export function Requests() {
  const { search, filter, onClear } = useFilters(route)
  return (
    <Stack gap="md">
      <title>Requests · Millrace</title>
      <Group justify="space-between">
        <Title order={1}>Requests</Title>
        <ButtonLink to="/keys">API keys</ButtonLink>
      </Group>
      <RequestRecords search={search} filter={filter} onClear={onClear} />
    </Stack>
  )
}

/** What became of the writes of all keys. */
import { Group, Stack, Title } from '@mantine/core'
import { ButtonLink } from '../../patterns/links.tsx'
import { RequestRecords } from './request-records.tsx'

export const Requests = () => (
  <Stack gap="md">
    <title>Requests · Millrace</title>
    <Group justify="space-between">
      <Title order={1}>Requests</Title>
      <ButtonLink to="/keys">API keys</ButtonLink>
    </Group>
    <RequestRecords />
  </Stack>
)

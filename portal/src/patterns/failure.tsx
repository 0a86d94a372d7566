/** What went wrong, with what finds it in the service's logs, and a way to try again. */
import { Alert, Button, Code, Stack, Text } from '@mantine/core'
import { ApiError, ConnectionError } from '@millrace/client'
import { inPlainWords } from './refusals.ts'

type Props = { readonly error: unknown; readonly title?: string; readonly onRetry?: () => void }

export function Failure({ error, title = 'This did not work', onRetry }: Props) {
  const request_id = error instanceof ApiError ? error.request_id : null
  return (
    <Alert role="alert" color="red" variant="outline" title={title}>
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{messageOf(error)}</Text>
        {request_id !== null && (
          <Text size="sm">
            Request <Code>{request_id}</Code>
          </Text>
        )}
        {onRetry && (
          <Button size="xs" variant="default" onClick={onRetry}>
            Try again
          </Button>
        )}
      </Stack>
    </Alert>
  )
}

/** The message in one line. */
export const failureText = (error: unknown): string =>
  error instanceof ApiError && error.request_id !== null
    ? `${messageOf(error)} (${error.request_id})`
    : messageOf(error)

function messageOf(error: unknown): string {
  if (error instanceof ConnectionError)
    return 'The service did not answer. Trying again is safe: nothing is done twice.'
  if (error instanceof ApiError) return inPlainWords(error.message)
  return error instanceof Error ? error.message : String(error)
}

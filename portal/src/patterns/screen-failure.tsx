/** Replaces a screen that cannot be shown. A screen that could not be loaded comes back by itself. */
import { Alert, Stack, Text, Title } from '@mantine/core'
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { loadMissing, missingParts } from '../chunks.ts'
import { Failure } from './failure.tsx'

const RETRY_MS = 3_000

export function ScreenFailure({ error }: ErrorComponentProps) {
  const router = useRouter()
  const [isMissing] = useState(() => missingParts(router).length > 0)
  useEffect(() => {
    if (!isMissing) return
    let isTrying = false
    const retry = async () => {
      if (isTrying) return
      isTrying = true
      if (await loadMissing(router)) await router.invalidate()
      isTrying = false
    }
    retry()
    const timer = setInterval(retry, RETRY_MS)
    window.addEventListener('online', retry)
    return () => {
      clearInterval(timer)
      window.removeEventListener('online', retry)
    }
  }, [router, isMissing])
  return (
    <Stack>
      <title>Not shown · Millrace</title>
      <Title order={1}>This screen cannot be shown</Title>
      {isMissing ? (
        <Alert role="alert" color="orange" variant="outline" title="It could not be loaded">
          <Text size="sm">The service did not answer. The screen shows by itself as soon as it does.</Text>
        </Alert>
      ) : (
        <Failure error={error} onRetry={() => router.invalidate()} />
      )}
    </Stack>
  )
}

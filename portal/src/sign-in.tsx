/** Asks for a key and finds out whose it is. */
import { Button, Center, Loader, Paper, PasswordInput, Stack, Text, Title } from '@mantine/core'
import { ApiError, ConnectionError } from '@millrace/client'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { apiOf } from './api.ts'
import { Failure } from './patterns/failure.tsx'
import type { Me } from './records.ts'

const RETRY_MS = 5_000
/** The characters that a request can carry. A key that a program shortened ends with an ellipsis, which is none of them. */
const KEY_LETTERS = /^[\x21-\x7e]+$/

type Props = {
  /** The key of this session, after a reload of the page. */
  readonly stored: string | null
  readonly notice: string | null
  readonly onSignedIn: (key: string, me: Me) => void
  readonly onForget: () => void
}

export function SignIn({ stored, notice, onSignedIn, onForget }: Props) {
  const [key, setKey] = useState('')
  const [isAsking, setAsking] = useState(stored !== null)
  const [failure, setFailure] = useState<unknown>(null)
  const begun = useRef(false)
  const input = useRef<HTMLInputElement>(null)

  const ask = async (token: string) => {
    setAsking(true)
    setFailure(null)
    try {
      onSignedIn(token, await apiOf({ token, can: () => false }).me())
    } catch (error) {
      if (error instanceof ApiError && error.status === 401 && stored !== null) onForget()
      setFailure(error)
      setAsking(false)
    }
  }
  useEffect(() => {
    if (stored === null || begun.current) return
    begun.current = true
    ask(stored)
  })
  const isShown = stored === null || !isAsking
  useEffect(() => {
    if (isShown) input.current?.focus()
  }, [isShown])
  // With a stored key the page waits for the connection.
  useEffect(() => {
    if (stored === null || !(failure instanceof ConnectionError)) return
    const timer = setTimeout(() => ask(stored), RETRY_MS)
    return () => clearTimeout(timer)
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const given = key.trim()
    if (given === '') return
    if (KEY_LETTERS.test(given)) ask(given)
    else
      setFailure(new Error('This is not a whole key: it has letters that no key has. Copy the key again, all of it.'))
  }

  if (!isShown)
    return (
      <Center mih="100vh">
        <Loader role="progressbar" aria-label="Signing in" />
      </Center>
    )
  return (
    <Center component="main" mih="100vh" p="md">
      <title>Sign in · Millrace</title>
      <Paper component="form" onSubmit={submit} withBorder p="xl" w="100%" maw={440}>
        <Stack>
          <Title order={1}>Millrace</Title>
          <Text size="sm" c="dimmed">
            Paste an API key of your tenant. It stays in this browser's open tabs until you sign out or close them, and
            is sent to this server alone.
          </Text>
          {notice && <Text size="sm">{notice}</Text>}
          <PasswordInput
            label="API key"
            placeholder="mrk_…"
            autoComplete="off"
            spellCheck={false}
            ref={input}
            value={key}
            onChange={event => setKey(event.currentTarget.value)}
          />
          {failure !== null && (
            <Failure
              error={failure}
              {...(stored === null ? {} : { onRetry: () => ask(stored) })}
              title="Not signed in"
            />
          )}
          <Button type="submit" loading={isAsking} disabled={key.trim() === ''}>
            Sign in
          </Button>
        </Stack>
      </Paper>
    </Center>
  )
}

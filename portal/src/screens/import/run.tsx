/** Checks and imports the lines of a file. */
import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import type { Millrace } from '@millrace/client'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { compare, minus } from '../../exact.ts'
import { countText } from '../../format.tsx'
import { Section } from '../../patterns/section.tsx'
import { useSession } from '../../session.tsx'
import { entriesOf } from './entries.ts'
import type { ImportKind } from './kinds.ts'
import { Outcomes, type State } from './outcomes.tsx'
import { type Row, withoutFault } from './rows.ts'
import { checked, imported, type Outcome } from './sending.ts'
import { withSuppliers } from './supplier-refs.ts'

type Props = {
  readonly client: Millrace
  readonly kind: ImportKind
  readonly rows: readonly Row[]
  readonly header: readonly string[]
  /** Of the file. */
  readonly name: string
}

export function Run({ client, kind, rows, header, name }: Props) {
  const { me, can } = useSession()
  const queries = useQueryClient()
  const [state, setState] = useState<State | null>(null)
  const running = useRef<AbortController>(null)
  // Who leaves the screen stops it: what is done is done, and is not done again.
  useEffect(() => () => running.current?.abort(), [])

  async function run(doing: State['doing']) {
    const controller = new AbortController()
    running.current = controller
    const { signal } = controller
    const outcomes = new Map<number, Outcome>()
    const tell = (isRunning: boolean, error: unknown = null) =>
      setState({ doing, isRunning, outcomes: new Map(outcomes), error })
    tell(true)
    try {
      const readable = await withSuppliers(client, rows.filter(withoutFault), signal)
      for (const { line, faults } of [...rows, ...readable]) if (faults.length > 0) outcomes.set(line, faults)
      const lines = entriesOf(readable.filter(withoutFault), kind)
      const sending = { client, burst: Number(me.rate.burst), signal }
      const now = await client.me({ signal })
      const room = {
        documents: kind.isDocument ? now.documents.limit - now.documents.spent : Number.POSITIVE_INFINITY,
        isLimited: kind.isDocument && now.plan === 'free',
      }
      for await (const told of doing === 'check' ? checked(lines, sending, room) : imported(lines, sending)) {
        for (const { sent, outcome } of told) outcomes.set(sent.row.line, outcome)
        tell(true)
      }
      tell(false)
    } catch (error) {
      if (running.current === controller) tell(false, signal.aborted ? null : error)
    }
    if (doing === 'import') queries.invalidateQueries()
  }

  const isRunning = state?.isRunning === true
  const left = minus(me.documents.limit, me.documents.spent)
  const isMuch = kind.isDocument && compare(`${rows.length}`, left) > 0
  const lacking = can(kind.scope) ? undefined : `The key lacks the scope ${kind.scope}`
  return (
    <Section title="Import">
      <Stack p="sm" pt={4} gap="sm">
        {isMuch && (
          <Alert color="orange" variant="outline">
            The key may make {countText(Number(me.documents.limit))} documents a day, and each product is one. What is
            left over can be imported another day, or with a key that may make more.
          </Alert>
        )}
        <Group gap="xs">
          <Button
            variant="default"
            disabled={isRunning || lacking !== undefined}
            title={lacking}
            onClick={() => run('check')}
          >
            Check all lines
          </Button>
          <Button disabled={isRunning || lacking !== undefined} title={lacking} onClick={() => run('import')}>
            Import {countText(rows.length)} lines
          </Button>
          {isRunning && (
            <Button variant="subtle" onClick={() => running.current?.abort()}>
              Stop
            </Button>
          )}
          <Text size="sm" c="dimmed">
            A check changes nothing. The key may send {countText(Number(me.rate.per_minute))} lines a minute.
          </Text>
        </Group>
        {state && <Outcomes state={state} rows={rows} header={header} name={name} />}
      </Stack>
    </Section>
  )
}

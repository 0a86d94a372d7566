/** Checks and imports the lines of a file. */
import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { RecordKind } from '../../../../imports/kind.ts'
import { compare, minus } from '../../exact.ts'
import { countText } from '../../format.tsx'
import { Section } from '../../patterns/section.tsx'
import { useSession } from '../../session.tsx'
import { Outcomes, type State } from './outcomes.tsx'
import type { Row } from './rows.ts'
import { partOf, Spent, serviceOf } from './service.ts'
import { takeRows } from './taking.ts'

/** How often the page shows how far it is. */
const SHOWN_MS = 200

type Props = {
  readonly token: string
  readonly kind: RecordKind
  /** Whether what is there is changed. */
  readonly update: boolean
  readonly rows: readonly Row[]
  readonly header: readonly string[]
  /** Of the file. */
  readonly name: string
}

export function Run({ token, kind, update, rows, header, name }: Props) {
  const { me, can, api } = useSession()
  const queries = useQueryClient()
  const [state, setState] = useState<State | null>(null)
  const running = useRef<AbortController>(null)
  // Who leaves the screen stops it: what is done is done, and is not done again.
  useEffect(() => () => running.current?.abort(), [])

  async function run(doing: State['doing']) {
    const controller = new AbortController()
    running.current = controller
    const { signal } = controller
    const outcomes: State['outcomes'] = new Map(
      rows.flatMap(({ line, faults }) => (faults.length > 0 ? [[line, { faults }]] : [])),
    )
    let shownAt = 0
    const tell = (isRunning: boolean, error: unknown = null) => {
      shownAt = performance.now()
      setState({ doing, isRunning, outcomes: new Map(outcomes), error })
    }
    tell(true)
    try {
      const burst = Number(me.rate.burst)
      const { documents, plan } = await api.me({ signal })
      const room = {
        documents: kind.isDocument ? Number(minus(documents.limit, documents.spent)) : Number.POSITIVE_INFINITY,
        isLimited: kind.isDocument && plan === 'free',
      }
      const service = serviceOf({ token, burst, signal }, doing === 'check' ? room : null)
      const lines = rows.filter(({ faults }) => faults.length === 0)
      await takeRows(lines, { importer: kind.open(service, { update }), atOnce: partOf(burst) }, told => {
        for (const { line, outcome } of told) outcomes.set(line, outcome)
        if (performance.now() - shownAt > SHOWN_MS) tell(true)
      })
      tell(false)
    } catch (error) {
      if (running.current === controller) tell(false, signal.aborted || error instanceof Spent ? null : error)
    }
    if (doing === 'import') queries.invalidateQueries()
  }

  const isRunning = state?.isRunning === true
  const left = minus(me.documents.limit, me.documents.spent)
  const isMuch = kind.isDocument && !update && compare(`${rows.length}`, left) > 0
  const scope = [kind.createScope, ...(update ? [kind.updateScope] : [])].find(scope => !can(scope))
  const lacking = scope === undefined ? undefined : `The key lacks the scope ${scope}`
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

/** Checks and imports the lines of a file. */
import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { ImportKind } from '../../../../imports/kind.ts'
import { takeRows } from '../../../../imports/take-rows.ts'
import { compare, minus } from '../../exact.ts'
import { countText } from '../../format.tsx'
import { Section } from '../../patterns/section.tsx'
import { useSession } from '../../session.tsx'
import { Outcomes, type State } from './outcomes.tsx'
import type { Mapping, Row } from './rows.ts'
import { partOf, serviceOf } from './service.ts'

/** How often the page updates the progress. */
const SHOWN_MS = 200

const plans = {
  free: 'Your plan is Free: the number of variants is limited, and the check says where the limit is.',
  pro: 'Your plan is Pro: any number of products.',
}

type Props = {
  readonly token: string
  readonly kind: ImportKind
  readonly columns: Mapping
  readonly update: boolean
  readonly rows: readonly Row[]
  readonly header: readonly string[]
  readonly name: string
}

export function Run({ token, kind, columns, update, rows, header, name }: Props) {
  const { me, can, api } = useSession()
  const queries = useQueryClient()
  const [state, setState] = useState<State | null>(null)
  const running = useRef<AbortController>(null)
  // Leaving the screen stops the import. Lines that are done stay, and are not done again.
  useEffect(() => () => running.current?.abort(), [])

  async function run(doing: State['doing']) {
    const controller = new AbortController()
    running.current = controller
    const { signal } = controller
    const outcomes: State['outcomes'] = new Map()
    let shownAt = 0
    const tell = (isRunning: boolean, error: unknown = null) => {
      shownAt = performance.now()
      setState({ doing, isRunning, outcomes: new Map(outcomes), error })
    }
    tell(true)
    try {
      const burst = Number(me.rate.burst)
      const { documents, plan } = await api.me({ signal })
      const isCounted = kind.rowsInDocument !== null
      const room = {
        documents: isCounted ? Number(minus(documents.limit, documents.spent)) : Number.POSITIVE_INFINITY,
        isLimited: kind.name === 'products' && plan === 'free',
      }
      const service = serviceOf({ token, burst, signal }, doing === 'check' ? room : null)
      const given = rows.map(({ line, body, faults }) => ({ line, content: faults.length > 0 ? { faults } : { body } }))
      await takeRows(given, {
        importer: kind.open(service, { update }),
        atOnce: partOf(burst),
        onOutcomes: told => {
          for (const { line, outcome } of told) outcomes.set(line, outcome)
          if (performance.now() - shownAt > SHOWN_MS) tell(true)
        },
      })
      tell(false)
    } catch (error) {
      if (running.current === controller) tell(false, signal.aborted ? null : error)
    }
    if (doing === 'import') queries.invalidateQueries()
  }

  const isRunning = state?.isRunning === true
  const left = minus(me.documents.limit, me.documents.spent)
  const needed = kind.rowsInDocument === null || update ? 0 : Math.ceil(rows.length / kind.rowsInDocument)
  const isMuch = compare(`${needed}`, left) > 0
  const scope = [...kind.createScopes(columns), ...(update ? [kind.updateScope ?? ''] : [])].find(scope => !can(scope))
  const lacking = scope === undefined ? undefined : `The key lacks the scope ${scope}`
  const closed = { disabled: isRunning || lacking !== undefined, title: lacking }
  return (
    <Section title="Import">
      <Stack p="sm" pt={4} gap="sm">
        {isMuch && (
          <Alert color="orange" variant="outline">
            The key may make {countText(Number(me.documents.limit))} documents a day, {countText(Number(left))} more
            today, and each product is one. What is left over can be imported another day, or with a key that may make
            more.
          </Alert>
        )}
        <Group gap="xs">
          <Button variant="default" {...closed} onClick={() => run('check')}>
            Check all lines
          </Button>
          <Button {...closed} onClick={() => run('import')}>
            Import {countText(rows.length)} lines
          </Button>
          {isRunning && (
            <Button variant="subtle" onClick={() => running.current?.abort()}>
              Stop
            </Button>
          )}
          <Text size="sm" c="dimmed">
            A check changes nothing. The key may send {countText(Number(me.rate.per_minute))} lines a minute.
            {kind.name === 'products' && ` ${plans[me.plan]}`}
          </Text>
        </Group>
        {state && <Outcomes state={state} rows={rows} header={header} name={name} />}
      </Stack>
    </Section>
  )
}

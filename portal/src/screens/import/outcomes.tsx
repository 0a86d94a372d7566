/** The results of an import's lines: how many, and what is wrong with refused ones. */
import { Group, Progress, Text } from '@mantine/core'
import type { Outcome } from '../../../../imports/kind.ts'
import { faultText } from '../../../../imports/service.ts'
import { countText } from '../../format.tsx'
import { column } from '../../patterns/columns.tsx'
import { CsvButton } from '../../patterns/csv.tsx'
import { type Columns, DataTable } from '../../patterns/data-table.tsx'
import { Failure } from '../../patterns/failure.tsx'
import type { Fault, Row } from './rows.ts'

export type State = {
  readonly doing: 'check' | 'import'
  readonly isRunning: boolean
  /** The outcomes by line. */
  readonly outcomes: Map<number, Outcome>
  readonly error: unknown
}

type Props = {
  readonly state: State
  readonly rows: readonly Row[]
  readonly header: readonly string[]
  readonly name: string
}

const STOPPED = 'It stopped. What was made stays, and is not made again when you go on'

export function Outcomes({ state: { doing, isRunning, outcomes, error }, rows, header, name }: Props) {
  const told = [...outcomes.values()]
  const count = (wanted: Outcome) => told.filter(outcome => outcome === wanted).length
  const faultsOf = (line: number) => {
    const outcome = outcomes.get(line)
    return outcome === undefined || typeof outcome === 'string' ? [] : outcome.faults
  }
  const refused = rows.filter(({ line }) => faultsOf(line).length > 0)
  const faults = refused.flatMap(({ line }) => faultsOf(line).map(fault => ({ line, ...fault })))
  const [created, changed, known] = [count('created'), count('changed'), count('known')]
  const parts = [
    doing === 'check' ? `${countText(created)} can be made` : `${countText(created)} made`,
    changed > 0 && (doing === 'check' ? `${countText(changed)} can be changed` : `${countText(changed)} changed`),
    known > 0 && `${countText(known)} unchanged`,
    `${countText(refused.length)} refused`,
    told.length < rows.length &&
      !isRunning &&
      `${countText(rows.length - told.length)} ${doing === 'check' ? 'left over' : 'not sent'}`,
  ]
  return (
    <>
      <Progress.Root size="lg">
        <Progress.Section value={(told.length / rows.length) * 100} aria-label="Lines that are done" />
      </Progress.Root>
      <Text size="sm" role="status">
        {countText(told.length)} of {countText(rows.length)} lines: {parts.filter(Boolean).join(', ')}.
        {doing === 'check' && !isRunning && faults.length === 0 && told.length === rows.length && ' Nothing is wrong.'}
      </Text>
      {error !== null && <Failure error={error} title={doing === 'check' ? 'The check stopped here' : STOPPED} />}
      {faults.length > 0 && (
        <>
          <Group justify="space-between">
            <Text size="sm" fw={600}>
              {doing === 'check' ? 'These lines would be refused' : 'These lines were refused'}
            </Text>
            <CsvButton
              name={`${name}-refused`}
              label="Refused lines"
              isOwn
              rows={() => [
                [...header, 'fault'],
                ...refused.map(({ line, cells }) => [
                  ...header.map((_, index) => cells[index] ?? ''),
                  faultText(faultsOf(line)),
                ]),
              ]}
            />
          </Group>
          <DataTable
            label="Refused lines"
            columns={faultColumns}
            rows={faults}
            rowId={({ line, column: at, reason }) => `${line} ${at} ${reason}`}
          />
        </>
      )}
    </>
  )
}

const faultColumns: Columns<Fault> = [
  column.figure('Line', ({ line }) => countText(line)),
  column.shown('Column', ({ column: at }) => at),
  column.shown('What is wrong', ({ reason }) => reason),
]

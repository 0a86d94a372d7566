/** A plot, and the same figures as a table for who cannot see it or wants them exactly. */
import { SegmentedControl, Skeleton, Table } from '@mantine/core'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import type { Decimal } from '../exact.ts'
import { quantityText } from '../format.tsx'
import { Section } from './detail-page.tsx'

const Chart = lazy(() => import('./chart.tsx'))

export type Point = { readonly at: string; readonly values: readonly (Decimal | null)[] }

export type PlotProps = {
  readonly title: string
  /** One for each value of a point. */
  readonly series: readonly string[]
  /** In ascending time. */
  readonly points: readonly Point[]
  /** How a time is shown. */
  readonly atText: (at: string) => string
  /** Bars for counts of spans, steps for what holds until it changes. */
  readonly shape: 'bars' | 'steps'
  /** Those of `series` that are a line over the bars: what these are held against. */
  readonly lines?: readonly string[]
  readonly valueText?: (value: Decimal) => string
  /** Words below it. */
  readonly note?: ReactNode
}

export function Plot(props: PlotProps) {
  const { title, series, points, atText, valueText = quantityText, note } = props
  const [shape, setShape] = useState('Plot')
  return (
    <Section
      title={title}
      aside={
        <SegmentedControl
          size="xs"
          data={['Plot', 'Table']}
          value={shape}
          onChange={setShape}
          aria-label={`${title} as`}
        />
      }
    >
      {shape === 'Plot' ? (
        <Suspense fallback={<Skeleton h={200} m="md" />}>
          <Chart {...props} />
        </Suspense>
      ) : (
        <Table aria-label={title}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>When</Table.Th>
              {series.map(name => (
                <Table.Th key={name} className="right">
                  {name}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {points.map(({ at, values }) => (
              <Table.Tr key={at}>
                <Table.Td>{atText(at)}</Table.Td>
                {values.map((value, index) => (
                  <Table.Td key={series[index]} className="right">
                    {value === null ? '–' : valueText(value)}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      {note}
    </Section>
  )
}

/** A plot, and the same figures as a table for who cannot see it or wants them exactly. */
import { SegmentedControl, type SegmentedControlProps, Skeleton, Table, Text } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { quantityText } from '../format.tsx'
import type { PlotProps } from './plot-props.ts'
import { Section } from './section.tsx'

/** Without a connection the plot may be missing. The table is always there. */
const NoChart = () => (
  <Text size="sm" c="dimmed" p="md">
    The plot could not be loaded. The table says the same.
  </Text>
)
const Chart = lazy(() => import('./chart.tsx').catch(() => ({ default: NoChart })))

type ShapeProps = Pick<SegmentedControlProps, 'data' | 'value' | 'onChange'> & { readonly of: string }

/** How a part of a page is shown. */
export const ShapeSwitch = ({ of, ...props }: ShapeProps) => (
  <SegmentedControl size="xs" {...props} aria-label={`${of} as`} />
)

export function Plot(props: PlotProps) {
  const { title, series, points, atText, valueText = quantityText, note } = props
  const [shape, setShape] = useState('Plot')
  return (
    <Section
      title={title}
      aside={<ShapeSwitch of={title} data={['Plot', 'Table']} value={shape} onChange={setShape} />}
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

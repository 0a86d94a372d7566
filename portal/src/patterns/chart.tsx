/** uPlot in the colours of this page. It is loaded with the first plot. Numbers become pixels only here. */
import 'uplot/dist/uPlot.min.css'
import { Box, useComputedColorScheme, useMantineTheme } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { useEffect, useRef } from 'react'
import uPlot from 'uplot'
import { type Decimal, isZero } from '../exact.ts'
import type { PlotProps } from './plot-props.ts'

const HEIGHT_PX = 200
/** The approximate width of a name below a bar. */
const NAME_PX = 52
const COLORS = ['indigo', 'orange', 'teal', 'grape'] as const

export default function Chart({ title, series, points, atText, shape, lines, isBeside = false }: PlotProps) {
  const { ref: box, width } = useElementSize()
  const place = useRef<HTMLDivElement>(null)
  const theme = useMantineTheme()
  const scheme = useComputedColorScheme('light')
  useEffect(() => {
    if (!place.current || width === 0) return
    const color = (index: number) => theme.colors[COLORS[index % COLORS.length] ?? 'indigo'][scheme === 'dark' ? 4 : 7]
    const quiet = scheme === 'dark' ? theme.colors.dark[1] : theme.colors.gray[7]
    const line = scheme === 'dark' ? theme.colors.dark[5] : theme.colors.gray[2]
    const axis = { size: 36, stroke: quiet, grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1 } }
    const each = Math.ceil((points.length * NAME_PX) / width)
    // Of what is counted there is no 0.25.
    const isCount = points.every(({ values }) => values.every(value => Number.isInteger(Number(value))))
    const amountText = (value: number) => (isCount && !Number.isInteger(value) ? null : amounts.format(value))
    const isBar = (label: string) => shape === 'bars' && !lines?.includes(label)
    const pathsOf = (label: string, index: number) => {
      const paths = isBar(label)
        ? uPlot.paths.bars?.(isBeside ? { size: [0.35, 24], align: index === 0 ? -1 : 1 } : { size: [0.6, 40] })
        : uPlot.paths[shape === 'bars' ? 'linear' : 'stepped']?.({ align: 1 })
      return paths ? { paths } : {}
    }
    const plot = new uPlot(
      {
        width,
        height: HEIGHT_PX,
        // Room for half of the last name.
        padding: [null, NAME_PX / 2, null, null],
        cursor: { drag: { x: false, y: false } },
        scales: {
          x: { time: shape === 'steps', ...(shape === 'bars' ? { range: [-0.6, points.length - 0.4] } : {}) },
          y: { range: (_plot, min, max) => [Math.min(0, min), max > 0 ? max * 1.1 : 1] },
        },
        axes: [
          shape === 'bars'
            ? {
                ...axis,
                splits: () => points.map((_, index) => index).filter(index => (points.length - 1 - index) % each === 0),
                values: (_plot, at) => at.map(index => atText(points[index]?.at ?? '')),
              }
            : { ...axis, space: NAME_PX * 1.5, values: (_plot, at) => timesText(at) },
          { ...axis, size: 60, values: (_plot, at) => at.map(amountText) },
        ],
        series: [
          {},
          ...series.map((label, index) => ({
            label,
            stroke: color(index) ?? 'currentColor',
            width: 1.5,
            ...(shape === 'bars' ? { points: { show: false } } : {}),
            ...(isBar(label) ? { fill: color(index) ?? 'currentColor' } : {}),
            ...pathsOf(label, index),
          })),
        ],
        legend: { show: series.length > 1, live: false },
      },
      [
        points.map(({ at }, index) => (shape === 'bars' ? index : Date.parse(at) / 1000)),
        ...series.map((label, index) => points.map(({ values }) => pixelsOf(values[index], isBar(label)))),
      ],
      place.current,
    )
    return () => plot.destroy()
  }, [series, points, atText, shape, lines, isBeside, width, scheme, theme])
  return (
    <Box
      ref={box}
      px="sm"
      pb="sm"
      role="img"
      aria-label={`${title}: a plot of ${series.join(', ')}; the table shows its figures`}
    >
      <div ref={place} />
    </Box>
  )
}

/** Numbers of an axis are short: millions would cover the bars. */
const amounts = new Intl.NumberFormat(undefined, { notation: 'compact' })

const DAY_S = 86_400
const axisDates = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(undefined, options)
const [times, days, months] = [
  axisDates({ hour: '2-digit', minute: '2-digit' }),
  axisDates({ day: 'numeric', month: 'short' }),
  axisDates({ month: 'short', year: 'numeric' }),
]

/** Names of moments along an axis, as exact as its steps. */
function timesText(at: readonly number[]): string[] {
  const step = (at[1] ?? 0) - (at[0] ?? 0)
  const format = step < DAY_S ? times : step < 28 * DAY_S ? days : months
  // At midnight the day says more than the time.
  const isDayAlone = (date: Date) => format === times && date.getHours() + date.getMinutes() === 0
  return at.map(seconds => {
    const date = new Date(seconds * 1000)
    return (isDayAlone(date) ? days : format).format(date)
  })
}

/** A bar of 0 would show as a line. */
function pixelsOf(value: Decimal | null | undefined, isBar: boolean): number | null {
  if (value == null || (isBar && isZero(value))) return null
  return Number(value)
}

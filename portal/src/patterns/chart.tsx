/** uPlot in a page of these colours. Loaded with the first plot alone. Numbers become pixels here, and nowhere else. */
import 'uplot/dist/uPlot.min.css'
import { Box, useComputedColorScheme, useMantineTheme } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { useEffect, useRef } from 'react'
import uPlot from 'uplot'
import { type Decimal, isZero } from '../exact.ts'
import type { PlotProps } from './plot.tsx'

const HEIGHT_PX = 200
const COLORS = ['indigo', 'orange', 'teal', 'grape'] as const

export default function Chart({ title, series, points, atText, shape }: PlotProps) {
  const { ref: box, width } = useElementSize()
  const place = useRef<HTMLDivElement>(null)
  const theme = useMantineTheme()
  const scheme = useComputedColorScheme('light')
  useEffect(() => {
    if (!place.current || width === 0) return
    const color = (index: number) => theme.colors[COLORS[index % COLORS.length] ?? 'indigo'][scheme === 'dark' ? 4 : 7]
    const quiet = scheme === 'dark' ? theme.colors.dark[1] : theme.colors.gray[7]
    const line = scheme === 'dark' ? theme.colors.dark[5] : theme.colors.gray[2]
    const axis = { stroke: quiet, grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1 } }
    const paths = shape === 'bars' ? uPlot.paths.bars?.({ size: [0.6, 40] }) : uPlot.paths.stepped?.({ align: 1 })
    const plot = new uPlot(
      {
        width,
        height: HEIGHT_PX,
        cursor: { drag: { x: false, y: false } },
        scales: {
          x: { time: shape === 'steps', ...(shape === 'bars' ? { range: [-0.6, points.length - 0.4] } : {}) },
          y: { range: (_plot, min, max) => [Math.min(0, min), max > 0 ? max * 1.1 : 1] },
        },
        axes: [
          shape === 'bars'
            ? {
                ...axis,
                splits: () => points.map((_, index) => index),
                values: (_plot, at) => at.map(index => atText(points[index]?.at ?? '')),
              }
            : axis,
          { ...axis, size: 60 },
        ],
        series: [
          {},
          ...series.map((label, index) => ({
            label,
            stroke: color(index) ?? 'currentColor',
            width: 1.5,
            ...(shape === 'bars' ? { fill: color(index) ?? 'currentColor', points: { show: false } } : {}),
            ...(paths ? { paths } : {}),
          })),
        ],
        legend: { show: series.length > 1, live: false },
      },
      [
        points.map(({ at }, index) => (shape === 'bars' ? index : Date.parse(at) / 1000)),
        ...series.map((_, index) => points.map(({ values }) => pixelsOf(values[index], shape))),
      ],
      place.current,
    )
    return () => plot.destroy()
  }, [series, points, atText, shape, width, scheme, theme])
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

/** A bar of nothing would show as a line. */
function pixelsOf(value: Decimal | null | undefined, shape: PlotProps['shape']): number | null {
  if (value == null || (shape === 'bars' && isZero(value))) return null
  return Number(value)
}

/** The content of a plot. */
import type { ReactNode } from 'react'
import type { Decimal } from '../exact.ts'

export type Point = { readonly at: string; readonly values: readonly (Decimal | null)[] }

export type PlotProps = {
  readonly title: string
  /** One name for each value of a point. */
  readonly series: readonly string[]
  /** In ascending time. */
  readonly points: readonly Point[]
  readonly atText: (at: string) => string
  /** Bars for counts in spans of time, steps for values that hold until they change. */
  readonly shape: 'bars' | 'steps'
  /** Names in `series` that are lines over the bars, to compare them with. */
  readonly lines?: readonly string[]
  /** Whether bars of one time are side by side. Default: the first bar contains the others. */
  readonly isBeside?: boolean
  readonly valueText?: (value: Decimal) => string
  readonly note?: ReactNode
}

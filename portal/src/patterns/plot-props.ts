/** What a plot shows. */
import type { ReactNode } from 'react'
import type { Decimal } from '../exact.ts'

export type Point = { readonly at: string; readonly values: readonly (Decimal | null)[] }

export type PlotProps = {
  readonly title: string
  /** One for each value of a point. */
  readonly series: readonly string[]
  /** In ascending time. */
  readonly points: readonly Point[]
  readonly atText: (at: string) => string
  /** Bars for counts of spans, steps for what holds until it changes. */
  readonly shape: 'bars' | 'steps'
  /** Those of `series` that are a line over the bars: what these are held against. */
  readonly lines?: readonly string[]
  /** Whether bars of one time stand beside each other; else the first has the others in it. */
  readonly isBeside?: boolean
  readonly valueText?: (value: Decimal) => string
  readonly note?: ReactNode
}

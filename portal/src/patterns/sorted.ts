/** Rows sorted by what a column says. */
import { useMemo, useState } from 'react'
import { compare, type Decimal } from '../exact.ts'
import type { Column, Columns, Sorting } from './data-table.tsx'
import { usePlaceTitle } from './places.tsx'

const words = new Intl.Collator(undefined, { numeric: true })

const byTexts = <Row>({ isNumber = false }: Column<Row>, one: string, other: string): number =>
  isNumber ? compare(one as Decimal, other as Decimal) : words.compare(one, other)

/** The rows as they came until a heading is pressed: then by it, then the other way, then as they came. */
export function useSorted<Row extends object>(columns: Columns<Row>, rows: readonly Row[]) {
  const [by, setBy] = useState<Sorting | null>(null)
  const placeTitle = usePlaceTitle()
  const sorted = useMemo(() => {
    const column = columns.find(({ header }) => header === by?.header)
    const says = column?.says
    if (by === null || !column || !says) return rows
    const sign = by.isDown ? -1 : 1
    // What says nothing comes last, either way.
    return rows
      .map(row => ({ row, text: says(row, placeTitle) }))
      .sort(({ text: one }, { text: other }) =>
        one === null || other === null
          ? Number(one === null) - Number(other === null)
          : sign * byTexts(column, one, other),
      )
      .map(({ row }) => row)
  }, [columns, rows, by, placeTitle])
  const onSort = (header: string) =>
    setBy(before =>
      before?.header !== header ? { header, isDown: false } : before.isDown ? null : { header, isDown: true },
    )
  return { rows: sorted, sorting: { by, onSort } }
}

/** Rows of a list that a person chooses, to do one step with all of them. What is chosen stays while the list is read anew. */
import { Checkbox } from '@mantine/core'
import { createContext, type ReactNode, useContext, useState } from 'react'
import type { Column } from './data-table.tsx'
import { usePlaceTitle } from './places.tsx'

type Chosen = {
  readonly rows: ReadonlyMap<string, object>
  readonly choose: (id: string, row: object | null) => void
}

const ChosenContext = createContext<Chosen>({ rows: new Map(), choose: () => {} })

type Props<Row> = { readonly children: (chosen: readonly Row[], clear: () => void) => ReactNode }

/** Around a table with a `chooseColumn`, and the steps of what is chosen. */
export function ChosenRows<Row extends object>({ children }: Props<Row>) {
  const [rows, setRows] = useState<ReadonlyMap<string, object>>(new Map())
  const choose = (id: string, row: object | null) =>
    setRows(before => {
      const next = new Map(before)
      if (row === null) next.delete(id)
      else next.set(id, row)
      return next
    })
  return (
    <ChosenContext value={{ rows, choose }}>
      {children([...rows.values()] as Row[], () => setRows(new Map()))}
    </ChosenContext>
  )
}

type StockRow = {
  readonly id: string
  readonly title: string
  readonly batch_number: string | null
  readonly storage_place_id: string | null
}

/** A row of stock, by place and batch. */
export const chooseColumn: Column<StockRow> = {
  header: 'Choose',
  cell: row => <Box row={row} />,
}

/** What a row is, for who does not see where it stands. */
export const stockRowText = (
  { title, batch_number, storage_place_id }: Omit<StockRow, 'id'>,
  placeTitle: (id: string | null) => string,
): string =>
  [title, ...(batch_number === null ? [] : [`batch ${batch_number}`]), placeTitle(storage_place_id)].join(', ')

function Box({ row }: { readonly row: StockRow }) {
  const placeTitle = usePlaceTitle()
  const { rows, choose } = useContext(ChosenContext)
  return (
    <Checkbox
      className="above"
      aria-label={`Choose ${stockRowText(row, placeTitle)}`}
      checked={rows.has(row.id)}
      onChange={event => choose(row.id, event.currentTarget.checked ? row : null)}
    />
  )
}

/** Rows of a list that a person chooses, to do one step with all of them. The choice stays when the list is reloaded. */
import { Button, Checkbox, Group, Text } from '@mantine/core'
import { createContext, type ReactNode, useContext, useState } from 'react'
import type { Filters } from '../filters.ts'
import { countText } from '../format.tsx'
import { idOf, type Noun, nameOf } from '../noun.ts'
import type { Column } from './data-table.tsx'
import { type PlaceTitleOf, usePlaceTitle } from './places.tsx'

type Chosen = {
  readonly rows: ReadonlyMap<string, object>
  readonly choose: (id: string, row: object | null) => void
}

const ChosenContext = createContext<Chosen>({ rows: new Map(), choose: () => {} })

type Props<Row> = { readonly children: (chosen: readonly Row[], clear: () => void) => ReactNode }

/** Wraps a table with a `chooseColumn`, and the steps with the chosen rows. */
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
  ...{ header: 'Choose', align: 'box' },
  cell: row => <StockBox row={row} />,
}

/** A box for each record of a list. Its label is the record's number or title. */
export const chooseColumnOf = <One extends object, Has extends Filters>(noun: Noun<One, Has>): Column<One> => ({
  ...{ header: 'Choose', align: 'box' },
  cell: one => <Box id={idOf(noun, one)} row={one} text={nameOf(noun, one)} />,
})

type BarProps<One extends object, Has extends Filters> = {
  readonly of: Noun<One, Has>
  readonly shown: readonly One[]
  readonly steps: (chosen: readonly One[]) => ReactNode
}

const small = { variant: 'default', size: 'xs' } as const

/** Above a list with a `chooseColumnOf`: how many are chosen, all or none, and the steps with them. */
export function ChosenBar<One extends object, Has extends Filters>({ of: noun, shown, steps }: BarProps<One, Has>) {
  const { rows, choose } = useContext(ChosenContext)
  const now = new Map(shown.map(one => [idOf(noun, one), one]))
  const others = [...now].filter(([id]) => !rows.has(id))
  return (
    <Group gap="xs" mb="xs" role="group" aria-label="With those that are chosen">
      <Button {...small} disabled={others.length === 0} onClick={() => others.map(each => choose(...each))}>
        Choose all
      </Button>
      <Button {...small} disabled={rows.size === 0} onClick={() => [...rows.keys()].map(id => choose(id, null))}>
        Choose none
      </Button>
      {steps([...rows].map(([id, row]) => now.get(id) ?? (row as One)))}
      <Text size="sm" c="dimmed" role="status">
        {rows.size > 0 && `${countText(rows.size)} chosen`}
      </Text>
    </Group>
  )
}

/** What a row is, for who does not see where it stands. */
export function stockRowText({ title, batch_number, storage_place_id }: Omit<StockRow, 'id'>, titleOf: PlaceTitleOf) {
  const batch = batch_number === null ? [] : [`batch ${batch_number}`]
  return [title, ...batch, titleOf(storage_place_id)].join(', ')
}

function StockBox({ row }: { readonly row: StockRow }) {
  const placeTitle = usePlaceTitle()
  return <Box id={row.id} row={row} text={stockRowText(row, placeTitle)} />
}

type BoxProps = { readonly id: string; readonly row: object; readonly text: string }

function Box({ id, row, text }: BoxProps) {
  const { rows, choose } = useContext(ChosenContext)
  return (
    <Checkbox
      className="above"
      aria-label={`Choose ${text}`}
      checked={rows.has(id)}
      onChange={event => choose(id, event.currentTarget.checked ? row : null)}
    />
  )
}

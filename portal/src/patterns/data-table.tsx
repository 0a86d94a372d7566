/** A table of records with declared columns. If there are many rows, only the visible ones are drawn. */
import { ScrollArea, Table, UnstyledButton } from '@mantine/core'
import { TriangleDownIcon, TriangleUpIcon } from '@radix-ui/react-icons'
import {
  createColumnHelper,
  FlexRender,
  metaHelper,
  type RowData,
  type Row as TableRow,
  tableFeatures,
  useTable,
} from '@tanstack/react-table'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { memo, type ReactNode, useEffect, useMemo, useRef } from 'react'
import { Empty } from './empty.tsx'
import { Section } from './section.tsx'
import type { Goods } from './units.tsx'

type Meta = {
  /** Numbers stand to the right; above boxes the heading is for those who hear it. */
  readonly align?: 'right' | 'box' | undefined
  readonly visibleFrom?: 'sm' | 'md' | 'lg' | 'xl' | undefined
}

/** The text of a cell for files and sorting: numbers, days and codes as the service wrote them. Null: the cell is empty. */
export type Says<Row> = (row: Row, placeTitle: (id: string | null) => string) => string | null

export type Column<Row> = Meta & {
  readonly header: string
  readonly cell: (row: Row) => ReactNode
  /** Columns of buttons and boxes have none. */
  readonly says?: Says<Row> | undefined
  readonly isNumber?: boolean
  /** The goods of the quantity. Files have their unit in a column of its own. */
  readonly goods?: ((row: Row) => Goods) | undefined
  /** The further column in a file, such as a currency. */
  readonly beside?: { readonly header: string; readonly says: Says<Row> } | undefined
}

export type Sorting = { readonly header: string; readonly isDown: boolean }

/** Declare columns outside of components, so that they stay the same object. patterns/columns.tsx makes the usual ones. */
export type Columns<Row> = readonly Column<Row>[]

const features = tableFeatures({ columnMeta: metaHelper<Meta>() })

const ROW_PX = 37
/** Up to this many rows are all drawn, so that the browser's own search finds them. */
const DRAWN_MAX = 150

type Props<Row extends RowData> = {
  /** The content in words, for screen readers. */
  readonly label: string
  readonly columns: Columns<Row>
  readonly rows: readonly Row[]
  /** Default: the row's `id`. */
  readonly rowId?: ((row: Row) => string) | undefined
  /** Whether the first cell has a link of class `row-link`, which covers the row. */
  readonly leads?: boolean
  readonly onEnd?: () => void
  /** The column by which the rows are sorted, and the function that sorts them by another one. Without it the headings are plain text. */
  readonly sorting?: { readonly by: Sorting | null; readonly onSort: (header: string) => void } | undefined
}

const idOf = (row: object, index: number): string => String('id' in row ? row.id : index)

export function DataTable<Row extends object>({
  label,
  columns,
  rows,
  rowId,
  leads = false,
  onEnd,
  sorting,
}: Props<Row>) {
  const defined = useMemo(() => {
    const helper = createColumnHelper<typeof features, Row>()
    return columns.map(({ header, cell, align, visibleFrom }) =>
      helper.display({ id: header, header, cell: ({ row }) => cell(row.original), meta: { align, visibleFrom } }),
    )
  }, [columns])
  const table = useTable({ features, columns: defined, data: rows, getRowId: rowId ?? idOf })
  const top = useRef<HTMLTableSectionElement>(null)
  const all = table.getRowModel().rows
  const isVirtual = all.length > DRAWN_MAX
  const virtualizer = useWindowVirtualizer<HTMLTableRowElement>({
    count: all.length,
    enabled: isVirtual,
    estimateSize: () => ROW_PX,
    overscan: 10,
    scrollMargin: pageTop(top.current),
  })
  const items = virtualizer.getVirtualItems()
  const first = isVirtual ? (items[0]?.index ?? 0) : 0
  const last = isVirtual ? (items.at(-1)?.index ?? 0) : all.length - 1
  useEffect(() => {
    if (isVirtual && last >= all.length - 20) onEnd?.()
  }, [isVirtual, last, all.length, onEnd])
  const above = isVirtual ? (items[0]?.start ?? 0) - virtualizer.options.scrollMargin : 0
  const below = isVirtual
    ? virtualizer.getTotalSize() - ((items.at(-1)?.end ?? 0) - virtualizer.options.scrollMargin)
    : 0

  return (
    <ScrollArea
      type="auto"
      offsetScrollbars="present"
      viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': label }}
    >
      <Table highlightOnHover={leads} aria-label={label} aria-rowcount={isVirtual ? -1 : undefined}>
        <Table.Thead>
          {table.getHeaderGroups().map(group => (
            <Table.Tr key={group.id}>
              {group.headers.map(header => (
                <Table.Th
                  key={header.id}
                  {...shown(header.column.columnDef.meta)}
                  {...(sorting?.by?.header === header.id
                    ? { 'aria-sort': sorting.by.isDown ? 'descending' : 'ascending' }
                    : {})}
                >
                  {sorting && columns.some(column => column.header === header.id && column.says) ? (
                    <SortButton header={header.id} by={sorting.by} onSort={sorting.onSort} />
                  ) : (
                    <table.FlexRender header={header} />
                  )}
                </Table.Th>
              ))}
            </Table.Tr>
          ))}
        </Table.Thead>
        <Table.Tbody ref={top}>
          <Spacer px={above} />
          {all.slice(first, last + 1).map((row, index) => (
            <DrawnRow
              key={row.id}
              row={row}
              leads={leads}
              {...(isVirtual ? { index: first + index, measure: virtualizer.measureElement } : {})}
            />
          ))}
          <Spacer px={below} />
        </Table.Tbody>
      </Table>
    </ScrollArea>
  )
}

type TableSectionProps<Row extends RowData> = Pick<Props<Row>, 'columns' | 'rows' | 'leads' | 'rowId'> & {
  readonly title: string
  readonly aside?: ReactNode
  /** Said where there are no rows; without it the table then has its headings alone. */
  readonly whenEmpty?: ReactNode
}

export const TableSection = <Row extends object>({ title, aside, whenEmpty, ...table }: TableSectionProps<Row>) => (
  <Section title={title} aside={aside}>
    {whenEmpty !== undefined && table.rows.length === 0 ? (
      <Empty>{whenEmpty}</Empty>
    ) : (
      <DataTable label={title} {...table} />
    )}
  </Section>
)

type SortProps = { readonly header: string; readonly by: Sorting | null; readonly onSort: (header: string) => void }

const SortButton = ({ header, by, onSort }: SortProps) => (
  <UnstyledButton className="sort" fz="inherit" fw="inherit" onClick={() => onSort(header)}>
    {header}
    {by?.header === header && (by.isDown ? <TriangleDownIcon aria-hidden /> : <TriangleUpIcon aria-hidden />)}
  </UnstyledButton>
)

type DrawnProps<Row extends object> = {
  readonly row: TableRow<typeof features, Row>
  readonly leads: boolean
  readonly index?: number
  readonly measure?: (element: HTMLTableRowElement | null) => void
}

function Drawn<Row extends object>({ row, leads, index, measure }: DrawnProps<Row>) {
  return (
    <Table.Tr
      {...(leads ? { className: 'leads' } : {})}
      {...(index === undefined ? {} : { 'data-index': index })}
      {...(measure ? { ref: measure } : {})}
    >
      {row.getAllCells().map(cell => (
        <Table.Td key={cell.id} {...shown(cell.column.columnDef.meta)}>
          <div className="cell">
            <FlexRender cell={cell} />
          </div>
        </Table.Td>
      ))}
    </Table.Tr>
  )
}

/** A row is drawn again only for another record. Scrolling and further pages leave the others as they are. */
const DrawnRow = memo(
  Drawn,
  (one, other) =>
    one.row.original === other.row.original &&
    one.row.table.options.columns === other.row.table.options.columns &&
    one.index === other.index,
) as typeof Drawn

/** The distance of the table from the top of the page. */
const pageTop = (element: HTMLElement | null): number =>
  element === null ? 0 : element.getBoundingClientRect().top + window.scrollY

function shown({ align, visibleFrom }: Meta = {}) {
  return { ...(align ? { className: align } : {}), ...(visibleFrom ? { visibleFrom } : {}) }
}

function Spacer({ px }: { readonly px: number }) {
  return px > 0 ? <tr aria-hidden style={{ height: px }} /> : null
}

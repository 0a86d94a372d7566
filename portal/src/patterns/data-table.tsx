/** A table of records: its columns declared, its rows drawn only where they are seen once there are many. */
import { ScrollArea, Table } from '@mantine/core'
import {
  type ColumnDef,
  createColumnHelper,
  metaHelper,
  type RowData,
  tableFeatures,
  useTable,
} from '@tanstack/react-table'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef } from 'react'

type Meta = {
  /** Numbers stand to the right. */
  readonly align?: 'right'
  /** Left out on narrower screens. */
  readonly visibleFrom?: 'sm' | 'md' | 'lg'
}

const features = tableFeatures({ columnMeta: metaHelper<Meta>() })

// The type of a column's value is the column's own business.
// biome-ignore lint/suspicious/noExplicitAny: a list of columns has values of many types.
export type Columns<Row extends RowData> = ColumnDef<typeof features, Row, any>[]

/** Makes columns: keep what it makes outside of components, so that it stays the same. */
export const columnsOf = <Row extends RowData>() => createColumnHelper<typeof features, Row>()

const ROW_PX = 37
/** Fewer rows are all drawn, so that the browser's own search finds them. */
const DRAWN_MAX = 150

type Props<Row extends RowData> = {
  /** What the table shows, for screen readers. */
  readonly label: string
  readonly columns: Columns<Row>
  readonly rows: readonly Row[]
  /** Of a row; where the first cell has a link of class `row-link`, it reaches over the row. */
  readonly rowId?: (row: Row) => string
  readonly leads?: boolean
  /** Told when the last rows are drawn. */
  readonly onEnd?: () => void
}

export function DataTable<Row extends RowData>({ label, columns, rows, rowId, leads = false, onEnd }: Props<Row>) {
  const table = useTable({
    features,
    columns,
    data: rows,
    ...(rowId ? { getRowId: rowId } : {}),
  })
  const top = useRef<HTMLTableSectionElement>(null)
  const all = table.getRowModel().rows
  const isVirtual = all.length > DRAWN_MAX
  const virtualizer = useWindowVirtualizer<HTMLTableRowElement>({
    count: all.length,
    enabled: isVirtual,
    estimateSize: () => ROW_PX,
    overscan: 20,
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
    <ScrollArea type="auto" viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': label }}>
      <Table highlightOnHover={leads} aria-label={label} aria-rowcount={isVirtual ? -1 : undefined}>
        <Table.Thead>
          {table.getHeaderGroups().map(group => (
            <Table.Tr key={group.id}>
              {group.headers.map(header => (
                <Table.Th key={header.id} {...shown(header.column.columnDef.meta)}>
                  <table.FlexRender header={header} />
                </Table.Th>
              ))}
            </Table.Tr>
          ))}
        </Table.Thead>
        <Table.Tbody ref={top}>
          <Spacer px={above} />
          {all.slice(first, last + 1).map((row, index) => (
            <Table.Tr
              key={row.id}
              {...(leads ? { className: 'leads' } : {})}
              {...(isVirtual ? { 'data-index': first + index, ref: virtualizer.measureElement } : {})}
            >
              {row.getAllCells().map(cell => (
                <Table.Td key={cell.id} {...shown(cell.column.columnDef.meta)}>
                  <table.FlexRender cell={cell} />
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
          <Spacer px={below} />
        </Table.Tbody>
      </Table>
    </ScrollArea>
  )
}

/** How far below the page's top it begins: a table may stand anywhere in it. */
const pageTop = (element: HTMLElement | null): number =>
  element === null ? 0 : element.getBoundingClientRect().top + window.scrollY

function shown({ align, visibleFrom }: Meta = {}) {
  return { ...(align ? { className: align } : {}), ...(visibleFrom ? { visibleFrom } : {}) }
}

function Spacer({ px }: { readonly px: number }) {
  return px > 0 ? <tr aria-hidden style={{ height: px }} /> : null
}

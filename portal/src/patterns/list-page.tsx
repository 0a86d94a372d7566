/** A list: filters that stand in the address, pages behind a cursor, and words for every way in which there is nothing to show. */
import { Button, Group, Paper, Text } from '@mantine/core'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useCallback, useEffect, useMemo, useState } from 'react'
import { compare, type Decimal } from '../exact.ts'
import { countText } from '../format.tsx'
import { isShort, type ListQuery } from '../lists.ts'
import { CsvOfAll } from './csv.tsx'
import { type Column, type Columns, DataTable, type Sorting } from './data-table.tsx'
import { Empty } from './empty.tsx'
import { Failure } from './failure.tsx'
import { FilterBar, OrderButton } from './filter-bar.tsx'
import { usePlaceTitle } from './places.tsx'
import { Screen } from './screen.tsx'
import { Waiting } from './waiting.tsx'

export { Empty } from './empty.tsx'

/** With more rows only those that were read are sorted. */
const SORTED_MAX = 2_000

type RecordsProps<Row extends object> = {
  readonly title: string
  /** From `listQuery` (lists.ts). */
  readonly query: ListQuery<Row>
  readonly columns: Columns<Row>
  readonly rowId?: (row: Row) => string
  /** Whether the first column is a link of class `row-link`. */
  readonly leads?: boolean
  readonly filters?: ReactNode
  /** Clears all filters; undefined if none is set. */
  readonly onClear?: (() => void) | undefined
  /** The message of an empty list without filters. */
  readonly whenEmpty: ReactNode
  readonly whenNoMatch?: ReactNode
  /** Content above the table. It gets the shown rows. */
  readonly above?: ((rows: readonly Row[]) => ReactNode) | undefined
}

type PageProps<Row extends object> = RecordsProps<Row> & { readonly actions?: ReactNode }

export const ListPage = <Row extends object>({ actions, ...records }: PageProps<Row>) => (
  <Screen title={records.title} actions={actions}>
    <Records {...records} />
  </Screen>
)

/** Only the list, as a part of another screen. The filters of its route include `order`. */
export function Records<Row extends object>(props: RecordsProps<Row>) {
  const { title, query, columns, rowId, leads = true, filters, onClear, whenEmpty, above } = props
  const { whenNoMatch = 'Nothing matches these filters.' } = props
  const found = useInfiniteQuery(query)
  const { data, error, isPending, isStale, isFetching } = found
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage, refetch } = found
  const read = useMemo(() => data?.pages.flatMap(page => page.data) ?? [], [data])
  const { rows, sorting } = useSorted(columns, read)
  const more = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) fetchNextPage()
  }, [hasNextPage, isFetchingNextPage, fetchNextPage])
  // The first row of some pages need not be the first of all. So a sorted list is read on, as far as a page can show it.
  const isReadOn = sorting.by !== null && hasNextPage && read.length < SORTED_MAX
  useEffect(() => {
    if (isReadOn && !isFetchNextPageError) more()
  }, [isReadOn, isFetchNextPageError, more])
  const queries = useQueryClient()
  const isOld = isStale && !isFetching && !isShort(data)

  return (
    <>
      <FilterBar title={title} filters={filters} onClear={onClear}>
        {rows.length > 1 && <OrderButton order={query.order} />}
        {rows.length > 0 && <CsvOfAll title={title} columns={columns} pages={query.all} />}
      </FilterBar>
      {error && (
        <Failure
          error={error}
          title={`${title} could not be read`}
          onRetry={() => (isFetchNextPageError ? fetchNextPage() : refetch())}
        />
      )}
      {isPending && !error && <Waiting label={`Reading ${title}`} />}
      {rows.length > 0 && above?.(rows)}
      {data && (
        <Paper withBorder>
          {rows.length === 0 ? (
            <Empty>{onClear ? whenNoMatch : whenEmpty}</Empty>
          ) : (
            <DataTable label={title} {...{ columns, rows, rowId, leads, sorting }} onEnd={more} />
          )}
        </Paper>
      )}
      {rows.length > 0 && (
        <Group gap="sm">
          <Text size="sm" c="dimmed" role="status">
            {!hasNextPage
              ? `${countText(rows.length)} in all`
              : sorting.by === null
                ? `The first ${countText(rows.length)}`
                : `The first ${countText(rows.length)}, sorted among themselves`}
          </Text>
          {hasNextPage && (
            <Button variant="default" size="xs" loading={isFetchingNextPage} onClick={more}>
              Load more
            </Button>
          )}
          {isOld && (
            <Button variant="subtle" size="xs" onClick={() => queries.resetQueries({ queryKey: query.queryKey })}>
              Some of it may have changed: read again
            </Button>
          )}
        </Group>
      )}
    </>
  )
}

const words = new Intl.Collator(undefined, { numeric: true })

const byTexts = <Row,>({ isNumber = false }: Column<Row>, one: string, other: string): number =>
  isNumber ? compare(one as Decimal, other as Decimal) : words.compare(one, other)

/** The rows as they came until a heading is pressed: then by it, then the other way, then as they came. */
function useSorted<Row extends object>(columns: Columns<Row>, rows: readonly Row[]) {
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

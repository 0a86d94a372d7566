/** The list of a noun as a screen. Its filters are in the address, and the API takes them unchanged. */
import { type ComponentProps, type ReactNode, useMemo } from 'react'
import type { ExactApi } from '../exact.ts'
import { askedOf, type Filters } from '../filters.ts'
import { listQuery } from '../lists.ts'
import type { Noun } from '../noun.ts'
import { nouns } from '../nouns.ts'
import { useApi } from '../session.tsx'
import { ChosenBar, ChosenRows, chooseColumnOf } from './chosen.tsx'
import type { Columns } from './data-table.tsx'
import { FilterInputs, here, useFilters } from './filters.tsx'
import { PathLink } from './links.tsx'
import { ListPage } from './list-page.tsx'

type Rows<One, Row> = (
  api: ExactApi,
  records: readonly One[],
  options: { readonly signal: AbortSignal },
) => Promise<readonly Row[]>

/** Rows with more data than their records, and their columns. */
export const rowsWith = <One extends object, Row extends One>(rows: Rows<One, Row>, columns: Columns<Row>) =>
  // The list reads and shows the same rows, so the cast is safe.
  ({ rows, columns }) as unknown as { readonly rows: Rows<One, One>; readonly columns: Columns<One> }

type Props<One extends object, Has extends Filters> = Omit<
  ComponentProps<typeof ListPage<One>>,
  'title' | 'query' | 'onClear' | 'filters'
> & {
  readonly of: Noun<One, Has>
  /** From `rowsWith`. */
  readonly rows?: Rows<One, One> | undefined
  /** Steps with several records. The list then has boxes to choose them. */
  readonly many?: ((chosen: readonly One[]) => ReactNode) | undefined
}

export function ListOf<One extends object, Has extends Filters>(props: Props<One, Has>) {
  const { of: noun, rows, many: steps, actions, ...page } = props
  const { many, resource, filters, order } = noun
  const api = useApi()
  const { search, filter, onClear } = useFilters(here)
  const asked = { ...askedOf(filters, search), ...(order ? { order: search.order ?? order } : {}) }
  const query = listQuery([resource], asked, async (sought, options) => {
    const found = await noun.of(api).list(sought, options)
    return rows ? { ...found, data: [...(await rows(api, found.data, options))] } : found
  })
  const columns = useMemo(
    () => (steps ? [chooseColumnOf(noun), ...page.columns] : page.columns),
    [steps, noun, page.columns],
  )
  const list = (
    <ListPage<One>
      {...page}
      columns={columns}
      title={many}
      query={query}
      onClear={onClear}
      actions={
        <>
          {nouns.map(
            below =>
              below.list &&
              below.under === noun.list && (
                <PathLink key={below.kind} to={below.list}>
                  {below.many}
                </PathLink>
              ),
          )}
          {actions}
        </>
      }
      filters={Object.keys(filters).length > 0 && <FilterInputs of={filters} filter={filter} />}
      above={steps && (shown => <ChosenBar of={noun} shown={shown} steps={steps} />)}
    />
  )
  return steps ? <ChosenRows>{() => list}</ChosenRows> : list
}

/** The short variants, the documents that need them, and the supply that is on its way. */
import { Box, Select, Stack, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { createContext, Fragment, useContext, useMemo } from 'react'
import type { Decimal } from '../../exact.ts'
import { countText, dayText } from '../../format.tsx'
import { listQuery } from '../../lists.ts'
import { type Columns, column } from '../../patterns/columns.tsx'
import { PlaceFilter, useFilters, VariantFilter } from '../../patterns/filters.tsx'
import { type Goods, useGoods } from '../../patterns/goods.tsx'
import { LiesWhere } from '../../patterns/lies-where.tsx'
import { ButtonLink, DocumentLink, PathLink, VariantLink } from '../../patterns/links.tsx'
import { ListPage } from '../../patterns/list-page.tsx'
import { PlaceTitle } from '../../patterns/places.tsx'
import { Below, Small } from '../../patterns/small.tsx'
import { Quantity } from '../../patterns/units.tsx'
import type { Shortage as Row } from '../../records.ts'
import { useApi } from '../../session.tsx'
import { keyOf, type Proposal, Propose, useProposals } from './proposals.tsx'

const route = getRouteApi('/planner')

/** What is known beside a row: it is read for all rows at once. */
type Beside = { readonly proposals: ReadonlyMap<string, Proposal>; readonly goods: Goods | undefined }
const BesideRows = createContext<Beside>({ proposals: new Map(), goods: undefined })

function Then({ row }: { readonly row: Row }) {
  const { proposals, goods } = useContext(BesideRows)
  const proposal = proposals.get(keyOf(row))
  const { storage_place_id, short_quantity } = row
  return (
    <Stack gap={4} align="flex-start">
      {proposal && <Propose of={proposal} at={storage_place_id} />}
      {goods && <LiesWhere goods={goods} of={row} missing={short_quantity} at={storage_place_id} />}
    </Stack>
  )
}

type Entry = {
  readonly source_type: string
  readonly source_id: string
  readonly number: string
  readonly quantity: Decimal
  readonly at: string | null
}

/** What stands against each other: a wide screen shows each as a column, a phone below the title. */
const sides = [
  {
    ...{ title: 'Needed by', whenNone: 'no order: the minimum' },
    of: ({ demand }: Row): readonly Entry[] => demand.map(one => ({ ...one, at: one.needed_by })),
  },
  {
    ...{ title: 'On its way', whenNone: 'nothing' },
    of: ({ supply }: Row): readonly Entry[] => supply.map(one => ({ ...one, at: one.expected_by })),
  },
] as const

const entriesText = (entries: readonly Entry[]): string | null =>
  entries.map(({ number, quantity }) => `${number} ${quantity}`).join(', ') || null

/** The most entries in a row; the variant's page has all. */
const ENTRIES_MAX = 5

const columns: Columns<Row> = [
  column.shown('What', row => <What row={row} />, {
    says: ({ title, sku }) => [title, sku].filter(Boolean).join(' '),
  }),
  column.figure(
    'Short',
    row => (
      <>
        <Text span size="sm" fw={600}>
          <Quantity of={row.short_quantity} goods={row} />
        </Text>
        {row.minimum_stock !== null && (
          <Below>
            minimum <Quantity of={row.minimum_stock} goods={row} />
          </Below>
        )}
      </>
    ),
    { says: ({ short_quantity }) => short_quantity },
  ),
  column.quantity('On hand', ({ quantity }) => quantity, 'lg'),
  column.quantity('Expired', ({ expired_quantity }) => expired_quantity, 'lg'),
  column.quantity('Reserved', ({ reserved_quantity }) => reserved_quantity, 'lg'),
  column.quantity('Expected', ({ expected_quantity }) => expected_quantity, 'lg'),
  ...sides.map(side =>
    column.shown(side.title, (row: Row) => <Entries row={row} {...side} />, {
      visibleFrom: 'sm',
      says: row => entriesText(side.of(row)),
    }),
  ),
]

function What({ row }: { readonly row: Row }) {
  const { sku, storage_place_id } = row
  return (
    <Stack gap={2}>
      <VariantLink of={row} />
      <Small>
        {sku !== null && `${sku}, `}
        <PlaceTitle id={storage_place_id} />
      </Small>
      <Box hiddenFrom="sm">
        {sides.map((side, index) => (
          <Fragment key={side.title}>
            <Text size="xs" fw={500} mt={index * 4}>
              {side.title}
            </Text>
            <Entries row={row} {...side} />
          </Fragment>
        ))}
      </Box>
      <Then row={row} />
    </Stack>
  )
}

function Entries({ row, of, whenNone }: { readonly row: Row } & (typeof sides)[number]) {
  const entries = of(row)
  if (entries.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {whenNone}
      </Text>
    )
  return (
    <Stack gap={0}>
      {entries.slice(0, ENTRIES_MAX).map(({ source_type, source_id, number, quantity, at }) => (
        <Text key={`${source_type} ${source_id}`} size="sm" className="numbers">
          <DocumentLink inText kind={source_type} id={source_id}>
            {number}
          </DocumentLink>{' '}
          <Quantity of={quantity} goods={row} />
          {at !== null && (
            <Text span c="dimmed" size="xs">
              {' '}
              {dayText(at)}
            </Text>
          )}
        </Text>
      ))}
      {entries.length > ENTRIES_MAX && <Small>and {countText(entries.length - ENTRIES_MAX)} more</Small>}
    </Stack>
  )
}

export function Shortages() {
  const api = useApi()
  const { search, filter, onClear } = useFilters(route)
  const below = filter('below')
  const query = listQuery(['shortages'], { ...search, order: search.order ?? ('asc' as const) }, (paged, options) =>
    api.shortages.list(paged, options),
  )
  const { data } = useInfiniteQuery(query)
  const rows = data?.pages.flatMap(page => page.data) ?? []
  const proposals = useProposals(rows)
  const goods = useGoods(rows.map(({ item_variant_id }) => item_variant_id))
  const beside = useMemo(() => ({ proposals, goods }), [proposals, goods])
  return (
    <BesideRows value={beside}>
      <ListPage
        title="What is short"
        query={query}
        columns={columns}
        rowId={row => `${row.item_variant_id} ${row.storage_place_id}`}
        leads={false}
        onClear={onClear}
        whenEmpty={
          <>
            Nothing is short: what is there and has not expired, or is on its way, covers all demand.{' '}
            <PathLink inText to="/planner" search={{ below: 'minimum' }}>
              Is anything below its minimum?
            </PathLink>
          </>
        }
        actions={
          <>
            <ButtonLink to="/planner/replenishment">What to order and make</ButtonLink>
            <ButtonLink to="/planner/requirements">Can we make it?</ButtonLink>
          </>
        }
        filters={
          <>
            <Select
              label="Short is what is"
              allowDeselect={false}
              data={[
                { value: 'zero', label: 'below zero' },
                { value: 'minimum', label: 'below minimum' },
              ]}
              value={below.value ?? 'zero'}
              onChange={value => below.onChange(value === 'minimum' ? value : undefined)}
            />
            <PlaceFilter {...filter('storage_place_id')} />
            <VariantFilter label="Variant" {...filter('item_variant_id')} />
          </>
        }
      />
    </BesideRows>
  )
}

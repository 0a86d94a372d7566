/** What is short: who needs it, and what is on its way. */
import { Anchor, Box, Button, Select, Stack, Text } from '@mantine/core'
import type { Shortage } from '@millrace/client'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { Decimal, Exact } from '../../exact.ts'
import { countText, dayText, quantityText } from '../../format.tsx'
import { listQuery } from '../../lists.ts'
import { columnsOf } from '../../patterns/data-table.tsx'
import { type Document, DocumentLink } from '../../patterns/document-link.tsx'
import { ListPage } from '../../patterns/list-page.tsx'
import { PlaceInput } from '../../patterns/place-input.tsx'
import { usePlaceTitle } from '../../patterns/places.ts'
import { useSession } from '../../session.tsx'
import { VariantLink } from '../stock/variant-link.tsx'
import { VariantFilter } from './variant-filter.tsx'

const route = getRouteApi('/planner')

type Row = Exact<Shortage>
type Entry = {
  readonly kind: Document
  readonly id: string
  readonly number: string
  readonly quantity: Decimal
  readonly at: string | null
}

const demandOf = ({ demand }: Row): readonly Entry[] =>
  demand.map(({ source_type, source_id, number, quantity, needed_by }) => ({
    kind: source_type,
    id: source_id,
    number,
    quantity,
    at: needed_by,
  }))

const supplyOf = ({ supply }: Row): readonly Entry[] =>
  supply.map(({ source_type, source_id, number, quantity, expected_by }) => ({
    kind: source_type,
    id: source_id,
    number,
    quantity,
    at: expected_by,
  }))

/** More of them stand on the variant's page. */
const ENTRIES_MAX = 5

const column = columnsOf<Row>()
const columns = column.columns([
  column.accessor('title', { header: 'What', cell: ({ row: { original } }) => <What row={original} /> }),
  column.accessor('short_quantity', {
    header: 'Short',
    cell: ({ row: { original } }) => (
      <>
        <Text span size="sm" fw={600}>
          {quantityText(original.short_quantity)}
        </Text>
        {original.minimum_stock !== null && (
          <Text span size="xs" c="dimmed" display="block">
            minimum {quantityText(original.minimum_stock)}
          </Text>
        )}
      </>
    ),
    meta: { align: 'right' },
  }),
  ...(['quantity', 'reserved_quantity', 'expected_quantity'] as const).map(name =>
    column.accessor(name, {
      header: { quantity: 'On hand', reserved_quantity: 'Reserved', expected_quantity: 'Expected' }[name],
      cell: ({ getValue }) => quantityText(getValue()),
      meta: { align: 'right', visibleFrom: 'lg' },
    }),
  ),
  column.display({
    id: 'demand',
    header: 'Needed by',
    cell: ({ row: { original } }) => <Entries entries={demandOf(original)} whenNone="no order: the minimum" />,
    meta: { visibleFrom: 'sm' },
  }),
  column.display({
    id: 'supply',
    header: 'On its way',
    cell: ({ row: { original } }) => <Entries entries={supplyOf(original)} whenNone="nothing" />,
    meta: { visibleFrom: 'sm' },
  }),
])

function What({ row }: { readonly row: Row }) {
  const placeTitle = usePlaceTitle()
  return (
    <Stack gap={2}>
      <VariantLink {...row} />
      <Text size="xs" c="dimmed">
        {[row.sku, placeTitle(row.storage_place_id)].filter(text => text !== null).join(', ')}
      </Text>
      <Box hiddenFrom="sm">
        <Text size="xs" fw={500}>
          Needed by
        </Text>
        <Entries entries={demandOf(row)} whenNone="no order: the minimum" />
        <Text size="xs" fw={500} mt={4}>
          On its way
        </Text>
        <Entries entries={supplyOf(row)} whenNone="nothing" />
      </Box>
    </Stack>
  )
}

function Entries({ entries, whenNone }: { readonly entries: readonly Entry[]; readonly whenNone: string }) {
  if (entries.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {whenNone}
      </Text>
    )
  return (
    <Stack gap={0}>
      {entries.slice(0, ENTRIES_MAX).map(({ kind, id, number, quantity, at }) => (
        <Text key={`${kind} ${id}`} size="sm" className="numbers">
          <DocumentLink kind={kind} id={id}>
            {number}
          </DocumentLink>{' '}
          {quantityText(quantity)}
          {at !== null && (
            <Text span c="dimmed" size="xs">
              {' '}
              {dayText(at)}
            </Text>
          )}
        </Text>
      ))}
      {entries.length > ENTRIES_MAX && (
        <Text size="xs" c="dimmed">
          and {countText(entries.length - ENTRIES_MAX)} more
        </Text>
      )}
    </Stack>
  )
}

export function Shortages() {
  const { api } = useSession()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const set = (name: keyof typeof search) => (value: string | undefined) =>
    navigate({ search: before => ({ ...before, [name]: value }), replace: true })
  const { below, ...filters } = search
  const query = listQuery(['shortages'], search, ({ cursor, limit }, options) =>
    api.shortages.list({ ...filters, cursor, limit, below: below === 'minimum' ? 'minimum' : 'zero' }, options),
  )
  const isFiltered = Object.values(search).some(value => value !== undefined)
  return (
    <ListPage
      title="What is short"
      query={query}
      columns={columns}
      rowId={row => `${row.item_variant_id} ${row.storage_place_id}`}
      leads={false}
      onClear={isFiltered ? () => navigate({ search: {} }) : undefined}
      whenEmpty={
        <>
          Nothing is short: what is there or on its way covers all demand.{' '}
          <Anchor inherit renderRoot={props => <Link to="/planner" search={{ below: 'minimum' }} {...props} />}>
            Is anything below its minimum?
          </Anchor>
        </>
      }
      actions={
        <Button variant="default" renderRoot={props => <Link to="/planner/requirements" {...props} />}>
          Can we make it?
        </Button>
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
            value={below === undefined ? 'zero' : 'minimum'}
            onChange={value => set('below')(value === 'minimum' ? value : undefined)}
          />
          <PlaceInput
            label="Place"
            placeholder="Any"
            clearable
            value={search.storage_place_id ?? null}
            onChange={value => set('storage_place_id')(value ?? undefined)}
          />
          <VariantFilter label="Variant" value={search.item_variant_id} onChange={set('item_variant_id')} />
        </>
      }
    />
  )
}

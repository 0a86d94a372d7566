/** Picking with a phone: by place and sku, each batch named. The person ticks what is taken, then packs and ships it. */
import { Checkbox, Group, Paper, Stack, Text } from '@mantine/core'
import { useSessionStorage } from '@mantine/hooks'
import { getRouteApi } from '@tanstack/react-router'
import { sum } from '../../exact.ts'
import { countText, dayText } from '../../format.tsx'
import { DetailPage } from '../../patterns/detail-page.tsx'
import { Empty } from '../../patterns/empty.tsx'
import { usePlaceTitle } from '../../patterns/places.tsx'
import { ScanInput } from '../../patterns/scan-input.tsx'
import { batchIn, variantsIn } from '../../patterns/scans.ts'
import { Screen } from '../../patterns/screen.tsx'
import { Section } from '../../patterns/section.tsx'
import { Quantity } from '../../patterns/units.tsx'
import type { SalesOrder as Order, Scan } from '../../records.ts'
import { codesOf } from '../../search.ts'
import { useSession } from '../../session.tsx'
import { ManyOrders } from './many.tsx'
import { type PickRow, pickedOf, placeOf, readPicks } from './to-pick.ts'

const route = getRouteApi('/sales-orders/pick')

/** The picks from one place and batch, for all orders. */
type Taken = Pick<PickRow, 'item_variant_id' | 'title' | 'sku' | 'entry'> & { readonly of: readonly PickRow[] }

export function Picking() {
  const session = useSession()
  const { ids } = route.useSearch()
  return (
    <DetailPage
      kind="Pick"
      name={['sales-orders', 'picking', ids ?? '']}
      read={options => readPicks(session, codesOf(ids), options)}
    >
      {({ orders, rows }) => <Shown key={ids} ids={ids ?? ''} orders={orders} rows={rows} />}
    </DetailPage>
  )
}

type Props = { readonly ids: string; readonly orders: readonly Order[]; readonly rows: readonly PickRow[] }

function Shown({ ids, orders, rows }: Props) {
  const placeTitle = usePlaceTitle()
  // A phone may drop a page that it does not show, so the ticks are stored.
  const [ticked, setTicked] = useSessionStorage<readonly string[]>({
    key: `millrace.picked.${ids}`,
    defaultValue: [],
    getInitialValueInEffect: false,
  })
  const taken = takenOf(rows)
  const isTicked = ({ of }: Taken) => of.every(({ key }) => ticked.includes(key))
  const tick = ({ of }: Taken, is: boolean) => {
    const keys = of.map(({ key }) => key)
    setTicked(before => [...before.filter(key => !keys.includes(key)), ...(is ? keys : [])])
  }
  const there = taken.filter(({ entry }) => entry !== null)
  const onScan = (scan: Scan): string | null => {
    const variants = variantsIn(scan)
    const meant = there.filter(({ item_variant_id: id }) => id !== null && variants.includes(id))
    const [first] = meant
    if (first === undefined) return 'Nothing of this is to be picked'
    const { number, id } = batchIn(scan, first.item_variant_id ?? '')
    const ofBatch = number === '' ? meant : meant.filter(({ entry }) => entry?.batch_id === id)
    if (ofBatch.length === 0) return `It is picked from ${meant.map(({ entry }) => entry?.batch_number).join(', ')}`
    const next = ofBatch.find(one => !isTicked(one))
    if (next === undefined) return `${first.title} is picked already`
    tick(next, true)
    return null
  }
  const picked = pickedOf(rows, ({ key, entry }) => entry !== null && ticked.includes(key))
  const places = [...Map.groupBy(taken, ({ of: [row] }) => (row ? placeOf(row, placeTitle) : ''))]
  const title = orders.length === 1 ? `Pick ${orders[0]?.number}` : `Pick ${countText(orders.length)} orders`
  return (
    <Screen title={title}>
      {there.length > 0 && <ScanInput onScan={onScan} isSeries />}
      {taken.length === 0 && <Empty>Nothing is left to pick of what was chosen.</Empty>}
      {places
        .toSorted(([one], [other]) => Number(one === '–') - Number(other === '–') || one.localeCompare(other))
        .map(([place, all]) => (
          <Section key={place} title={place === '–' ? 'Not kept in stock' : place}>
            <Stack p="sm" gap="md">
              {all.toSorted(bySku).map(one => (
                <Line key={one.of[0]?.key} taken={one} isTicked={isTicked(one)} onTick={is => tick(one, is)} />
              ))}
            </Stack>
          </Section>
        ))}
      <Paper withBorder p="xs" className="foot">
        <Group gap="xs">
          <ManyOrders orders={orders} picked={picked} />
          <Text size="sm" role="status">
            {countText(there.filter(isTicked).length)} of {countText(there.length)} picked
          </Text>
        </Group>
      </Paper>
    </Screen>
  )
}

const bySku = (one: Taken, other: Taken): number =>
  (one.sku ?? '').localeCompare(other.sku ?? '') || one.title.localeCompare(other.title)

/** A kit is picked by its components. */
const takenOf = (rows: readonly PickRow[]): readonly Taken[] =>
  [
    ...Map.groupBy(
      rows.filter(({ is }) => is !== 'KIT'),
      ({ key, item_variant_id, entry, line }) =>
        item_variant_id === null
          ? key
          : [item_variant_id, line.storage_place_id, entry === null ? 'none' : entry?.id].join(' '),
    ).values(),
  ].flatMap(of =>
    of.slice(0, 1).map(({ item_variant_id, title, sku, entry }) => ({ item_variant_id, title, sku, entry, of })),
  )

type LineProps = { readonly taken: Taken; readonly isTicked: boolean; readonly onTick: (is: boolean) => void }

function Line({ taken, isTicked, onTick }: LineProps) {
  const { title, sku, entry, of } = taken
  const what = (
    <span className="address">
      <Quantity of={sum(of.map(({ quantity }) => quantity))} goods={taken} /> × {title}
    </span>
  )
  const below = [
    sku,
    entry?.batch_number && `batch ${entry.batch_number}`,
    entry?.expiry_date && `to ${dayText(entry.expiry_date)}`,
    `for ${[...new Set(of.map(row => (row.is === 'PART' ? `${row.order.number} (${row.line.title})` : row.order.number)))].join(', ')}`,
  ]
  const small = (
    <Text span size="xs" c="dimmed" className="address">
      {below.filter(Boolean).join(' · ')}
    </Text>
  )
  return entry === null ? (
    <div>
      <Text c="var(--mantine-color-error)">Not there: {what}</Text>
      {small}
    </div>
  ) : (
    <Checkbox
      size="lg"
      label={what}
      description={small}
      checked={isTicked}
      onChange={event => onTick(event.currentTarget.checked)}
    />
  )
}

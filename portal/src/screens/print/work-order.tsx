/** A manufacturing order for the workshop: the materials with their batches, the tasks, and the output. */
import { getRouteApi } from '@tanstack/react-router'
import { type Decimal, isPositive, isZero, minus, negated, sum } from '../../exact.ts'
import { dayText, quantityText, words } from '../../format.tsx'
import { readBatches } from '../../patterns/batches.tsx'
import { DetailPage } from '../../patterns/detail-page.tsx'
import { picksOf, readEntries } from '../../patterns/picks.ts'
import { usePlaceTitle } from '../../patterns/places.tsx'
import { variantTitle } from '../../patterns/titles.ts'
import { useUnits, withUnit } from '../../patterns/units.tsx'
import type { ManufacturingOrder as Order } from '../../records.ts'
import { useSession } from '../../session.tsx'
import { type Movement, readMovements, readTasks, type Task } from '../manufacturing/reads.ts'
import { figures, type PrintColumn, PrintTable, quantities, Sheet, Tick, Titled } from './sheet.tsx'

const route = getRouteApi('/print/work-orders/$id')

/** What is to be taken, or was taken, of one batch. */
type Material = {
  readonly key: string
  readonly item_variant_id: string
  readonly title: string
  readonly sku: string | null
  readonly batch: string
  readonly expires: string | null
  readonly quantity: Decimal
}

const materialColumns: readonly PrintColumn<Material>[] = [
  { header: 'What', cell: ({ title, sku }) => <Titled title={title} below={[sku]} /> },
  {
    header: 'Batch',
    cell: ({ batch, expires }) => <Titled title={batch} below={[expires && `to ${dayText(expires)}`]} />,
  },
  quantities,
]

const toTake: readonly PrintColumn<Material>[] = [...materialColumns, { header: 'Taken', cell: () => <Tick /> }]

const taskColumns: readonly PrintColumn<Task>[] = [
  { header: 'Step', cell: ({ operation_title, notes }) => <Titled title={operation_title} below={[notes]} /> },
  figures('Planned hours', ({ planned_duration }) => quantityText(planned_duration)),
  figures('Actual hours', ({ actual_duration }) => (actual_duration === null ? '' : quantityText(actual_duration))),
  { header: 'Done', cell: ({ status }) => (status === 'DONE' ? words(status) : <Tick />) },
]

export function WorkOrder() {
  const session = useSession()
  const { api, can } = session
  const { id } = route.useParams()
  return (
    <DetailPage
      kind="Work order"
      name={['manufacturing-orders', 'work-order', id]}
      read={async options => {
        const order = await api.manufacturingOrders.get(id, options)
        const isToStart = order.status === 'NOT_STARTED'
        const wanted = wantedOf(order).map(line => line.item_variant_id)
        const [tasks, entries, movements] = await Promise.all([
          readTasks(api, id, options),
          isToStart && can('read:stock') ? readEntries(api, wanted, options) : null,
          !isToStart && can('read:stock') ? readMovements(api, id, options) : null,
        ])
        const ids = movements?.map(({ batch_id }) => batch_id) ?? []
        const batches = await readBatches(session, ids)
        const materials = entries
          ? plannedOf(order, entries)
          : movements
            ? takenOf(order, movements, batches)
            : linesOf(order)
        return { order, tasks, materials }
      }}
    >
      {record => <Shown {...record} />}
    </DetailPage>
  )
}

const wantedOf = (order: Order) =>
  order.items
    .map(item => ({
      ...item,
      storage_place_id: order.manufacturing_location_id,
      left: minus(item.quantity, item.actual_quantity),
    }))
    .filter(({ left }) => isPositive(left))

/** For a key that may not read stock: the lines without their batches. */
const linesOf = ({ items }: Order): readonly Material[] =>
  items.map(item => ({ ...item, key: item.id, batch: '–', expires: null }))

/** What a start would take of the present stock. */
function plannedOf(order: Order, entries: Parameters<typeof picksOf>[1]): readonly Material[] {
  const lines = new Map(order.items.map(item => [item.id, item]))
  return picksOf(wantedOf(order), entries).map(({ id, entry, quantity }, index) => ({
    ...named(lines.get(id)),
    key: `${index}`,
    batch: entry === null ? 'Not there' : (entry.batch_number ?? '–'),
    expires: entry?.expiry_date ?? null,
    quantity,
  }))
}

const named = (line: Order['items'][number] | undefined) => ({
  ...{ item_variant_id: line?.item_variant_id ?? '', title: line?.title ?? '', sku: line?.sku ?? null },
})

/** What was taken and did not come back, by variant and batch. */
function takenOf({ items }: Order, movements: readonly Movement[], batches: ReadonlyMap<string, string>) {
  const lines = new Map(items.map(item => [item.item_variant_id, item]))
  const isMaterial = ({ kind }: Movement) => kind === 'MANUFACTURING_WRITE_OFF' || kind === 'MANUFACTURING_RETURN'
  const groups = Map.groupBy(movements.filter(isMaterial), row => `${row.item_variant_id} ${row.batch_id}`)
  return [...groups].flatMap(([key, moved]) => {
    const quantity = negated(sum(moved.map(movement => movement.quantity)))
    const [first] = moved
    const line = named(lines.get(first?.item_variant_id ?? ''))
    const batch = first?.batch_id == null ? '–' : (batches.get(first.batch_id) ?? first.batch_id)
    return isZero(quantity) ? [] : [{ ...line, key, batch, expires: null, quantity }]
  })
}

type Props = { readonly order: Order; readonly tasks: readonly Task[]; readonly materials: readonly Material[] }

function Shown({ order, tasks, materials }: Props) {
  const placeTitle = usePlaceTitle()
  const isToStart = order.status === 'NOT_STARTED'
  const unit = useUnits([order.item_variant.id])(order.item_variant.id)
  const { output_expiry_date: expires } = order
  return (
    <Sheet
      kind="Work order"
      number={order.number}
      back={`/manufacturing-orders/${order.id}`}
      warning={order.status === 'BLOCKED' ? `Blocked: ${order.block_reason ?? 'no reason was given'}` : undefined}
      facts={[
        ['Makes', [variantTitle(order.item_variant), order.item_variant.sku].filter(Boolean).join('\n')],
        ['Planned', withUnit(order.quantity, unit)],
        ['Produced', withUnit(order.released_quantity, unit)],
        ['Made at', placeTitle(order.manufacturing_location_id)],
        ['Starts', order.planned_start_date && dayText(order.planned_start_date)],
        ['Due', order.production_date && dayText(order.production_date)],
        ['Output batch', order.output_batch_number],
        ['Output expires', expires && dayText(expires)],
        ['Notes', order.notes],
      ]}
    >
      {materials.length > 0 && (
        <PrintTable
          title={isToStart ? 'Materials to take' : 'Materials taken'}
          columns={isToStart ? toTake : materialColumns}
          rows={materials}
        />
      )}
      {tasks.length > 0 && (
        <PrintTable title="Steps" columns={taskColumns} rows={tasks.map(task => ({ ...task, key: task.id }))} />
      )}
      <PrintTable
        title="Output"
        columns={['Good', 'Into quarantine', 'Batch', 'Date and name'].map(header => ({ header, cell: Blank }))}
        rows={[{ key: 'output' }]}
      />
    </Sheet>
  )
}

/** Space to write by hand. */
const Blank = () => <div className="blank" />

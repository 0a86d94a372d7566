/** The costs of a manufacturing order in every step of it: what was planned, and what is booked so far or in the end. */
import { Table } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { cost, type Decimal, isZero, negated, perOne, share, sum } from '../../exact.ts'
import { Amount, Cost } from '../../patterns/columns.tsx'
import { rowsOf } from '../../patterns/groups.ts'
import { Section } from '../../patterns/section.tsx'
import { Small } from '../../patterns/small.tsx'
import type { ManufacturingOrder as Order } from '../../records.ts'
import { useSession } from '../../session.tsx'
import type { Movement, Task } from './reads.ts'

const PAGE_ROWS = 200
const PER_UNIT = 'Per unit'

type Props = {
  readonly order: Order
  readonly tasks: readonly Task[] | undefined
  /** Undefined: not loaded yet. */
  readonly movements: readonly Movement[] | undefined
}

export function Costs({ order, tasks, movements }: Props) {
  const { currency, materials_cost, operations_cost, total_cost, ...actual } = order.actual_cost
  const isStarted = order.status !== 'NOT_STARTED'
  const materials = usePlannedMaterials(order, isStarted ? movements : [])
  const operations = tasks === undefined ? null : sum(tasks.map(({ planned_cost }) => planned_cost))
  const total = materials === null || operations === null ? null : sum([materials, operations])
  const rows = [
    ['Materials', materials, materials_cost],
    ['Operations', operations, operations_cost],
    ['Total', total, total_cost],
    ['In work', null, actual.wip_cost],
    ['Gone with the output', null, actual.posted_cost],
    [PER_UNIT, total && perOne(total, order.quantity), actual.unit_cost],
  ] as const
  return (
    <Section title="Costs">
      <Table aria-label="Costs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>What</Table.Th>
            <Table.Th className="right">Planned</Table.Th>
            <Table.Th className="right">{actual.is_final ? 'Final' : 'So far'}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(([name, planned, booked]) => (
            <Table.Tr key={name} {...(name === 'Total' ? { fw: 600 } : {})}>
              <Table.Td>{name}</Table.Td>
              {[planned, isStarted ? booked : null].map((value, at) => (
                <Table.Td key={at === 0 ? 'planned' : 'booked'} className="right">
                  {name === PER_UNIT ? <Cost of={value} /> : <Amount of={value} currency={currency} />}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Small p="sm">
        Planned: the quantities of the order, at what each material cost when it was taken, else at what the stock costs
        now.{' '}
        {!isStarted
          ? 'Nothing is booked before the start.'
          : actual.is_final
            ? 'Final: nothing more will be booked.'
            : 'So far: what was taken, and operations by planned hours until actual ones are reported.'}
      </Small>
    </Section>
  )
}

/**
 * The cost of the planned quantities; null if it is unknown for any of them.
 * @param movements undefined: not loaded yet.
 */
function usePlannedMaterials(order: Order, movements: readonly Movement[] | undefined): Decimal | null {
  const { api, can } = useSession()
  const { items, manufacturing_location_id } = order
  const taken = Map.groupBy(
    (movements ?? []).filter(({ kind }) => kind !== 'MANUFACTURING_OUTPUT'),
    ({ item_variant_id }) => item_variant_id,
  )
  const quantityOf = (id: string) => sum((taken.get(id) ?? []).map(({ quantity }) => quantity))
  const ids = [...new Set(items.map(({ item_variant_id }) => item_variant_id))].filter(id => isZero(quantityOf(id)))
  const { data } = useQuery({
    queryKey: ['availability', 'costs', manufacturing_location_id, ...ids],
    queryFn: async ({ signal }) => {
      const at = { storage_place_id: manufacturing_location_id, limit: PAGE_ROWS }
      const rows = await rowsOf(ids, item_variant_id => api.availability.list({ ...at, item_variant_id }, { signal }))
      return new Map(rows.map(row => [row.item_variant_id, row.average_cost]))
    },
    enabled: movements !== undefined && ids.length > 0 && can('read:stock'),
  })
  if (movements === undefined || !can('read:stock')) return null
  const costs = items.map(({ item_variant_id: id, quantity }) => {
    const whole = quantityOf(id)
    if (isZero(whole)) return data?.get(id) == null ? null : cost(quantity, data.get(id) as Decimal)
    const value = sum((taken.get(id) ?? []).map(movement => movement.value))
    return share(negated(value), { part: quantity, whole: negated(whole) })
  })
  return costs.includes(null) ? null : sum(costs.filter(value => value !== null))
}

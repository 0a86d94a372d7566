/** The costs of a manufacturing order, planned and actual. */
import { Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { cost, type Decimal, sum } from '../../exact.ts'
import { moneyText } from '../../format.tsx'
import { rowsOf } from '../../patterns/groups.ts'
import { Section } from '../../patterns/section.tsx'
import type { ManufacturingOrder as Order } from '../../records.ts'
import { useSession } from '../../session.tsx'
import type { Task } from './reads.ts'

const PAGE_ROWS = 200

export function Costs({ order, tasks }: { readonly order: Order; readonly tasks: readonly Task[] | undefined }) {
  const { currency, materials_cost, operations_cost, total_cost, ...actual } = order.actual_cost
  const isPlanned = order.status === 'NOT_STARTED'
  const materials = usePlannedMaterials(order, isPlanned)
  const operations = tasks === undefined ? null : sum(tasks.map(({ planned_cost }) => planned_cost))
  const text = (value: Decimal | null) => (value === null ? '–' : moneyText(value, currency))
  const rows = [
    ['Materials', materials, materials_cost],
    ['Operations', operations, operations_cost],
    ['Total', materials === null || operations === null ? null : sum([materials, operations]), total_cost],
    ['In work', null, actual.wip_cost],
    ['Gone with the output', null, actual.posted_cost],
    ['Per unit made', null, actual.unit_cost],
  ] as const
  return (
    <Section title="Costs">
      <Table aria-label="Costs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>What</Table.Th>
            <Table.Th className="right">Planned</Table.Th>
            <Table.Th className="right">Actual</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(([name, planned, booked]) => (
            <Table.Tr key={name} {...(name === 'Total' ? { fw: 600 } : {})}>
              <Table.Td>{name}</Table.Td>
              <Table.Td className="right">{text(planned)}</Table.Td>
              <Table.Td className="right">{text(booked)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Text size="xs" c="dimmed" p="sm">
        {isPlanned
          ? 'Materials are planned at what the stock costs on average now; the start books what they cost then.'
          : actual.is_final
            ? 'Nothing more will be booked.'
            : 'Operations count by planned hours until actual ones are reported.'}
      </Text>
    </Section>
  )
}

/** What the materials would cost now; null where that is not known of each. */
function usePlannedMaterials({ items, manufacturing_location_id }: Order, isPlanned: boolean): Decimal | null {
  const { api, can } = useSession()
  const ids = [...new Set(items.map(({ item_variant_id }) => item_variant_id))]
  const { data } = useQuery({
    queryKey: ['availability', 'costs', manufacturing_location_id, ...ids],
    queryFn: async ({ signal }) => {
      const at = { storage_place_id: manufacturing_location_id, limit: PAGE_ROWS }
      const rows = await rowsOf(ids, item_variant_id => api.availability.list({ ...at, item_variant_id }, { signal }))
      return new Map(rows.map(row => [row.item_variant_id, row.average_cost]))
    },
    enabled: isPlanned && can('read:stock'),
  })
  if (!isPlanned || data === undefined) return null
  const costs = items.map(({ item_variant_id, quantity }) => {
    const each = data.get(item_variant_id)
    return each == null ? null : cost(quantity, each)
  })
  return costs.includes(null) ? null : sum(costs.filter(value => value !== null))
}

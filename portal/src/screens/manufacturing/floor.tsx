/** The shop floor: the orders to make with their tasks, each with buttons for the work. */
import { Group, List, SimpleGrid, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { compare, minus } from '../../exact.ts'
import { dayText, quantityText, Status } from '../../format.tsx'
import { Empty } from '../../patterns/empty.tsx'
import { Failure } from '../../patterns/failure.tsx'
import { FilterBar } from '../../patterns/filter-bar.tsx'
import { RecordFilter, useFilters } from '../../patterns/filters.tsx'
import { DocumentLink } from '../../patterns/links.tsx'
import { Screen } from '../../patterns/screen.tsx'
import { Section } from '../../patterns/section.tsx'
import { variantTitle } from '../../patterns/titles.ts'
import { Quantity } from '../../patterns/units.tsx'
import { Waiting } from '../../patterns/waiting.tsx'
import type { ManufacturingOrder as Order, ProductionTask } from '../../records.ts'
import { useApi } from '../../session.tsx'
import { useOperations } from '../recipes/operation-steps.tsx'
import { TASK_STATUSES } from './nouns.ts'
import { Work } from './work.tsx'

const route = getRouteApi('/shop-floor')

const ROWS_MAX = 1_000
const TO_DO = TASK_STATUSES.filter(status => status !== 'DONE')

/** Orders in work come first, then those that are due first. */
const RANKS: readonly Order['status'][] = ['IN_PROGRESS', 'PARTIALLY_DONE', 'BLOCKED', 'NOT_STARTED']
const rankOf = ({ status }: Order): number => RANKS.indexOf(status)
const dueOf = ({ planned_start_date, production_date }: Order) => planned_start_date ?? production_date ?? '9'
const byTurn = ([one]: Job, [other]: Job): number =>
  rankOf(one) - rankOf(other) || compare(other.priority, one.priority) || dueOf(one).localeCompare(dueOf(other))

type Job = readonly [order: Order, tasks: readonly ProductionTask[]]

export function Floor() {
  const api = useApi()
  const { search, filter, onClear } = useFilters(route)
  const { operation_id } = search
  const { data, error, refetch } = useQuery({
    queryKey: ['production-tasks', 'floor', operation_id ?? ''],
    queryFn: async ({ signal }) => {
      const [orders, tasks] = await Promise.all([
        api.manufacturingOrders.list({ status: RANKS, limit: 200 }, { signal }).toArray({ max: ROWS_MAX }),
        api.productionTasks.list({ status: TO_DO, operation_id, limit: 200 }, { signal }).toArray({ max: ROWS_MAX }),
      ])
      const byOrder = Map.groupBy(tasks, task => task.manufacturing_order_id)
      return orders
        .map((order): Job => [order, byOrder.get(order.id) ?? []])
        .filter(([, { length }]) => length > 0 || operation_id === undefined)
        .toSorted(byTurn)
    },
  })
  return (
    <Screen title="Shop floor">
      <FilterBar
        title="Shop floor"
        filters={<RecordFilter label="Operation" of={useOperations()} {...filter('operation_id')} />}
        onClear={onClear}
      >
        {null}
      </FilterBar>
      {error ? (
        <Failure error={error} onRetry={() => refetch()} />
      ) : data === undefined ? (
        <Waiting label="Reading what is to be made" />
      ) : data.length === 0 ? (
        <Empty>No work waits here: manufacturing orders show here until they are done.</Empty>
      ) : (
        <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
          {data.map(([order, tasks]) => (
            <Section key={order.id} title={order.number} aside={<Status code={order.status} />}>
              <Card order={order} tasks={tasks} />
            </Section>
          ))}
        </SimpleGrid>
      )}
    </Screen>
  )
}

function Card({ order, tasks }: { readonly order: Order; readonly tasks: readonly ProductionTask[] }) {
  const { id, item_variant, production_date: due, notes, block_reason } = order
  const facts = [due && `due ${dayText(due)}`, notes, order.status === 'BLOCKED' && block_reason]
  return (
    <Group p="sm" pt={4} gap="xs">
      <div style={{ flexBasis: '100%' }}>
        <Quantity of={minus(order.quantity, order.released_quantity)} goods={order} /> ×{' '}
        <DocumentLink kind="MANUFACTURING_ORDER" id={id} className="address">
          {variantTitle(item_variant)}
        </DocumentLink>
        <List size="sm">
          {tasks.map(task => (
            <List.Item key={task.id}>
              {task.operation_title}, {quantityText(task.planned_duration)} h
            </List.Item>
          ))}
        </List>
        <Text size="sm" c="dimmed" className="address">
          {facts.filter(Boolean).join(' · ')}
        </Text>
      </div>
      <Work order={order} tasks={tasks} isOnFloor />
    </Group>
  )
}

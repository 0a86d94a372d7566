/** Pages of the tasks of all orders, order by order. Task ids ascend in this order. */

import * as v from 'valibot'
import type { Row } from '../../../kit/api/endpoint.ts'
import { optional, shape, someIds, someOf, valuesOf } from '../../../kit/api/fields.ts'
import { type Beginning, direction } from '../../../kit/api/page-order.ts'
import { SORTED_MAX } from '../../../kit/api/page-ways.ts'
import { arrayOf, ofEach, same, wantedIn } from '../../../kit/api/same.ts'
import { documentJson } from '../../../kit/documents/render.ts'
import { type Connection, type Fragment, fixedFragment, rows, sql } from '../../../platform/postgres/postgres.ts'
import { readFromRows } from '../../../platform/postgres/read-from-rows.ts'
import { orderStatuses, ProductionTask, taskStatuses } from './noun.ts'

export const TaskFilters = shape({
  id: optional(someIds()),
  status: optional(someOf(taskStatuses)),
  operation_id: optional(someIds()),
  manufacturing_order_id: optional(someIds()),
})
type TaskFilters = v.InferOutput<typeof TaskFilters>
type Statuses = NonNullable<TaskFilters['status']>

type Page = Beginning & {
  readonly tenantId: string
  readonly filters: TaskFilters
  readonly limit: number
}

/** Positions are `order_task`. */
export async function listAllTasks(connection: Connection, page: Page): Promise<readonly Row[]> {
  const { tenantId, order, limit } = page
  const way = direction(order)
  return connection.any(rows(v.object({ id: v.string(), document: v.string() }))`
    select concat(o.id, '_', k.id) as id, ${fixedFragment(documentJson(ProductionTask, 'k'))} as document
    from (
      select * from ${tasks(page)} found order by found.order_id ${way}, found.id ${way} limit ${limit}
    ) page
    cross join lateral (
      select * from manufacturing_order_tasks
      where tenant_id = ${tenantId}::bigint and manufacturing_order_id = page.order_id and id = page.id
      limit 1
    ) k
    cross join lateral (select * from manufacturing_orders where tenant_id = ${tenantId}::bigint and id = page.order_id limit 1) o
    order by o.id ${way}, k.id ${way}
  `)
}

/**
 * The tasks after the page's position, through one index. Few orders are in work compared with those that are done. So the index by status
 * leads, unless the page includes done tasks, or the operation has few tasks.
 */
function tasks(page: Page): Fragment {
  const { filters } = page
  const { id: ids, status, operation_id: operations, manufacturing_order_id: orders } = filters
  const statuses = status && ordersIn(status)
  const ofStatus = sql.fragment`and case when ${arrayOf(statuses, 'text')} is null then true else (
    select status from manufacturing_orders where tenant_id = r.tenant_id and id = r.manufacturing_order_id limit 1
  ) = any (${arrayOf(statuses, 'text')}) end`
  const isOf = (column: string, values: readonly string[] | undefined) =>
    sql.fragment`and ${same({ leaves: 'many', type: 'int8' }, column, values).conditionIfGiven}`
  const ofOperation = isOf('operation_id', operations)
  const each = (values: readonly string[], column: string, rest: Fragment) =>
    sql.fragment`(select r.* from ${ofEach(arrayOf(values, 'int8'), fenced(page, wantedIn({ column }), rest))})`
  if (ids)
    return tasksById(page, ids, sql.fragment`${isOf('manufacturing_order_id', orders)} ${ofOperation} ${ofStatus}`)
  if (orders) return each(orders, 'manufacturing_order_id', sql.fragment`${ofOperation} ${ofStatus}`)
  if (operations === undefined)
    return status
      ? tasksByStatus(page, status, sql.fragment``)
      : sql.fragment`(${fenced(page, sql.fragment``, sql.fragment``)})`
  const byOperation = each(operations, 'operation_id', ofStatus)
  if (status === undefined || status.includes('DONE')) return byOperation
  const oneOf = (found: Fragment, isIt: Fragment) => sql.fragment`(
    select * from ${found} found where ${isIt}
    order by found.order_id ${direction(page.order)}, found.id ${direction(page.order)} limit ${page.limit}
  )`
  return sql.fragment`(
    with recent as materialized (
      select from ${ofEach(
        arrayOf(operations, 'int8'),
        sql.fragment`
          select from manufacturing_order_tasks r
          where r.tenant_id = ${page.tenantId}::bigint ${wantedIn({ column: 'operation_id' })}
          limit ${SORTED_MAX + 1}`,
      )}
      limit ${SORTED_MAX + 1}
    ), few as materialized (
      select count(*) <= ${SORTED_MAX} as few from recent
    )
    ${oneOf(byOperation, sql.fragment`(select few from few)`)}
    union all
    ${oneOf(tasksByStatus(page, status, ofOperation), sql.fragment`not (select few from few)`)}
  )`
}

/** A page of tasks in the order of an index. Other conditions stay outside, so that the planner cannot choose another index for them. */
function fenced(page: Page, leading: Fragment, rest: Fragment): Fragment {
  const { tenantId, order } = page
  const way = direction(order)
  return sql.fragment`
    select r.manufacturing_order_id as order_id, r.id from (
      select * from manufacturing_order_tasks r
      where r.tenant_id = ${tenantId}::bigint and ${behind('r', page)} ${leading}
      order by r.manufacturing_order_id ${way}, r.id ${way} offset 0
    ) r
    where true ${rest}
    order by r.manufacturing_order_id ${way}, r.id ${way} limit ${page.limit}`
}

const tasksById = (page: Page, ids: readonly string[], rest: Fragment): Fragment => sql.fragment`(
  select r.manufacturing_order_id as order_id, r.id from ${ofEach(
    arrayOf(ids, 'int8'),
    sql.fragment`
      select * from manufacturing_order_tasks r
      where r.tenant_id = ${page.tenantId}::bigint ${wantedIn({ column: 'id' })} and ${readFromRows('r')}
      limit 1`,
  )}
  where ${behind('r', page)} ${rest}
)`

/** The tasks of the orders of each status, merged by order id. */
function tasksByStatus(page: Page, status: Statuses, rest: Fragment): Fragment {
  const { tenantId, order } = page
  const way = direction(order)
  const wanted = arrayOf(ordersIn(status), 'text')
  const [afterOrder] = page.after?.split('_') ?? []
  // The first and the last order that have tasks: many orders may have none.
  const outermost = (way: Fragment) => sql.fragment`(
    select manufacturing_order_id from manufacturing_order_tasks
    where tenant_id = ${tenantId}::bigint order by manufacturing_order_id ${way}, id ${way} limit 1
  )`
  const first = sql.fragment`coalesce(${afterOrder ?? null}::bigint, ${outermost(way)})`
  const last = outermost(direction(order === 'asc' ? 'desc' : 'asc'))
  const [from, to] = order === 'asc' ? [first, last] : [last, first]
  const orders = valuesOf(orderStatuses)
    .map(
      each => sql.fragment`(
        select id from manufacturing_orders
        where tenant_id = ${tenantId}::bigint and status = ${fixedFragment(`'${each}'`)} and ${fixedFragment(`'${each}'`)} = any (${wanted})
          and id between ${from} and ${to}
        order by id ${way} offset 0
      )`,
    )
    .reduce((all, one) => sql.fragment`${all} union all ${one}`)
  return sql.fragment`(
    select orders.id as order_id, r.id
    from (select id from (${orders}) every order by id ${way} offset 0) orders
    cross join lateral (
      select * from manufacturing_order_tasks r
      where r.tenant_id = ${tenantId}::bigint and r.manufacturing_order_id = orders.id and ${behind('r', page)}
      order by r.id ${way} offset 0
    ) r
    where true ${rest}
  )`
}

/** The statuses of the orders whose tasks have one of these statuses. */
const ordersIn = (status: Statuses): readonly string[] =>
  status.flatMap(one => (one === 'IN_PROGRESS' ? [one, 'PARTIALLY_DONE'] : [one]))

function behind(alias: string, { after, order }: Beginning): Fragment {
  const row = sql.fragment`(${sql.identifier([alias, 'manufacturing_order_id'])}, ${sql.identifier([alias, 'id'])})`
  const [orderId, taskId] = after?.split('_') ?? (order === 'asc' ? ['0', '0'] : ['9223372036854775807', '0'])
  const position = sql.fragment`(${orderId ?? '0'}::bigint, ${taskId ?? '0'}::bigint)`
  return order === 'asc' ? sql.fragment`${row} > ${position}` : sql.fragment`${row} < ${position}`
}

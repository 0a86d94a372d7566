/** Further data of a manufacturing order: its tasks and its stock movements. */
import { queryOptions } from '@tanstack/react-query'
import type { ExactApi } from '../../exact.ts'
import type { ProductionTask, StockMovement } from '../../records.ts'

export type Task = ProductionTask
export type Movement = StockMovement

const PAGE_ROWS = 200
const ROWS_MAX = 2_000

type Options = { readonly signal: AbortSignal }

export const readTasks = (api: ExactApi, id: string, options: Options): Promise<Task[]> =>
  api.manufacturingOrders.listTasks(id, { limit: PAGE_ROWS }, options).toArray({ max: ROWS_MAX })

export const readMovements = (api: ExactApi, id: string, options: Options): Promise<Movement[]> =>
  api.stockMovements
    .list({ source_type: 'MANUFACTURING_ORDER', source_id: id, limit: PAGE_ROWS }, options)
    .toArray({ max: ROWS_MAX })

export const tasksQuery = (api: ExactApi, id: string) =>
  queryOptions({
    queryKey: ['production-tasks', 'of', id] as readonly unknown[],
    queryFn: ({ signal }) => readTasks(api, id, { signal }),
  })

export const movementsQuery = (api: ExactApi, id: string) =>
  queryOptions({
    queryKey: ['stock-movements', 'of-manufacturing-order', id] as readonly unknown[],
    queryFn: ({ signal }) => readMovements(api, id, { signal }),
  })

/** What stands under a manufacturing order: its tasks, and the movements of stock that it made. */
import type { ProductionTask, StockMovement } from '@millrace/client'
import { useQuery } from '@tanstack/react-query'
import type { Exact } from '../../exact.ts'
import { useSession } from '../../session.tsx'

export type Task = Exact<ProductionTask>
export type Movement = Exact<StockMovement>

const PAGE_ROWS = 200
const ROWS_MAX = 2_000

export function useTasks(id: string) {
  const { api } = useSession()
  return useQuery({
    queryKey: ['production-tasks', 'of', id],
    queryFn: ({ signal }) =>
      api.manufacturingOrders.listTasks(id, { limit: PAGE_ROWS }, { signal }).toArray({ max: ROWS_MAX }),
  })
}

export function useMovements(id: string) {
  const { api, can } = useSession()
  return useQuery({
    queryKey: ['stock-movements', 'of-manufacturing-order', id],
    queryFn: ({ signal }) =>
      api.stockMovements
        .list({ source_type: 'MANUFACTURING_ORDER', source_id: id, limit: PAGE_ROWS }, { signal })
        .toArray({ max: ROWS_MAX }),
    enabled: can('read:stock'),
  })
}

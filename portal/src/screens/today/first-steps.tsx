/** What a tenant without any sales order is shown first; a tenant that has one loads nothing of it. */
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { useApi, useSession } from '../../session.tsx'
import { useHasAny } from './has-any.ts'
import { openSales } from './reads.ts'

const StepsToFirstOrder = lazy(async () => ({
  default: (await import('./steps-to-first-order.tsx')).StepsToFirstOrder,
}))

export function FirstSteps() {
  const { api, can } = useSession()
  const { data: open } = useQuery({ ...openSales(api), enabled: can('read:sales') })
  return open?.data.length === 0 && <UnlessAny />
}

function UnlessAny() {
  const hasOrder = useHasAny('sales-orders', 'read:sales', useApi().salesOrders)
  if (hasOrder !== false) return null
  return (
    <Suspense>
      <StepsToFirstOrder />
    </Suspense>
  )
}

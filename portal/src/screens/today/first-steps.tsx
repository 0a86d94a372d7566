/** What a tenant without any sales order is shown first; a tenant that has one loads nothing of it. */
import { lazy, Suspense } from 'react'
import { useApi } from '../../session.tsx'
import { useHasAny } from './has-any.ts'

const StepsToFirstOrder = lazy(async () => ({
  default: (await import('./steps-to-first-order.tsx')).StepsToFirstOrder,
}))

export function FirstSteps() {
  const hasOrder = useHasAny('sales-orders', 'read:sales', useApi().salesOrders)
  if (hasOrder !== false) return null
  return (
    <Suspense>
      <StepsToFirstOrder />
    </Suspense>
  )
}

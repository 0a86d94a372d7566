/** The steps of a manufacturing order, as far as its status allows them. */
import { useNavigate } from '@tanstack/react-router'
import { ReasonStep, Step } from '../../patterns/action-form.tsx'
import { useStepsOf } from '../../patterns/record-steps.tsx'
import type { ManufacturingOrder as Order } from '../../records.ts'
import { useApi } from '../../session.tsx'
import { EditManufacturingOrder } from './edit.tsx'
import { MoveMaterials } from './move-materials.tsx'
import { manufacturingOrders } from './nouns.ts'
import type { Movement, Task } from './reads.ts'
import { Work } from './work.tsx'

type Props = { readonly order: Order; readonly tasks: readonly Task[]; readonly movements: readonly Movement[] }

export function ManufacturingOrderSteps({ order, tasks, movements }: Props) {
  const api = useApi()
  const navigate = useNavigate()
  const { id, status } = order
  const step = useStepsOf(manufacturingOrders, order, 'write:manufacturing.order.update')
  const isStarted = status === 'IN_PROGRESS' || status === 'PARTIALLY_DONE'
  return (
    <>
      <Work order={order} tasks={tasks} />
      {isStarted && <MoveMaterials order={order} movements={movements} />}
      <EditManufacturingOrder order={order} />
      {(isStarted || status === 'NOT_STARTED') && (
        <ReasonStep
          {...step('Block', 'blocked')}
          explains="It can be neither started nor completed until it is unblocked. No stock moves."
          send={(reason, sending) => api.manufacturingOrders.block(id, { reason }, sending)}
        />
      )}
      {status === 'NOT_STARTED' && (
        <Step
          {...step('Delete', 'deleted')}
          explains="The order is gone, and what it reserves becomes free. This cannot be taken back."
          button={{ color: 'red', variant: 'outline' }}
          send={(_, sending) => api.manufacturingOrders.delete(id, sending)}
          onDone={() => navigate({ to: manufacturingOrders.list })}
        />
      )}
    </>
  )
}

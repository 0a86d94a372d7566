/** The work on a manufacturing order: start, complete, continue after a block, and on the shop floor pause. */
import { forTyping, isSame, sent, typed } from '../../exact.ts'
import { ReasonStep, Step } from '../../patterns/action-form.tsx'
import { Cost } from '../../patterns/columns.tsx'
import { Foretold } from '../../patterns/foretold.tsx'
import { decimalRules } from '../../patterns/inputs.tsx'
import { QuantityFields, type QuantityLine } from '../../patterns/quantity-fields.tsx'
import { useStepsOf } from '../../patterns/record-steps.tsx'
import { type TakenLine, Taking } from '../../patterns/taking.tsx'
import type { ManufacturingOrder as Order } from '../../records.ts'
import { useApi } from '../../session.tsx'
import { Complete } from './complete.tsx'
import { manufacturingOrders } from './nouns.ts'
import type { Task } from './reads.ts'

type Props = {
  readonly order: Order
  readonly tasks: readonly Task[]
  /** Whether the step is in a list. Then the order was not read by its id, and the step cannot depend on the order's version. */
  readonly isOnFloor?: boolean
}

export function Work({ order, tasks, isOnFloor = false }: Props) {
  const api = useApi()
  const { id, number, status } = order
  const ofRecord = useStepsOf(manufacturingOrders, order, 'write:manufacturing.order.update')
  const step = (label: string, past: string) => {
    const { record, reread, ...rest } = ofRecord(label, past)
    return isOnFloor ? rest : { ...rest, record, reread }
  }
  const isStarted = status === 'IN_PROGRESS' || status === 'PARTIALLY_DONE'
  return (
    <>
      {status === 'NOT_STARTED' && (
        <Step
          {...step('Start', 'started')}
          size="lg"
          button={{ variant: 'filled' }}
          scope="write:manufacturing.order.start"
          explains="The materials leave the stock now, of batches those that expire first. All of them must be there."
          initial={() => ({ items: order.items.map(materialLine) })}
          validate={{ items: { quantity: decimalRules.zeroOrMore } }}
          fields={form =>
            form.values.items.length > 0 && (
              <>
                <QuantityFields form={form} leftIs="Needed" />
                <Taking documentId={id} lines={writtenOff(order, form.values.items)} />
              </>
            )
          }
          send={({ items }, sending) => api.manufacturingOrders.start(id, { items: changedLines(items) }, sending)}
          foretells={({ items, actual_cost: { total_cost } }) => (
            <Foretold
              begins={items.length > 0 ? 'These materials leave the stock:' : 'No materials leave the stock.'}
              lines={items.map(item => ({ ...item, quantity: item.actual_quantity, batch_id: null }))}
            >
              The order is in progress then, and has cost <Cost of={total_cost} /> so far.
            </Foretold>
          )}
        />
      )}
      {isStarted && <Complete order={order} tasks={tasks} step={step(isOnFloor ? 'Done' : 'Complete', 'done')} />}
      {isStarted && isOnFloor && (
        <ReasonStep
          {...step('Pause', 'paused')}
          explains={`All work on ${number} waits: it is blocked until somebody goes on. No stock moves.`}
          send={(reason, sending) => api.manufacturingOrders.block(id, { reason }, sending)}
        />
      )}
      {status === 'BLOCKED' && (
        <Step
          {...(isOnFloor ? step('Go on', 'in work again') : step('Unblock', 'unblocked'))}
          button={{ variant: 'filled' }}
          explains="Work on it may go on where it was."
          send={(_, sending) => api.manufacturingOrders.unblock(id, {}, sending)}
        />
      )}
    </>
  )
}

const materialLine = ({ id, item_variant_id, title, quantity: left }: Order['items'][number]): QuantityLine => ({
  ...{ id, item_variant_id, title, left, quantity: forTyping(left) },
})

const writtenOff = (order: Order, lines: readonly QuantityLine[]): readonly TakenLine[] =>
  lines.map(({ title, quantity }, index) => ({
    ...{ variantId: order.items[index]?.item_variant_id ?? '', place: order.manufacturing_location_id },
    ...{ title, quantity, own: order.items[index]?.quantity ?? '0' },
  }))

/** Lines with another quantity than the planned one. */
const changedLines = (lines: readonly QuantityLine[]) =>
  lines.flatMap(({ id, left, quantity }) => {
    const value = typed(quantity)
    return value === null || isSame(value, left) ? [] : [{ id, quantity: sent(value) }]
  })

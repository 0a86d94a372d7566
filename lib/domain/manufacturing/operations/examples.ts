/** The writes that lead to the events of operations. */
import { type EventExamples, patched, posted } from '../../../kit/documents/examples.ts'

const operation = posted('/operations', { title: 'Triggered operation', cost_per_hour: 36 })

export const examples: EventExamples = {
  'operation.created': operation,
  'operation.updated': patched('/operations', operation, { cost_per_hour: 38 }),
}

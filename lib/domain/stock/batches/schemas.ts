/** The directions of a trace. */
import { oneOf, shape } from '../../../kit/api/fields.ts'
import { explained } from '../../../kit/api/reply-fields.ts'

export const directions = { forward: 'where it went', backward: 'where it came from' } as const
export type Direction = keyof typeof directions

export const directionWords = 'where the batch went, or where it came from'

export const TraceQuery = shape({ direction: explained(oneOf(directions), directionWords) })

/** Which way a trace goes. */
import { oneOf, shape } from '../../../kit/api/fields.ts'

export const directions = { forward: 'where it went', backward: 'where it came from' } as const
export type Direction = keyof typeof directions

export const TraceQuery = shape({ direction: oneOf(directions) })

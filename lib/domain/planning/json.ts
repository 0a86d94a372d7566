/** The JSON text of planning's answers. No record's declaration renders them. */
import { formatMicro, type Micro } from '../../platform/decimal.ts'

export const textJson = (text: string | null): string => JSON.stringify(text)
/** The JSON of ids and days, which need no escapes. */
export const plainJson = (text: string | null): string => (text === null ? 'null' : `"${text}"`)
export const microJson = (value: Micro | null): string => (value === null ? 'null' : formatMicro(value))
export const arrayJson = <T>(values: readonly T[], json: (value: T) => string): string =>
  `[${values.map(json).join(',')}]`

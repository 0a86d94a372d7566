/** Reads columns of rows in which every value is text. */
import type { TextRow } from '../../platform/postgres/round-trip.ts'

/** The text of a column that is never null. */
export const textIn = (row: TextRow, name: string): string => row[name] ?? ''
export const textOrNullIn = (row: TextRow, name: string): string | null => row[name] ?? null
export const flagIn = (row: TextRow, name: string): boolean => row[name] === 't'

/** The mark of a variant that a command made or changed: later commands that see the variant by a statement of their own run in the next unit. */
import type { Work } from '../../kit/documents/work.ts'

export const variantMark = (id: string): string => `variant ${id}`

export const markVariant = (work: Work, id: string): void => work.mark(variantMark(id))

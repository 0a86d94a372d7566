/** The service's refusals in forms: the fields that they name, and the names of those fields in texts. */
import { ApiError, type FieldFault } from '@millrace/client'

/** A refusal of the stock or of a document names its field only in its text. */
const FAULT = /^([a-z_]+(?:\[\d+\])?(?:\.[a-z_]+)*): (.+)$/s

export function faultsOf(error: unknown): readonly FieldFault[] {
  if (!(error instanceof ApiError)) return []
  if (error.fields.length > 0) return error.fields
  return error.message.split('; ').flatMap(text => {
    const [, field, reason] = FAULT.exec(text) ?? []
    return field === undefined || reason === undefined ? [] : [{ field, reason }]
  })
}

/**
 * Shows `items[0].purchase_quantity` as `line 1, purchase quantity`, `items[0].components[1].quantity` as `line 1, component 2, quantity`.
 */
export const inPlainWords = (message: string): string =>
  message.replace(
    /\b[a-z_]+\[(\d+)\](?:\.([a-z_]+)s\[(\d+)\])?(?:\.([a-z_]+))?/g,
    (_, index: string, within?: string, at?: string, field?: string) =>
      [
        `line ${Number(index) + 1}`,
        ...(within === undefined ? [] : [`${within} ${Number(at) + 1}`]),
        ...(field === undefined ? [] : [field.replaceAll('_', ' ')]),
      ].join(', '),
  )

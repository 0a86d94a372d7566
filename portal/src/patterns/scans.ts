/** The meaning of a code that a scanner reads or a person types, from the service (`GET /scan`). */
import { ApiError } from '@millrace/client'
import type { ExactApi } from '../exact.ts'
import type { Scan } from '../records.ts'

type Options = { readonly signal: AbortSignal }

/** The service takes no longer codes. */
const CODE_MAX = 200

/** The meaning while a person types: null for a text that is no code, or only a part of one. */
export async function meaningOf(api: ExactApi, text: string, options: Options): Promise<Scan | null> {
  if (text === '' || text.length > CODE_MAX) return null
  try {
    return await api.scan({ code: text }, options)
  } catch (error) {
    if (error instanceof ApiError && error.status === 400) return null
    throw error
  }
}

/** The variants of a scan, also those of its batches, in the order of the scan. */
export const variantsIn = (scan: Scan | null): readonly string[] => [
  ...new Set(scan?.matches.flatMap(({ item_variant_id }) => item_variant_id ?? []) ?? []),
]

type ScannedBatch = {
  /** Empty: it says none. */
  readonly number: string
  /** Null: the variant has no such batch yet. */
  readonly id: string | null
  /** The expiry of a new batch. An existing batch keeps its own. */
  readonly expiry: string
}

export function batchIn(scan: Scan, variantId: string): ScannedBatch {
  const known = scan.matches.find(match => match.batch_id !== null && match.item_variant_id === variantId)
  return {
    number: known?.batch_number ?? scan.batch_number ?? '',
    id: known?.batch_id ?? null,
    expiry: known ? '' : (scan.expiry_date ?? ''),
  }
}

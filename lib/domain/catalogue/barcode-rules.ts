/** What bodies make of a variant's barcodes. Pure (docs/rules/catalogue.md, "Barcodes"). */
import { invalid, type Refusal } from '../../kit/api/errors.ts'
import { gtinOf } from './gtin.ts'

/** `barcode` is the first of `barcodes`. */
export type Barcodes = { readonly barcode: string | null; readonly barcodes: readonly string[] }
/** Undefined: the body does not have the field. */
type Given = { readonly barcode?: string | null | undefined; readonly barcodes?: readonly string[] | undefined }

export const BARCODES_MAX = 20

/** The same key for all spellings of one GTIN. */
export const barcodeKey = (code: string): string => gtinOf(code) ?? code

/**
 * The barcodes after a body, which has at most one of the two fields. Returns the same list if no barcode changes. `barcode` replaces the
 * first barcode; null removes it. Refuses `validation_failed` for a barcode that the variant already has.
 * @param at the prefix of the field in messages: `variants[0].`
 */
export function barcodesAfter(before: readonly string[], { barcode, barcodes }: Given, at = ''): Barcodes | Refusal {
  if (barcode === undefined) return of(barcodes === undefined || sameTexts(before, barcodes) ? before : barcodes)
  const [, ...others] = before
  if (barcode === null) return of(before.length === 0 ? before : others)
  if (others.some(other => barcodeKey(other) === barcodeKey(barcode)))
    return invalid(`${at}barcode`, 'is one of the other barcodes of the variant')
  return of(before[0] === barcode ? before : [barcode, ...others])
}

const of = (barcodes: readonly string[]): Barcodes => ({ barcode: barcodes[0] ?? null, barcodes })

const sameTexts = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((code, at) => code === other[at])

/** The words that a person types are matched with product and variant, and the variant that matches most exactly comes first. */
import { distance, NEAR, variantsMeant } from '../../portal/src/patterns/variants.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

const variant = (title: string, sku: string, barcodes: readonly string[] = []) =>
  ({ id: sku, title, sku, barcodes, archived: false }) as never

const board = {
  title: 'Board',
  variants: [variant('Large', 'BRD-L'), variant('Small', 'BRD-S', ['4006']), variant('Small, oiled', 'BRD-SO')],
}
const skus = (text: string, scanned?: readonly string[]) =>
  variantsMeant(board, { text, ...(scanned ? { scanned } : {}) }).map(({ sku }) => sku)

test('words are looked for in the product and its variant together', t => {
  t.deepEqual(skus('board small'), ['BRD-S', 'BRD-SO'])
  t.deepEqual(skus('OILED board'), ['BRD-SO'])
  t.deepEqual(skus('board'), ['BRD-L', 'BRD-S', 'BRD-SO'])
  t.deepEqual(skus('4006'), ['BRD-S'])
  // The service found the product because each word occurs in one of its variants.
  t.deepEqual(skus('large oiled'), ['BRD-L', 'BRD-S', 'BRD-SO'])
  t.deepEqual(skus('gs1', ['BRD-L']), ['BRD-L'])
})

test('a sku is nearer than a barcode, a barcode than a sku in another case, that than a title, a title than words', t => {
  const far = (text: string) => board.variants.map(each => distance(board, each, { text }))
  t.deepEqual(far('BRD-S'), [NEAR.none, NEAR.sku, NEAR.words])
  t.deepEqual(far('4006'), [NEAR.none, NEAR.barcode, NEAR.none])
  t.deepEqual(far('brd-s'), [NEAR.none, NEAR.skuInOtherCase, NEAR.words])
  t.deepEqual(far('Small'), [NEAR.none, NEAR.title, NEAR.words])
  t.deepEqual(far('Board small'), [NEAR.none, NEAR.title, NEAR.words])
  t.deepEqual(far('board o'), [NEAR.words, NEAR.words, NEAR.words])
})

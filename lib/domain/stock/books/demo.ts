/** The books of the demo's roastery: the accountant's codes, and a write-down. The other steps make all other entries. */
import type { DemoIds, DemoStep, Write } from '../../../kit/documents/examples.ts'

/** The codes are those of the German chart of accounts SKR04. The drippers in the shop are chipped. */
async function fillBooks(write: Write, { variant, place }: DemoIds, externalRef: string): Promise<void> {
  await write(
    '/accounting',
    {
      accounts: {
        INVENTORY: { code: '1140', name: 'Waren' },
        WORK_IN_PROGRESS: { code: '1050', name: 'Unfertige Erzeugnisse' },
        COST_OF_GOODS_SOLD: { code: '5200', name: 'Wareneingang' },
        STOCK_ADJUSTMENT: { code: '5880', name: 'Bestandsveränderungen' },
      },
      categories: [{ category: 'Roasted coffee', account: 'INVENTORY', code: '1110' }],
    },
    'account-codes',
    'PATCH',
  )
  await write(
    '/stock-adjustments',
    {
      storage_place_id: place('SHOP'),
      reason: 'REVALUATION',
      notes: 'Chipped: half price',
      external_ref: externalRef,
      items: [{ item_variant_id: variant('DRP-WHT'), value_change: -22.5 }],
    },
    'written-down',
  )
}

export const demo: readonly DemoStep[] = [
  {
    name: 'books',
    after: 'counts',
    last: { path: '/stock-adjustments', externalRef: 'demo-books' },
    fill: fillBooks,
  },
]

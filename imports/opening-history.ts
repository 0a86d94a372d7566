/**
 * Finds whether opening stock was booked before. The present level is not enough, because the stock may be sold by now. It looks at the
 * stock adjustments with the reason INITIAL for the variant at the place.
 */
import { type Outcome, refused } from './kind.ts'
import { findAll, type Service } from './service.ts'
import { type Fields, fieldsIn, sameValue } from './values.ts'

type OpeningQuestion = {
  readonly variantId: string
  readonly placeId: string | null
  /** The row: quantity, unit_cost and batch_number. */
  readonly record: Fields
}

/**
 * The result of a row of opening stock: null where none was booked, else that it is already there, or the document that booked something
 * else.
 */
export function openingHistory(service: Service): (question: OpeningQuestion) => Promise<Outcome | null> {
  const adjustments = new Map<string, Promise<Adjustment>>()
  const read = (id: string) => {
    const known = adjustments.get(id) ?? readAdjustment(service, id)
    adjustments.set(id, known)
    return known
  }
  return async ({ variantId, placeId, record }) => {
    let differing: string | null = null
    for (const id of await adjustmentsOf(service, { variantId, placeId })) {
      const { number, isOpening, items } = await read(id)
      if (!isOpening) continue
      for (const item of items.get(variantId) ?? []) {
        // Without a batch of its own, tracked stock has the document's number as its batch.
        const batch = item['batch_number'] === number ? undefined : (item['batch_number'] ?? undefined)
        if (batch !== record['batch_number'] && item['batch_number'] !== record['batch_number']) continue
        if (isAsAsked(record, item)) return 'known'
        differing = number
      }
    }
    if (differing === null) return null
    return refused('quantity', `the opening stock was booked before, with other figures, by ${differing}`)
  }
}

const isAsAsked = (record: Fields, item: Fields): boolean =>
  sameValue(record['quantity'] ?? null, item['quantity']) &&
  (record['unit_cost'] === undefined || sameValue(record['unit_cost'], item['unit_cost']))

/** The adjustments that moved the variant at the place. */
async function adjustmentsOf(
  service: Service,
  { variantId, placeId }: Pick<OpeningQuestion, 'variantId' | 'placeId'>,
): Promise<ReadonlySet<string>> {
  const ids = new Set<string>()
  const place = placeId === null ? '' : `&storage_place_id=${placeId}`
  const query = `item_variant_id=${variantId}&source_type=STOCK_ADJUSTMENT${place}`
  for await (const movement of findAll(service, '/stock-movements', query))
    if (movement['storage_place_id'] === placeId) ids.add(String(movement['source_id']))
  return ids
}

/** `items` by variant. */
type Adjustment = {
  readonly number: string
  readonly isOpening: boolean
  readonly items: ReadonlyMap<string, readonly Fields[]>
}

async function readAdjustment(service: Service, id: string): Promise<Adjustment> {
  const body = (await service.read(`/stock-adjustments/${id}`)) ?? {}
  const isOpening = body['reason'] === 'INITIAL'
  const items = Map.groupBy(isOpening ? fieldsIn(body['items']) : [], item => String(item['item_variant_id']))
  return { number: String(body['number']), isOpening, items }
}

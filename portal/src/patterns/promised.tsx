/** The day on which a typed line can be delivered. */
import { Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { skipToken, useQuery } from '@tanstack/react-query'
import { isPositive, typed } from '../exact.ts'
import { dayText, quantityText } from '../format.tsx'
import type { DeliveryPromise } from '../records.ts'
import { useSession } from '../session.tsx'
import { asideTexts, hereOf, useGoods } from './goods.tsx'
import type { Choice } from './inputs.tsx'
import { KitSold } from './kits.tsx'
import { placeId } from './places.tsx'

/** While the person types, no request is sent for this long. */
const PAUSE_MS = 300

type Props = {
  readonly variant: Choice | null
  readonly quantity: string
  /** In the form of `placeValue`; empty: the main place. */
  readonly place?: string
}

export const Promised = (props: Props) =>
  props.variant?.isKit ? (
    <KitSold id={props.variant.id} place={props.place ? placeId(props.place) : undefined} />
  ) : (
    <PromisedDay {...props} />
  )

function PromisedDay({ variant, quantity, place = '' }: Props) {
  const { api, can } = useSession()
  const [asked] = useDebouncedValue(`${variant?.id ?? ''} ${typed(quantity) ?? '0'} ${place}`, PAUSE_MS)
  const [item_variant_id = '', wanted = '0', from = ''] = asked.split(' ')
  const storage_place_id = from === '' ? undefined : (placeId(from) ?? undefined)
  // Without a place the API would answer for the main one.
  const isPlace = from === '' || placeId(from) !== null
  const isAsked = can('read:stock') && isPlace && item_variant_id !== '' && isPositive(wanted as '0')
  const { data } = useQuery({
    queryKey: ['promise', item_variant_id, wanted, storage_place_id],
    queryFn: isAsked
      ? // In an address a number is its text.
        ({ signal }) =>
          api.promise({ item_variant_id, quantity: wanted as unknown as number, storage_place_id }, { signal })
      : skipToken,
    retry: false,
  })
  const isShort = data !== undefined && data.basis !== 'STOCK'
  const goods = useGoods(isShort ? [item_variant_id] : [])
  const aside = isShort && goods ? asideTexts(hereOf(goods, item_variant_id, data.storage_place_id)) : []
  return data ? (
    <Text size="xs" c="dimmed" role="status">
      {[wordsOf(data), ...aside].join('. ')}
    </Text>
  ) : null
}

function wordsOf({ basis, promise_date, available_now }: DeliveryPromise): string {
  if (basis === 'STOCK') return 'In stock'
  const now = isPositive(available_now) ? `${quantityText(available_now)} now, ` : 'None now, '
  if (promise_date === null) return `${now}no day can be promised for all of it`
  return `${now}all of it on ${dayText(promise_date)}${basis === 'LEAD_TIME' ? ', if it is ordered or made today' : ''}`
}

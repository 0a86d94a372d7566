/** The shortages of a step that takes goods, and how much it takes of goods that are reserved for others. */
import { Alert, List } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type Decimal, type ExactApi, greater, isPositive, isZero, minus, negated, sum, typed } from '../exact.ts'
import { useSession } from '../session.tsx'
import { type AtPlace, asideTexts, elsewhere, elsewhereTexts, type Goods, hereOf, useGoods } from './goods.tsx'
import { usePlaceTitle } from './places.tsx'
import { withUnit } from './units.tsx'

export type TakenLine = {
  readonly variantId: string
  readonly title: string
  readonly place: string | null
  /** As typed. */
  readonly quantity: string
  /** What the document itself reserves there for the line. */
  readonly own: Decimal
}

type Taken = Pick<TakenLine, 'variantId' | 'title' | 'place' | 'own'> & {
  readonly quantity: Decimal
  readonly here: AtPlace
}

/** The most documents in the list of reservations. */
const NAMED_MAX = 5
/** The most goods for which the reservations are read. */
const ASKED_MAX = 10

/** Lines of one variant and place count together. */
const takenOf = (lines: readonly TakenLine[], goods: Goods): readonly Taken[] =>
  [...Map.groupBy(lines, ({ variantId, place }) => `${variantId} ${place}`).values()].flatMap(same => {
    const [first] = same
    const quantity = sum(same.map(line => typed(line.quantity) ?? '0'))
    if (!first || !isPositive(quantity)) return []
    const here = hereOf(goods, first.variantId, first.place)
    const own = sum(same.map(line => line.own))
    // A service has no stock, so nothing of it is reserved or taken.
    return isPositive(own) && isZero(here.reserved) ? [] : { ...first, quantity, here, own }
  })

const isShort = ({ quantity, here }: Taken): boolean => isPositive(minus(quantity, here.usable))

/** How much is taken of what others have reserved. */
function ofOthers({ quantity, here, own }: Taken): Decimal {
  const free = greater('0', minus(here.usable, greater('0', minus(here.reserved, own))))
  return greater('0', minus(quantity, free))
}

type Props = {
  readonly lines: readonly TakenLine[]
  /** The document itself, which is left out of the list. */
  readonly documentId: string
}

export function Taking({ lines, documentId }: Props) {
  const titleOf = usePlaceTitle()
  const goods = useGoods(lines.map(({ variantId }) => variantId))
  const taken = goods === undefined ? [] : takenOf(lines, goods)
  const short = taken.filter(isShort)
  const others = taken.filter(one => !isShort(one) && isPositive(ofOthers(one)))
  const owners = useOwners(others, documentId)
  if (goods === undefined || short.length + others.length === 0) return null
  return (
    <Alert
      role="status"
      color="orange"
      variant="outline"
      title={short.length > 0 ? 'Not all of it can be taken' : 'This takes what is reserved for others'}
    >
      <List size="sm">
        {short.map(one => (
          <List.Item key={`${one.variantId} ${one.place}`}>
            {[
              `${one.title}: ${withUnit(one.quantity, one.here.unit)} wanted, ${withUnit(one.here.usable, one.here.unit)} can be taken.`,
              ...asideTexts(one.here),
              ...elsewhereTexts(elsewhere(goods, one.variantId, one.place), titleOf),
            ].join(' ')}
          </List.Item>
        ))}
        {others.map(one => (
          <List.Item key={`${one.variantId} ${one.place}`}>
            {`${one.title}: ${withUnit(ofOthers(one), one.here.unit)} of what is taken is reserved by ${owners.get(`${one.variantId} ${one.place}`) ?? 'others'}.`}
          </List.Item>
        ))}
      </List>
    </Alert>
  )
}

/** The documents that have reserved goods: their numbers, by variant and place. */
function useOwners(taken: readonly Taken[], documentId: string): ReadonlyMap<string, string> {
  const { api } = useSession()
  const asked = taken.slice(0, ASKED_MAX).map(({ variantId, place }) => ({ variantId, place }))
  const { data } = useQuery({
    queryKey: ['projection', 'owners', documentId, ...asked],
    queryFn: async ({ signal }) => new Map(await Promise.all(asked.map(one => ownersOf(api, one, documentId, signal)))),
    enabled: asked.length > 0,
  })
  return data ?? new Map()
}

async function ownersOf(
  api: ExactApi,
  { variantId, place }: Pick<Taken, 'variantId' | 'place'>,
  documentId: string,
  signal: AbortSignal,
): Promise<[string, string]> {
  const query = { item_variant_id: variantId, storage_place_id: place ?? undefined }
  const { days, storage_place_id } = await api.projection(query, { signal })
  // Without a place the API answers for the main one, if the tenant has one.
  const sources = storage_place_id === place ? days.flatMap(day => day.sources) : []
  const demand = sources.filter(one => one.source_id !== documentId && isPositive(negated(one.quantity)))
  const numbers = [...new Set(demand.map(({ number }) => number))]
  const more = numbers.length > NAMED_MAX ? [`${numbers.length - NAMED_MAX} more`] : []
  return [`${variantId} ${place}`, [...numbers.slice(0, NAMED_MAX), ...more].join(', ') || 'others']
}

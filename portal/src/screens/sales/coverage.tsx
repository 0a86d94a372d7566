/** Whether sales orders and their lines can be shipped: what it takes is read for all that are drawn in one moment. */
import { Badge, Group, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ExactApi } from '../../exact.ts'
import { isPositive, minus } from '../../exact.ts'
import { dayText, quantityText } from '../../format.tsx'
import { type AtPlace, goodsOf, hereOf } from '../../patterns/goods.tsx'
import { together } from '../../patterns/groups.ts'
import { readEntries } from '../../patterns/picks.ts'
import { Small } from '../../patterns/small.tsx'
import { queries } from '../../queries.ts'
import type { SalesOrder as Order, Projection } from '../../records.ts'
import { useSession } from '../../session.tsx'
import { MakeToOrder, type Proposal, Propose, keyOf as proposalKey, useProposals } from '../planner/proposals.tsx'
import { type Coverage, covered, type Due, type Need, needsOf, worstOf } from './coverage-rules.ts'

/** The most goods whose projection is read at once. They are those whose reserved quantity is not all in stock. */
const ASKED_MAX = 40
/** The most goods of an order for which the planner is queried. */
const PROPOSED_MAX = 20

const keyOf = ({ item_variant_id, storage_place_id }: Need): string => `${item_variant_id} ${storage_place_id ?? ''}`

const readGoods = together(async (api, ids) => goodsOf(await readEntries(api, ids)))

const readProjection = together(async (api, keys): Promise<Map<string, Projection>> => {
  const read = async (key: string) => {
    const [item_variant_id = '', place = ''] = key.split(' ')
    const found = await api.projection({ item_variant_id, storage_place_id: place || undefined })
    // Without a place the API answers for the main one, if the tenant has one.
    return (found.storage_place_id ?? '') === place ? [[key, found] as const] : []
  }
  return new Map((await Promise.all(keys.slice(0, ASKED_MAX).map(read))).flat())
})

const goodsAt = (api: ExactApi, id: string): Promise<readonly AtPlace[] | null> =>
  queries.fetchQuery({ queryKey: ['stock', 'lies', id], queryFn: () => readGoods(api, id) })

const projectionAt = (api: ExactApi, key: string): Promise<Projection | null> =>
  queries.fetchQuery({ queryKey: ['projection', 'at', key], queryFn: () => readProjection(api, key) })

/** The coverage by the ids of lines. Lines that reserve nothing, such as services, are left out. */
async function readCoverage(api: ExactApi, due: Due, all: readonly Need[]): Promise<ReadonlyMap<string, Coverage>> {
  const groups = [...Map.groupBy(all, keyOf)]
  const found = await Promise.all(
    groups.map(async ([key, needs]) => {
      const { item_variant_id, storage_place_id } = needs[0] as Need
      const there = (await goodsAt(api, item_variant_id)) ?? []
      const { reserved, usable } = hereOf(new Map([[item_variant_id, there]]), item_variant_id, storage_place_id)
      if (!isPositive(reserved)) return []
      if (!isPositive(minus(reserved, usable))) return needs.map(({ id }) => [id, { is: 'STOCK' } as Coverage] as const)
      const projection = await projectionAt(api, key)
      const all = projection ? covered(due, needs, projection) : needs.map((): Coverage => ({ is: 'SCARCE' }))
      return needs.map(({ id }, index) => [id, all[index] as Coverage] as const)
    }),
  )
  const byLine = Map.groupBy(found.flat(), ([id]) => id)
  return new Map([...byLine].map(([id, all]) => [id, worstOf(all.map(([, one]) => one))]))
}

/** The coverage by the ids of lines; undefined until it is loaded, and for a key that may not read the stock. */
function useCoverage(due: Due, needs: readonly Need[]): ReadonlyMap<string, Coverage> | undefined {
  const { api, can } = useSession()
  const { data } = useQuery({
    queryKey: ['projection', 'coverage', due.id, due.delivery_date, ...needs.map(({ id, left }) => `${id} ${left}`)],
    queryFn: () => readCoverage(api, due, needs),
    enabled: can('read:stock') && needs.length > 0,
  })
  return data
}

type Said = readonly [color: string, text: string]

const Words = ({ of: [color, text] }: { readonly of: Said }) => (
  <Badge color={color} miw="max-content">
    {text}
  </Badge>
)

export type Covering = { readonly coverage: Coverage; readonly proposal: Proposal | undefined }

/** The coverage of lines, with the planner's proposals for short ones. */
export function useCovering(due: Due, needs: readonly Need[]): (lineId: string) => Covering | undefined {
  const byLine = useCoverage(due, needs)
  const short = [...(byLine?.values() ?? [])].flatMap(one => (one.is === 'SHORT' ? [one.need] : []))
  // A proposal is for the whole shortage of some goods. The first short line shows it.
  const first = new Map(short.toReversed().map(need => [proposalKey(need), need]))
  const proposals = useProposals([...first.values()].slice(0, PROPOSED_MAX))
  return id => {
    const coverage = byLine?.get(id)
    if (coverage === undefined) return undefined
    if (coverage.is !== 'SHORT') return { coverage, proposal: undefined }
    const key = proposalKey(coverage.need)
    return { coverage, proposal: first.get(key) === coverage.need ? proposals.get(key) : undefined }
  }
}

/** @param props `sale` is the sales order of the line. The missing quantity can be made for it. */
export function Covered({ of: { coverage, proposal }, sale }: { readonly of: Covering; readonly sale?: Order }) {
  return (
    <Stack gap={4} align="flex-start">
      <Words of={wordsOf(coverage)} />
      {coverage.is === 'SHORT' && proposal && (
        <Group gap={4}>
          <Propose of={proposal} at={coverage.need.storage_place_id} />
          {sale && <MakeToOrder of={proposal} at={coverage.need.storage_place_id} sale={sale} quantity={coverage.by} />}
        </Group>
      )}
    </Stack>
  )
}

/** The coverage of all lines in a few words: whether work can begin. */
export function CanStart({ of }: { readonly of: readonly Coverage[] }) {
  const short = of.filter(({ is }) => is === 'SHORT').length
  const worst = worstOf(of)
  if (worst.is === 'STOCK') return <Words of={['green', 'Can start now']} />
  if (short > 0) return <Words of={['orange', `Short of ${short} ${short === 1 ? 'material' : 'materials'}`]} />
  return <Words of={wordsOf(worst)} />
}

export function CanShip({ order }: { readonly order: Order }) {
  const needs = needsOf(order)
  const coverage = useCoverage(order, needs)
  const { can } = useSession()
  if (order.status !== 'OPEN' || !can('read:stock')) return '–'
  if (coverage === undefined && needs.length > 0) return null
  const all = [...(coverage?.values() ?? [])]
  const short = all.filter(({ is }) => is === 'SHORT')
  const worst = worstOf(all)
  const [color] = wordsOf(worst)
  if (worst.is === 'STOCK') return <Words of={[color, 'Can ship now']} />
  if (worst.is !== 'SHORT') return <Words of={wordsOf(worst)} />
  if (short.length > 1) return <Words of={[color, `Short of ${short.length} products`]} />
  return (
    <>
      <Words of={[color, `Short of ${quantityText(worst.by)}`]} />
      <Small>{worst.need.title}</Small>
    </>
  )
}

function wordsOf(of: Coverage): Said {
  if (of.is === 'STOCK') return ['green', 'In stock']
  if (of.is === 'EXPECTED') return ['blue', `Expected ${dayText(of.day)}`]
  if (of.is === 'SHORT')
    return ['orange', `Short of ${quantityText(of.by)}${of.need.isPart ? ` × ${of.need.title}` : ''}`]
  return of.is === 'SCARCE' ? ['yellow', 'Not all in stock'] : ['yellow', 'On its way, no day']
}

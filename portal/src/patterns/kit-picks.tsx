/** From which batches the components of a kit are taken: of each those that expire first, unless the person chooses others. */
import { Text } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { type Decimal, greater, isPositive, isSame, minus, sent, share, sum, typed } from '../exact.ts'
import { quantityText } from '../format.tsx'
import type { SalesOrder } from '../records.ts'
import { BatchThere } from './batches.tsx'
import { DecimalInput } from './inputs.tsx'
import { PartButtons, partTitle } from './parts.tsx'
import { placeValue } from './places.tsx'

type Part = {
  readonly item_variant_id: string
  readonly title: string
  readonly quantity: Decimal
  readonly shipped_quantity: Decimal
}

type Pick = {
  readonly item_variant_id: string
  /** Empty: the batches that expire first. */
  readonly batch: string
  /** Empty: what the other batches leave of the component. */
  readonly quantity: string
}

/** The line of a kit in the form of a shipment. */
export type Kit = {
  readonly place: string
  readonly ordered: Decimal
  readonly shipped: Decimal
  readonly parts: readonly Part[]
  readonly picks: readonly Pick[]
}

const newPick = (item_variant_id: string): Pick => ({ item_variant_id, batch: '', quantity: '' })

/** Undefined for a line that is no kit. */
export const kitOf = (item: SalesOrder['items'][number]): Kit | undefined =>
  item.components.length === 0
    ? undefined
    : {
        place: placeValue(item.storage_place_id),
        ordered: item.quantity,
        shipped: item.shipped_quantity,
        parts: item.components,
        picks: item.components.map(part => newPick(part.item_variant_id)),
      }

/** The quantity of a component that leaves with these kits (docs/rules/kits.md, "Shipments and returns"). */
export function leaves({ ordered, shipped }: Omit<Kit, 'picks'>, part: Part, kits: Decimal): Decimal {
  const until = sum([shipped, kits])
  const all = isSame(until, ordered) ? part.quantity : share(part.quantity, { part: until, whole: ordered })
  return greater('0', minus(all, part.shipped_quantity))
}

/** The picks that name a batch, with their quantities. */
function named(kit: Kit, kits: Decimal) {
  return kit.picks.flatMap((pick, at) => {
    const part = kit.parts.find(({ item_variant_id }) => item_variant_id === pick.item_variant_id)
    if (part === undefined || pick.batch === '') return []
    const others = kit.picks.filter(other => other !== pick && other.item_variant_id === pick.item_variant_id)
    const rest = minus(leaves(kit, part, kits), sum(others.map(({ quantity }) => typed(quantity) ?? '0')))
    const quantity = typed(pick.quantity) ?? (isPositive(rest) ? rest : '0')
    return [{ at, item_variant_id: pick.item_variant_id, batch_id: pick.batch, quantity }]
  })
}

/** `components` of a shipment's line. Undefined: the service picks all. */
export function sentPicks(kit: Kit | undefined, kits: Decimal) {
  const picks = kit === undefined ? [] : named(kit, kits)
  return picks.length === 0
    ? {}
    : { components: picks.map(({ at: _at, quantity, ...pick }) => ({ ...pick, quantity: sent(quantity) })) }
}

/** The form's path of a field of a sent component, beginning at the line. */
export const fieldOfPick = (field: string, kit: Kit | undefined, kits: Decimal): string =>
  field.replace(/components\.(\d+)\.(batch_id|quantity)/, (whole, index: string, name: string) => {
    const at = kit && named(kit, kits)[Number(index)]?.at
    return at === undefined ? whole : `picked.picks.${at}.${name === 'batch_id' ? 'batch' : name}`
  })

/** The picks after the scan of a component's batch. */
export function scanned({ picks }: Kit, item_variant_id: string, batch: string): readonly Pick[] {
  const of = (pick: Pick) => pick.item_variant_id === item_variant_id
  if (picks.some(pick => of(pick) && pick.batch === batch)) return picks
  const free = picks.find(pick => of(pick) && pick.batch === '')
  const named = { ...(free ?? newPick(item_variant_id)), batch }
  return free ? picks.map(pick => (pick === free ? named : pick)) : [...picks, named]
}

type Props = {
  readonly form: UseFormReturnType<never>
  readonly path: string
  readonly kit: Kit
  /** How many are shipped, as typed. */
  readonly kits: string
}

export function KitPicks({ form: given, path, kit, kits }: Props) {
  // The library's types cannot follow paths of generic values.
  const form = given as unknown as UseFormReturnType<Record<string, unknown>>
  const input = (at: number, name: string) => form.getInputProps(`${path}.picks.${at}.${name}`)
  const change = (picks: readonly Pick[]) => form.setFieldValue(`${path}.picks`, picks)
  return kit.parts.map(part => {
    const { item_variant_id: variantId, title } = part
    const picks = kit.picks.flatMap((pick, at) => (pick.item_variant_id === variantId ? [at] : []))
    return (
      <div key={variantId}>
        <Text span size="xs" c="dimmed" display="block">
          {quantityText(leaves(kit, part, typed(kits) ?? '0'))} × {title}
        </Text>
        {picks.map((at, nth) => {
          const name = partTitle(title, nth)
          return (
            <BatchThere
              key={at}
              variantId={variantId}
              place={kit.place}
              aria-label={`Batch of ${name}`}
              {...input(at, 'batch')}
            >
              {picks.length > 1 && (
                <DecimalInput
                  aria-label={`Quantity of ${name}`}
                  placeholder="the rest"
                  mt={4}
                  {...input(at, 'quantity')}
                />
              )}
              <PartButtons
                title={title}
                part={nth}
                isLast={at === picks.at(-1) && kit.picks[at]?.batch !== ''}
                onAdd={() => change([...kit.picks, newPick(variantId)])}
                onRemove={() => change(kit.picks.filter((_, index) => index !== at))}
              />
            </BatchThere>
          )
        })}
      </div>
    )
  })
}

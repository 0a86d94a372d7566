/** The lines of a recipe in a form, their rules, and how they are sent. */
import { type Decimal, forTyping, isZero, sent, sentTyped, sentUnlessEmpty } from '../../exact.ts'
import { type Choice, decimalRules } from '../../patterns/inputs.tsx'
import type { Recipe } from '../../records.ts'

export const materialLine = () => ({
  ...{ key: String(Math.random()), variant: null as Choice | null, quantity: '1', notes: '' },
  /** In percent. */
  scrap: '',
})

export const workLine = (operation_id: string | null) => ({
  ...{ key: String(Math.random()), operation_id, duration: '', position: null as Decimal | null, notes: '' },
  /** Empty: the operation's. */
  cost_per_hour: '',
  operation_type: 'BOTH' as 'MAKE_TO_STOCK' | 'MAKE_TO_ORDER' | 'BOTH',
})

type MaterialLine = ReturnType<typeof materialLine>
export type WorkLine = ReturnType<typeof workLine>

export type Lines = { output_quantity: string; materials: MaterialLine[]; operations: WorkLine[] }

export const newLines = (): Omit<Lines, 'output_quantity'> => ({ materials: [materialLine()], operations: [] })

export const linesOf = ({ materials, operations }: Recipe): Omit<Lines, 'output_quantity'> => ({
  materials: materials.map(({ id, item_variant_id, title, sku, quantity, scrap_percent, notes }) => ({
    key: id,
    variant: { id: item_variant_id, label: title, hint: sku },
    quantity: forTyping(quantity),
    scrap: isZero(scrap_percent) ? '' : forTyping(scrap_percent),
    notes: notes ?? '',
  })),
  operations: operations.map(({ id, operation_id, duration, cost_per_hour, operation_type, position, notes }) => ({
    key: id,
    operation_id,
    duration: forTyping(duration),
    cost_per_hour: forTyping(cost_per_hour),
    operation_type: operation_type ?? 'BOTH',
    position,
    notes: notes ?? '',
  })),
})

const unlessEmpty = (input: string) => (decimalRules.empty(input) ? null : decimalRules.zeroOrMore(input))

export const lineRules = {
  materials: {
    variant: (value: Choice | null) => (value === null ? 'choose a material' : null),
    quantity: decimalRules.positive,
    scrap: unlessEmpty,
  },
  operations: {
    operation_id: (value: string | null) => (value === null ? 'choose an operation' : null),
    duration: decimalRules.zeroOrMore,
    cost_per_hour: unlessEmpty,
  },
}

export const sentMaterials = (lines: readonly MaterialLine[]) =>
  lines.map(({ variant, quantity, scrap, notes }) => ({
    item_variant_id: variant?.id ?? '',
    quantity: sentTyped(quantity),
    scrap_percent: sentTyped(scrap),
    notes: notes.trim() || null,
  }))

export const sentOperations = (lines: readonly WorkLine[]) =>
  lines.map(({ operation_id, duration, cost_per_hour, operation_type, position, notes }) => ({
    operation_id: operation_id ?? '',
    duration: sentTyped(duration),
    cost_per_hour: sentUnlessEmpty(cost_per_hour),
    operation_type: operation_type === 'BOTH' ? null : operation_type,
    ...(position === null ? {} : { position: sent(position) }),
    notes: notes.trim() || null,
  }))

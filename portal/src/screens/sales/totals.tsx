/** The amounts of a typed order, from a dry run that is sent a moment after the last change. */
import { Stack, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import type { CreateSalesOrderBody } from '@millrace/client'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { forTyping } from '../../exact.ts'
import { moneyText } from '../../format.tsx'
import { type Charge, isWholeCharge } from '../../patterns/charges.tsx'
import { failureText } from '../../patterns/failure.tsx'
import { isWhole, type OrderLine } from '../../patterns/order-line.ts'
import type { Foretold as ForetoldLine } from '../../patterns/order-line-price.tsx'
import { OrderTotals } from '../../patterns/priced-order.tsx'
import type { SalesOrder as Order } from '../../records.ts'
import { useApi } from '../../session.tsx'

/** While the person types, no request is sent for this long. */
const PAUSE_MS = 300

export type Foretold = {
  /** The foretold amounts by the keys of lines. */
  readonly lines: ReadonlyMap<string, ForetoldLine>
  readonly order: Order | undefined
  readonly error: unknown
}

type Values = { readonly customer: object | null; readonly items: OrderLine[]; readonly charges: Charge[] }

/** The amounts of the complete parts. Incomplete ones are left out, even the customer: prices do not depend on it. */
export function useForetold<Typed extends Values>(
  values: Typed,
  bodyOf: (now: Typed) => CreateSalesOrderBody,
): Foretold {
  const api = useApi()
  // biome-ignore lint/correctness/useExhaustiveDependencies: a body follows from what is typed.
  const asked = useMemo(() => {
    const items = values.items.filter(isWhole)
    const whole = { ...values, items, charges: values.charges.filter(isWholeCharge) }
    const anybody = values.customer === null ? { customer: { title: '–' } } : {}
    return { keys: items.map(({ key }) => key), body: { ...bodyOf(whole), ...anybody } }
  }, [values])
  const [{ keys, body }] = useDebouncedValue(asked, PAUSE_MS)
  const { data, error } = useQuery({
    queryKey: ['foretold', JSON.stringify(body), ...keys],
    queryFn: async ({ signal }) => ({ keys, order: await api.salesOrders.create(body, { signal, dryRun: true }) }),
    enabled: keys.length > 0,
    placeholderData: keepPreviousData,
    retry: false,
  })
  const lines = useMemo(() => {
    const of = data?.order
    return new Map(of?.items.map((item, index) => [data?.keys[index] ?? '', foretoldOf(item, of)]))
  }, [data])
  return { lines, order: keys.length > 0 ? data?.order : undefined, error }
}

const foretoldOf = (item: Order['items'][number], { prices_include_tax, currency }: Order): ForetoldLine => ({
  price: forTyping(item.price),
  amount: moneyText(prices_include_tax ? item.line_amount_with_tax : item.line_amount, currency),
})

export const ForetoldTotals = ({ of: { order, error } }: { readonly of: Foretold }) => (
  <Stack gap={2} align="flex-end" className="numbers" role="status" aria-label="Totals">
    {error === null && order ? (
      <OrderTotals of={order} />
    ) : (
      <Text size="sm" c="dimmed">
        {error === null ? 'Totals show with the first line.' : `No total: ${failureText(error)}`}
      </Text>
    )}
  </Stack>
)

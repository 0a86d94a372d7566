/** The value of the stock today, or at the end of a day before. */
import { Group, Text, TextInput, UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import { today } from '../../days.ts'
import type { Decimal } from '../../exact.ts'
import { countText, moneyText, totalText } from '../../format.tsx'
import { PathLink } from '../../patterns/links.tsx'
import { Panel } from '../../patterns/panel.tsx'
import { useSession } from '../../session.tsx'

export function StockValue() {
  const { api, me } = useSession()
  const [chosen, setChosen] = useState('')
  // A year that is being typed has fewer digits.
  const day = /^[12]\d{3}-/.test(chosen) ? chosen : today()
  return (
    <Panel
      title="Value of the stock"
      scope="read:stock"
      query={{
        queryKey: ['value-of-stock', day],
        // The sum reads much, so it is not reloaded for every movement.
        staleTime: 300_000,
        queryFn: ({ signal }) => api.stockValuation.totals({ through: day }, { signal }),
      }}
      aside={
        <Group gap="sm">
          <TextInput
            type="date"
            size="xs"
            aria-label="At the end of the day"
            max={today()}
            value={chosen || today()}
            onChange={event => setChosen(event.currentTarget.value)}
          />
          <PathLink to="/stock">Stock</PathLink>
        </Group>
      }
    >
      {({ stock_value, rows }) => (
        <>
          <Text className="numbers" fz={26} lh={1.2} fw={600} px="sm" pt={4}>
            <Total of={stock_value} currency={me.currency} />
          </Text>
          <Text size="sm" c="dimmed" px="sm" pb="sm">
            over {countText(Number(rows))} variants and places
          </Text>
        </>
      )}
    </Panel>
  )
}

function Total({ of, currency }: { readonly of: Decimal; readonly currency: string }) {
  const [isWhole, setWhole] = useState(false)
  const [rounded, whole] = [totalText(of, currency), moneyText(of, currency)]
  if (rounded === whole) return rounded
  return (
    <UnstyledButton
      fz="inherit"
      fw="inherit"
      title={isWhole ? `Rounded: ${rounded}` : `All digits: ${whole}`}
      aria-pressed={isWhole}
      onClick={() => setWhole(!isWhole)}
    >
      {isWhole ? whole : `≈ ${rounded}`}
    </UnstyledButton>
  )
}

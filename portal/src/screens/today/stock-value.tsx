/** The value of the stock, added up here: the interface tells it by variant and place. */
import { Button, Text } from '@mantine/core'
import { queryOptions } from '@tanstack/react-query'
import { useState } from 'react'
import { sum } from '../../exact.ts'
import { countText } from '../../format.tsx'
import { PathLink } from '../../patterns/links.tsx'
import { Panel } from '../../patterns/panel.tsx'
import { Total } from '../../patterns/total.tsx'
import { useSession } from '../../session.tsx'

const PAGE_ROWS = 200
/** More than one page is read when somebody asks for it: it takes seconds. */
const PAGES_MAX = 25

export function StockValue() {
  const { api, me } = useSession()
  const [pagesMax, setPagesMax] = useState(1)
  const query = queryOptions({
    queryKey: ['value-of-stock', pagesMax] as readonly unknown[],
    // Adding it up reads much: it is not done anew for every movement.
    staleTime: 300_000,
    queryFn: async ({ signal }) => {
      const as_of = new Date(Date.now() - 1_000).toISOString()
      const values: `${number}`[] = []
      let pages = 0
      for await (const page of api.stockValuation.list({ as_of, limit: PAGE_ROWS }, { signal }).pages()) {
        values.push(...page.data.map(({ stock_value }) => stock_value))
        if (page.next_cursor !== '' && ++pages >= pagesMax)
          return { value: sum(values), rows: values.length, isAll: false }
      }
      return { value: sum(values), rows: values.length, isAll: true }
    },
  })
  return (
    <Panel title="Value of the stock" scope="read:stock" query={query} aside={<PathLink to="/stock">Stock</PathLink>}>
      {({ value, rows, isAll }) => (
        <>
          <Text className="numbers" fz={26} lh={1.2} fw={600} px="sm" pt={4}>
            <Total of={value} currency={me.currency} />
          </Text>
          <Text size="sm" c="dimmed" px="sm" pb="sm">
            {isAll
              ? `over ${countText(rows)} variants and places`
              : `of the first ${countText(rows)} variants and places`}
          </Text>
          {!isAll && pagesMax < PAGES_MAX && (
            <Button variant="default" size="xs" mx="sm" mb="sm" onClick={() => setPagesMax(PAGES_MAX)}>
              Add up all of it
            </Button>
          )}
        </>
      )}
    </Panel>
  )
}

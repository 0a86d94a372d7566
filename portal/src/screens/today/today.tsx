/** What is going on: numbers that lead to their lists, what comes next, what is short, and how much is asked. */

import { Grid, SimpleGrid, Stack, Title } from '@mantine/core'
import { startOf, today } from '../../days.ts'
import { firstQuery } from '../../lists.ts'
import { useApi } from '../../session.tsx'
import { Due } from './due.tsx'
import { FirstSteps } from './first-steps.tsx'
import { Arrivals, Expiring, Shipments, Shortages, ToMake } from './next.tsx'
import { openPurchases, openSales, shortages } from './reads.ts'
import { Requests } from './requests.tsx'
import { Sales } from './sales.tsx'
import { StockValue } from './stock-value.tsx'
import { CountTile } from './tile.tsx'
import { WebhookHealth } from './webhook-health.tsx'

export function Today() {
  const api = useApi()
  const now = today()
  return (
    <Stack gap="md">
      <title>Today · Millrace</title>
      <Title order={1}>Today</Title>
      <FirstSteps />
      <SimpleGrid cols={{ base: 2, sm: 3, lg: 6 }} spacing="md">
        <CountTile
          label="Open sales orders"
          scope="read:sales"
          query={openSales(api)}
          link={{ to: '/sales-orders', search: { status: 'OPEN' } }}
        />
        <CountTile
          label="Late sales orders"
          isBad
          scope="read:sales"
          query={firstQuery(['sales-orders', 'late', now], (paged, options) =>
            api.salesOrders.list({ ...paged, status: 'OPEN', delivery_before: startOf(now) }, options),
          )}
          link={{ to: '/sales-orders', search: { status: 'OPEN', delivery_before: now } }}
        />
        <CountTile
          label="In production"
          scope="read:manufacturing"
          query={firstQuery(['manufacturing-orders', 'open'], (paged, options) =>
            api.manufacturingOrders.list({ ...paged, status: ['IN_PROGRESS', 'PARTIALLY_DONE', 'BLOCKED'] }, options),
          )}
          link={{ to: '/manufacturing-orders', search: { status: 'IN_PROGRESS,BLOCKED,PARTIALLY_DONE' } }}
        />
        <CountTile
          label="Open purchase orders"
          scope="read:purchase"
          query={openPurchases(api)}
          link={{ to: '/purchase-orders', search: { status: 'OPEN' } }}
        />
        <CountTile
          label="Late purchase orders"
          isBad
          scope="read:purchase"
          query={firstQuery(['purchase-orders', 'late', now], (paged, options) =>
            api.purchaseOrders.list({ ...paged, status: 'OPEN', expected_before: startOf(now) }, options),
          )}
          link={{ to: '/purchase-orders', search: { status: 'OPEN', expected_before: now } }}
        />
        <CountTile label="Shortages" isBad scope="read:stock" query={shortages(api)} link={{ to: '/planner' }} />
      </SimpleGrid>
      <Grid gap="md">
        {[
          <Due key="due" />,
          <Sales key="sales" />,
          <Shipments key="ship" today={now} />,
          <ToMake key="make" today={now} />,
          <Arrivals key="arrive" today={now} />,
          <Shortages key="short" />,
          <Expiring key="expire" before={today(30)} today={now} />,
          <StockValue key="value" />,
        ].map(part => (
          <Grid.Col key={part.key} span={{ base: 12, md: 6 }}>
            {part}
          </Grid.Col>
        ))}
        <Grid.Col span={{ base: 12, md: 8 }}>
          <Requests />
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <WebhookHealth />
        </Grid.Col>
      </Grid>
    </Stack>
  )
}

/** What is going on: numbers that lead to their lists, what comes next, what is short, and how much is asked. */
import { Grid, SimpleGrid, Stack, Title } from '@mantine/core'
import { firstQuery } from '../../lists.ts'
import { useApi } from '../../session.tsx'
import { FirstSteps } from './first-steps.tsx'
import { Arrivals, Expiring, Shipments, Shortages } from './next.tsx'
import { openPurchases, openSales, shortages } from './reads.ts'
import { Requests } from './requests.tsx'
import { StockValue } from './stock-value.tsx'
import { CountTile } from './tile.tsx'
import { WebhookHealth } from './webhook-health.tsx'

const DAY_MS = 86_400_000

/** The day that is so many days away, as the world's clock has it. */
const day = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10)

export function Today() {
  const api = useApi()
  const today = day(0)
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
          query={firstQuery(['sales-orders', 'late', today], (paged, options) =>
            api.salesOrders.list({ ...paged, status: 'OPEN', delivery_before: today }, options),
          )}
          link={{ to: '/sales-orders', search: { status: 'OPEN', delivery_before: today } }}
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
          query={firstQuery(['purchase-orders', 'late', today], (paged, options) =>
            api.purchaseOrders.list({ ...paged, status: 'OPEN', expected_before: today }, options),
          )}
          link={{ to: '/purchase-orders', search: { status: 'OPEN', expected_before: today } }}
        />
        <CountTile label="Shortages" isBad scope="read:stock" query={shortages(api)} link={{ to: '/planner' }} />
      </SimpleGrid>
      <Grid gap="md">
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Shipments today={today} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Arrivals today={today} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Shortages />
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Expiring before={day(30)} today={today} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 8 }}>
          <Requests />
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <Stack gap="md">
            <StockValue />
            <WebhookHealth />
          </Stack>
        </Grid.Col>
      </Grid>
    </Stack>
  )
}

/** What is going on: numbers that lead to their lists, what comes next, what is short, and how much is asked. */
import { Grid, Loader, Paper, SimpleGrid, Text, UnstyledButton } from '@mantine/core'
import type { Page } from '@millrace/client'
import { type UseQueryOptions, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { today } from '../../days.ts'
import { countText } from '../../format.tsx'
import { countOf } from '../../lists.ts'
import { Failure } from '../../patterns/failure.tsx'
import { Lacks } from '../../patterns/lacking.tsx'
import { Screen } from '../../patterns/screen.tsx'
import { Small } from '../../patterns/small.tsx'
import { useApi, useSession } from '../../session.tsx'
import { Arrivals, Expiring, Shipments, Shortages, ToMake } from './next.tsx'
import { Due, Requests, Sales } from './plots.tsx'
import { inProduction, latePurchases, lateSales, openPurchases, openSales, shortages, useHasAny } from './reads.ts'
import { StockValue } from './stock-value.tsx'
import { WebhookHealth } from './webhook-health.tsx'

const OPEN = { status: 'OPEN' }
const sales = { scope: 'read:sales', to: '/sales-orders' }
const purchases = { scope: 'read:purchase', to: '/purchase-orders' }
const making = {
  ...{ scope: 'read:manufacturing', to: '/manufacturing-orders' },
  search: { status: 'IN_PROGRESS,BLOCKED,PARTIALLY_DONE' },
}

export function Today() {
  const api = useApi()
  const now = today()
  const lateSale = { ...OPEN, delivery_before: now }
  const latePurchase = { ...OPEN, expected_before: now }
  return (
    <Screen title="Today">
      <FirstSteps />
      <SimpleGrid cols={{ base: 2, sm: 3, lg: 6 }} spacing="md">
        <CountTile {...sales} label="Open sales orders" query={openSales(api)} search={OPEN} />
        <CountTile {...sales} label="Late sales orders" isBad query={lateSales(api, now)} search={lateSale} />
        <CountTile {...making} label="In production" query={inProduction(api)} />
        <CountTile {...purchases} label="Open purchase orders" query={openPurchases(api)} search={OPEN} />
        <CountTile
          {...purchases}
          label="Late purchase orders"
          isBad
          query={latePurchases(api, now)}
          search={latePurchase}
        />
        <CountTile label="Shortages" isBad scope="read:stock" query={shortages(api)} to="/planner" />
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
    </Screen>
  )
}

type Props<Row> = {
  readonly label: string
  readonly scope: string
  readonly query: UseQueryOptions<Page<Row>, Error, Page<Row>, readonly unknown[]>
  /** By its path: the list may be of another area. */
  readonly to: string
  readonly search?: Readonly<Record<string, string>>
  /** Anything above 0 wants somebody's eye. */
  readonly isBad?: boolean
}

/** A number that leads to its list. */
function CountTile<Row>({ label, scope, query, to, search, isBad = false }: Props<Row>) {
  const { can } = useSession()
  const { data: page, error, refetch } = useQuery({ ...query, enabled: can(scope) })
  const data = page && countOf(page)
  if (!can(scope)) return <Lacks scope={scope} />
  if (error) return <Failure error={error} title={label} onRetry={() => refetch()} />
  return (
    <UnstyledButton className="tile" renderRoot={props => <Link to={to} search={search as never} {...props} />}>
      <Paper withBorder p="sm" h="100%">
        <Small>{label}</Small>
        {data === undefined ? (
          <Loader role="progressbar" size="sm" aria-label={`Counting: ${label}`} />
        ) : (
          <Text
            className="numbers"
            fz={26}
            lh={1.2}
            fw={600}
            {...(isBad && data.count > 0 ? { c: 'var(--mantine-color-error)' } : {})}
          >
            {countText(data.count)}
            {data.isMore && '+'}
          </Text>
        )}
      </Paper>
    </UnstyledButton>
  )
}

const StepsToFirstOrder = lazy(async () => ({
  default: (await import('./steps-to-first-order.tsx')).StepsToFirstOrder,
}))

/** What a tenant without any sales order is shown first; a tenant that has one loads nothing of it. */
function FirstSteps() {
  const { api, can } = useSession()
  const { data: open } = useQuery({ ...openSales(api), enabled: can('read:sales') })
  return open?.data.length === 0 && <UnlessAny />
}

function UnlessAny() {
  const hasOrder = useHasAny('sales-orders', 'read:sales', useApi().salesOrders)
  if (hasOrder !== false) return null
  return (
    <Suspense>
      <StepsToFirstOrder />
    </Suspense>
  )
}

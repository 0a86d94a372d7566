/** The balances of accounts beside the same figures from their origin. */
import { Badge, Text } from '@mantine/core'
import { isZero, minus } from '../../exact.ts'
import { countText, Instant } from '../../format.tsx'
import { type Columns, Cost, column } from '../../patterns/columns.tsx'
import { DataTable } from '../../patterns/data-table.tsx'
import { Lacks } from '../../patterns/lacking.tsx'
import { PathLink } from '../../patterns/links.tsx'
import { Panel } from '../../patterns/panel.tsx'
import { useSession } from '../../session.tsx'
import { EntryDocument } from './entry-document.tsx'
import { ORDERS_MAX, type Tie, tiesQuery } from './reads.ts'

/** Both sides, with a link to the other figure. */
const sides = {
  stock: { account: 'Inventory', other: <PathLink to="/stock">value of the stock</PathLink> },
  orders: {
    account: 'Work in progress',
    other: <PathLink to="/manufacturing-orders">cost of open manufacturing orders</PathLink>,
  },
  accounts: { account: 'All accounts together', other: 'nothing: debits equal credits' },
} as const

const columns: Columns<Tie> = [
  column.shown('In the books', ({ what }) => (
    <>
      {sides[what].account}
      <Text span size="xs" display="block" hiddenFrom="sm">
        {sides[what].other}
      </Text>
    </>
  )),
  column.cost('Balance', ({ books }) => books),
  column.shown('Ties to', ({ what }) => sides[what].other, 'sm'),
  column.cost('That is', ({ there }) => there, 'sm'),
  column.shown('Outcome', tie => <Outcome of={tie} />),
]

function Outcome({ of: { books, there } }: { readonly of: Tie }) {
  if (there === null) return `More than ${countText(ORDERS_MAX)} orders are open. They were not added up.`
  const rest = minus(books, there)
  return isZero(rest) ? (
    <Badge color="green" miw="max-content">
      Ties
    </Badge>
  ) : (
    <Badge color="red" miw="max-content">
      Differs by <Cost of={rest} />
    </Badge>
  )
}

export function Ties() {
  const session = useSession()
  return (
    <>
      <Panel
        title="What ties to what"
        scope="read:accounting"
        query={tiesQuery(session)}
        isEmpty={({ ties }) => ties.length === 0}
        whenEmpty="Nothing can be compared: there is no entry, or entries are coming in faster than orders can be read."
      >
        {({ last, ties }) => (
          <>
            <DataTable label="What ties to what" columns={columns} rows={ties} rowId={({ what }) => what} />
            <Text size="xs" c="dimmed" px="sm" py="xs">
              Of all that was booked up to the last entry:{' '}
              {last && (
                <>
                  <EntryDocument of={last} inText />, <Instant at={last.created_at} />.
                </>
              )}
            </Text>
          </>
        )}
      </Panel>
      {['read:stock', 'read:manufacturing'].map(scope => !session.can(scope) && <Lacks key={scope} scope={scope} />)}
    </>
  )
}

/** A number that leads to its list. */
import { Loader, Paper, Text, UnstyledButton } from '@mantine/core'
import type { Page } from '@millrace/client'
import { type UseQueryOptions, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { countText } from '../../format.tsx'
import { countOf } from '../../lists.ts'
import { Failure } from '../../patterns/failure.tsx'
import { Lacks } from '../../patterns/lacking.tsx'
import { useSession } from '../../session.tsx'

/** By its path: the list may be of another area. */
type ListLink = { readonly to: string; readonly search?: Readonly<Record<string, string>> }

type Props<Row> = {
  readonly label: string
  readonly scope: string
  readonly query: UseQueryOptions<Page<Row>, Error, Page<Row>, readonly unknown[]>
  readonly link: ListLink
  /** Anything above 0 wants somebody's eye. */
  readonly isBad?: boolean
}

export function CountTile<Row>({ label, scope, query, link: { to, search }, isBad = false }: Props<Row>) {
  const { can } = useSession()
  const { data: page, error, refetch } = useQuery({ ...query, enabled: can(scope) })
  const data = page && countOf(page)
  if (!can(scope)) return <Lacks scope={scope} />
  if (error) return <Failure error={error} title={label} onRetry={() => refetch()} />
  const tile = (
    <Paper withBorder p="sm" h="100%">
      <Text size="xs" c="dimmed">
        {label}
      </Text>
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
  )
  return (
    <UnstyledButton className="tile" renderRoot={props => <Link to={to} search={search as never} {...props} />}>
      {tile}
    </UnstyledButton>
  )
}

/** A number that leads to its list. */
import { Loader, Paper, Text, UnstyledButton } from '@mantine/core'
import type { List } from '@millrace/client'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { countText } from '../../format.tsx'
import { countOf } from '../../lists.ts'
import { messageOf } from '../../patterns/failure.tsx'
import { useSession } from '../../session.tsx'

/** By its path: the list may be of another area. */
type ListLink = { readonly to: string; readonly search?: Readonly<Record<string, string>> }

type Props = {
  readonly label: string
  readonly scope: string
  readonly name: readonly [resource: string, ...rest: string[]]
  readonly list: (paged: { limit: number }) => List<unknown>
  readonly link: ListLink
  /** Anything above 0 wants somebody's eye. */
  readonly isBad?: boolean
}

export function CountTile({ label, scope, name, list, link, isBad = false }: Props) {
  const { can } = useSession()
  const { data, error } = useQuery({
    queryKey: [...name, 'count'],
    queryFn: () => countOf(list),
    enabled: can(scope),
  })
  const value = data && `${countText(data.count)}${data.isMore ? '+' : ''}`
  return (
    <Tile label={label} {...(can(scope) ? { link } : {})}>
      {!can(scope) ? (
        <Text size="xs" c="dimmed">
          Needs {scope}
        </Text>
      ) : error ? (
        <Text size="xs" c="red">
          {messageOf(error)}
        </Text>
      ) : value === undefined ? (
        <Loader size="sm" aria-label={`Counting: ${label}`} />
      ) : (
        <Text
          className="numbers"
          fz={26}
          lh={1.2}
          fw={600}
          {...(isBad && data?.count ? { c: 'var(--mantine-color-error)' } : {})}
        >
          {value}
        </Text>
      )}
    </Tile>
  )
}

function Tile({
  label,
  link,
  children,
}: {
  readonly label: string
  readonly link?: ListLink
  readonly children: ReactNode
}) {
  const inner = (
    <Paper withBorder p="sm" h="100%">
      <Text size="xs" c="dimmed">
        {label}
      </Text>
      {children}
    </Paper>
  )
  return link ? (
    <UnstyledButton
      className="tile"
      renderRoot={props => <Link to={link.to} search={link.search as never} {...props} />}
    >
      {inner}
    </UnstyledButton>
  ) : (
    inner
  )
}

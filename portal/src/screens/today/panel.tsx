/** A part of the first screen that reads for itself: closed, failed, empty, or its content. */
import { Skeleton } from '@mantine/core'
import { type UseQueryOptions, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Closed } from '../../patterns/closed.tsx'
import { Section } from '../../patterns/detail-page.tsx'
import { Failure } from '../../patterns/failure.tsx'
import { Empty } from '../../patterns/list-page.tsx'
import { useSession } from '../../session.tsx'

type Props<Data> = {
  readonly title: string
  readonly scope: string
  readonly query: UseQueryOptions<Data, Error, Data, readonly unknown[]>
  /** Said where there is nothing. */
  readonly whenEmpty?: string
  readonly isEmpty?: (data: Data) => boolean
  readonly aside?: ReactNode
  readonly children: (data: Data) => ReactNode
}

export function Panel<Data>({ title, scope, query, whenEmpty, isEmpty, aside, children }: Props<Data>) {
  const { can } = useSession()
  const { data, error, refetch } = useQuery({ ...query, enabled: can(scope) })
  return (
    <Section title={title} aside={aside}>
      {!can(scope) ? (
        <Closed scope={scope} />
      ) : error ? (
        <Failure error={error} onRetry={() => refetch()} />
      ) : data === undefined ? (
        <Skeleton h={120} m="md" />
      ) : isEmpty?.(data) ? (
        <Empty>{whenEmpty}</Empty>
      ) : (
        children(data)
      )}
    </Section>
  )
}

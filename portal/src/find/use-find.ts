/** Queries all sources for the typed text, and returns the results in groups. */
import { useDebouncedValue } from '@mantine/hooks'
import { useQueries } from '@tanstack/react-query'

import type { Result } from '../noun.ts'
import { useSession } from '../session.tsx'
import { type Source, scans, sources } from './sources.ts'

export type Group = { readonly label: string; readonly results: readonly Result[] }

/** A single letter occurs in nearly every text. */
export const LETTERS_MIN = 2

export function useFind(typing: string) {
  const { api, can } = useSession()
  const [q] = useDebouncedValue(typing, 250)
  const asked: readonly Source[] =
    q.length < LETTERS_MIN ? [] : sources.filter(({ scope, takes }) => can(scope) && (takes?.test(q) ?? true))
  const found = useQueries({
    queries: asked.map(source => ({
      queryKey: ['find', source.label, q],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) => source.find(api, q, signal),
    })),
  })
  const groups = withMeant(found.map(({ data = [] }, index) => ({ label: asked[index]?.label ?? '', results: data })))
  const hasExact = ({ results }: Group) => (results.some(({ isExact }) => isExact) ? 0 : 1)
  return {
    groups: groups.toSorted((one, other) => hasExact(one) - hasExact(other)),
    /** Whether all sources have answered for the present text. */
    isAnswered: q === typing && found.every(({ isPending }) => !isPending),
    error: found.find(({ error }) => error !== null)?.error ?? null,
    isPaused: found.some(({ isPaused }) => isPaused),
  }
}

/** Records that the text means as a code come first in their group. Those without another group have one of their own. */
function withMeant(all: readonly Group[]): readonly Group[] {
  const isScan = ({ label }: Group) => label === scans.label
  const meant = new Set(all.find(isScan)?.results.map(({ to }) => to))
  const others = all.filter(group => !isScan(group))
  const there = new Set(others.flatMap(({ results }) => results.map(({ to }) => to)))
  const exact = ({ isExact }: Result) => Number(isExact ?? false)
  return all
    .map(group => ({
      ...group,
      results: isScan(group)
        ? group.results.filter(({ to }) => !there.has(to))
        : group.results
            .map(result => (meant.has(result.to) ? { ...result, isExact: true } : result))
            .toSorted((one, other) => exact(other) - exact(one)),
    }))
    .filter(({ results }) => results.length > 0)
}

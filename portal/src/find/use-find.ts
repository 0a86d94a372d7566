/** Asks all sources for what is typed, and tells what they found in groups. */
import { useDebouncedValue } from '@mantine/hooks'
import { useQueries } from '@tanstack/react-query'
import type { Result } from '../noun.ts'
import { useSession } from '../session.tsx'
import { type Source, sources } from './sources.ts'

export type Group = { readonly label: string; readonly results: readonly Result[] }

/** One letter is part of nearly everything. */
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
  const groups = found.flatMap(({ data = [] }, index): Group[] =>
    data.length === 0 ? [] : [{ label: asked[index]?.label ?? '', results: data }],
  )
  const hasExact = ({ results }: Group) => (results.some(({ isExact }) => isExact) ? 0 : 1)
  return {
    groups: groups.toSorted((one, other) => hasExact(one) - hasExact(other)),
    /** Whether all sources have answered for the text that stands there. */
    isAnswered: q === typing && found.every(({ isPending }) => !isPending),
    error: found.find(({ error }) => error !== null)?.error ?? null,
    isPaused: found.some(({ isPaused }) => isPaused),
  }
}

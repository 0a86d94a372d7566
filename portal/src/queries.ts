/** What was read and is kept while the page is open. */
import { ApiError } from '@millrace/client'
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'

/** Told when an answer says that the key is valid no more. */
export const keyRefused = new EventTarget()

export function tellRefusal(error: unknown): void {
  if (error instanceof ApiError && error.status === 401) keyRefused.dispatchEvent(new Event('refused'))
}

export const queries = new QueryClient({
  queryCache: new QueryCache({ onError: tellRefusal }),
  mutationCache: new MutationCache({ onError: tellRefusal }),
  defaultOptions: {
    queries: {
      // The client repeats what may be repeated.
      retry: false,
      staleTime: 15_000,
      // A record carries its ETag beside it, which a merged copy would lose.
      structuralSharing: false,
    },
    // Offline, a write fails and can be tried again; it must not happen later unseen.
    mutations: { retry: false, networkMode: 'always' },
  },
})

/** What was read and is kept while the page is open. */
import { ApiError, ConnectionError } from '@millrace/client'
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'

/** Told when an answer says that the key is valid no more. */
export const keyRefused = new EventTarget()

export function tellRefusal(error: unknown): void {
  if (error instanceof ApiError && error.status === 401) keyRefused.dispatchEvent(new Event('refused'))
}

const UNREACHED_MS = 10_000

export const queries = new QueryClient({
  queryCache: new QueryCache({ onError: tellRefusal }),
  mutationCache: new MutationCache({ onError: tellRefusal }),
  defaultOptions: {
    queries: {
      // The client repeats what may be repeated.
      retry: false,
      staleTime: 15_000,
      // What did not reach the service is read as soon as it does.
      refetchInterval: ({ state: { error } }) => (error instanceof ConnectionError ? UNREACHED_MS : false),
      // A record carries its ETag beside it, which a merged copy would lose.
      structuralSharing: false,
    },
    // Offline, a write fails and can be tried again; it must not happen later unseen.
    mutations: { retry: false, networkMode: 'always' },
  },
})

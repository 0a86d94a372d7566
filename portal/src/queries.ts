/** The cache of answers while the page is open. */
import { ApiError, ConnectionError } from '@millrace/client'
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'

/** Has an event when an answer says that the key is no longer valid. */
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
      // The client itself repeats requests.
      retry: false,
      staleTime: 15_000,
      // Requests that did not reach the service are repeated until they do.
      refetchInterval: ({ state: { error } }) => (error instanceof ConnectionError ? UNREACHED_MS : false),
      // The ETag of a record is kept beside the object. A merged copy would lose it.
      structuralSharing: false,
    },
    // Without a connection a write fails and can be tried again. It must not be sent later without the person's knowledge.
    mutations: { retry: false, networkMode: 'always' },
  },
})

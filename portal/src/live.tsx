/**
 * The event stream. All tabs of this browser with the same key share one: the tab with the lock reads the stream and passes events on to
 * the others. Every tab gets each event once, in order, and reloads the data that the event changes.
 */
import { ApiError, responseOf } from '@millrace/client'
import { useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'
import { eventTexts } from './api.ts'
import { isShort } from './lists.ts'
import { touchedBy } from './nouns.ts'
import { tellRefusal } from './queries.ts'
import { useSession } from './session.tsx'

/** Events often come in groups, so they are collected for this long. */
const REFRESH_MS = 1_000
/** While events keep coming, the shown data is reloaded at most once in this time: the key's rate is for its integration too. */
const GAP_MS = 5_000
/** The wait after a stream that could not be opened. */
const RETRY_MS = 15_000

/** Gets an event as the service wrote it. */
type Listener = (text: string) => void

type Live = {
  /** Null for a key that may not read events. */
  readonly isOpen: boolean | null
  /** Passes every event from now on to the listener. Returns a function that ends this. */
  readonly subscribe: (listener: Listener) => () => void
  /** Resolves when all events after this moment will arrive. */
  readonly begun: Promise<void>
}

const LiveContext = createContext<Live | null>(null)

export function useLive(): Live {
  const live = useContext(LiveContext)
  if (!live) throw new Error('nothing follows the events')
  return live
}

export function LiveProvider({ children }: { readonly children: ReactNode }) {
  const { api, token, me, can } = useSession()
  const client = useQueryClient()
  const isAllowed = can('read:webhooks')
  const [isOpen, setOpen] = useState(false)
  const feed = useMemo(feedOf, [])

  useEffect(() => {
    if (!isAllowed) return
    const controller = new AbortController()
    const { signal } = controller
    const lastEvent = async () => responseOf(await api.events.list({ limit: 1 }, { signal }))?.event_sequence ?? 0
    follow({ token, name: `millrace events ${me.key_id}`, lastEvent, feed, onOpen: setOpen }, signal).catch(error => {
      // A stream that was replaced must not report on the stream that replaced it.
      if (signal.aborted) return
      setOpen(false)
      tellRefusal(error)
    })
    return () => controller.abort()
  }, [api, token, me.key_id, isAllowed, feed])

  useEffect(() => {
    const due = new Set<string>()
    let timer: ReturnType<typeof setTimeout> | undefined
    let refreshed = 0
    const refresh = () => {
      timer = undefined
      refreshed = Date.now()
      const resources = new Set(due)
      due.clear()
      const isDue = (resource: unknown) => resources.has(String(resource))
      // A hidden tab reloads its data when the person comes back to it.
      client.invalidateQueries({
        refetchType: document.hidden ? 'none' : 'active',
        predicate: ({ queryKey: [resource], state: { data } }) => isDue(resource) && isShort(data),
      })
      // Data that is not shown is only marked as old.
      client.invalidateQueries({ refetchType: 'none', predicate: ({ queryKey: [resource] }) => isDue(resource) })
    }
    const end = feed.subscribe(text => {
      const { type }: { type: string } = JSON.parse(text)
      for (const resource of touchedBy(type.split('.')[0] ?? '')) due.add(resource)
      timer ??= setTimeout(refresh, Math.max(REFRESH_MS, refreshed + GAP_MS - Date.now()))
    })
    return () => {
      end()
      clearTimeout(timer)
    }
  }, [client, feed])

  const live = useMemo(() => ({ ...feed, isOpen: isAllowed ? isOpen : null }), [feed, isAllowed, isOpen])
  return <LiveContext value={live}>{children}</LiveContext>
}

type Feed = ReturnType<typeof feedOf>

function feedOf() {
  const listeners = new Set<Listener>()
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  return {
    begun,
    begin,
    tell: (text: string) => {
      for (const listener of listeners) listener(text)
    },
    subscribe: (listener: Listener) => {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
  }
}

type Following = {
  readonly token: string
  /** The name of the lock and of the channel, which tabs with the same key share. */
  readonly name: string
  readonly lastEvent: () => Promise<number>
  readonly feed: Feed
  readonly onOpen: (isOpen: boolean) => void
}

/** Does not end by itself. Rejects with an error that trying again would not repair. */
async function follow({ token, name, lastEvent, feed, onOpen }: Following, signal: AbortSignal): Promise<void> {
  const channel = new BroadcastChannel(name)
  signal.addEventListener('abort', () => channel.close())
  let last: number | null = null
  const early: string[] = []
  const hear = (text: string) => {
    if (last === null) {
      early.push(text)
      return
    }
    const { sequence }: { sequence: number } = JSON.parse(text)
    if (sequence <= last) return
    last = sequence
    feed.tell(text)
  }
  channel.onmessage = ({ data }) => hear(data)
  const lead = async () => {
    for await (const text of eventTexts(token, { after_sequence: last ?? 0 }, signal)) {
      hear(text)
      channel.postMessage(text)
    }
  }
  for (;;) {
    try {
      last ??= await lastEvent()
      early.splice(0).forEach(hear)
      feed.begin()
      onOpen(true)
      // Without locks (a page over bare HTTP) each tab reads its own stream.
      await (navigator.locks ? navigator.locks.request(name, { signal }, lead) : lead())
    } catch (error) {
      if (signal.aborted || (error instanceof ApiError && (error.status === 401 || error.status === 403))) throw error
      onOpen(false)
      await new Promise(resolve => setTimeout(resolve, RETRY_MS))
    }
  }
}

/**
 * What was filled into forms and not sent, kept in this tab's session: it survives reloads and ways back, and is gone with the tab or the
 * sign-out. The key of the session is never part of it.
 */
import { useSyncExternalStore } from 'react'

export type Draft = {
  /** When it was last changed. */
  readonly at: string
  readonly values: object
  /** What the form began with. */
  readonly before: object
  /** The record as the person saw it, and its ETag; null for one that is to be made. */
  readonly seen: object | null
  readonly etag: string | null
  readonly idempotencyKey: string
  /** Whether it was sent and no answer came: the service may have booked it. */
  readonly isSent: boolean
}

const PREFIX = 'millrace.draft.'
const DRAFTS_MAX = 20
const CHARACTERS_MAX = 100_000

const changes = new EventTarget()
const tellChange = () => changes.dispatchEvent(new Event('change'))

const names = (): string[] => Object.keys(sessionStorage).filter(name => name.startsWith(PREFIX))

export function readDraft(name: string): Draft | null {
  const text = sessionStorage.getItem(PREFIX + name)
  return text === null ? null : JSON.parse(text)
}

/** False where it is too long to be kept. */
export function writeDraft(name: string, draft: Omit<Draft, 'at'>): boolean {
  const text = JSON.stringify({ ...draft, at: new Date().toISOString() })
  const isKept = text.length <= CHARACTERS_MAX && stored(PREFIX + name, text)
  if (isKept) dropOldest(DRAFTS_MAX)
  else sessionStorage.removeItem(PREFIX + name)
  tellChange()
  return isKept
}

export function dropDraft(name: string): void {
  if (sessionStorage.getItem(PREFIX + name) === null) return
  sessionStorage.removeItem(PREFIX + name)
  tellChange()
}

export function dropAllDrafts(): void {
  for (const name of names()) sessionStorage.removeItem(name)
  tellChange()
}

/** Whether there is one of this name, as long as the component shows. */
export const useHasDraft = (name: string): boolean =>
  useSyncExternalStore(
    told => {
      changes.addEventListener('change', told)
      return () => changes.removeEventListener('change', told)
    },
    () => sessionStorage.getItem(PREFIX + name) !== null,
  )

function stored(name: string, text: string): boolean {
  try {
    sessionStorage.setItem(name, text)
    return true
  } catch {
    // The browser keeps no more.
    return false
  }
}

function dropOldest(left: number): void {
  const all = names()
  if (all.length <= left) return
  const at = (name: string) => (JSON.parse(sessionStorage.getItem(name) ?? '') as Draft).at
  const byAge = all.toSorted((one, other) => at(one).localeCompare(at(other)))
  for (const name of byAge.slice(0, all.length - left)) sessionStorage.removeItem(name)
}

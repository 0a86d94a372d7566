/**
 * Unsent inputs of forms, kept in the session storage of this tab. They survive reloads and the back button, and are removed with the tab
 * and at sign-out. The session's key is never part of them.
 */
import { useSyncExternalStore } from 'react'

export type Draft = {
  /** When the draft was last changed. */
  readonly at: string
  readonly values: object
  /** The values with which the form began. */
  readonly before: object
  /** The record as the person saw it, and its ETag; null for a new record. */
  readonly seen: object | null
  readonly etag: string | null
  readonly idempotencyKey: string
  /** Whether the form was sent and no answer came. Then the service may have booked it. */
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

/** False: the draft is too long to be kept. */
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

/** Whether there is a draft with this name. Updated while the component is shown. */
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
    // The browser's storage is full.
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

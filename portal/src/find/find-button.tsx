/** Opens the search from every screen: by a button, by Ctrl-K, or by `/` outside of fields. */
import { ActionIcon } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { MagnifyingGlassIcon } from '@radix-ui/react-icons'
import { type ComponentType, useEffect, useState } from 'react'

type Find = ComponentType<{ readonly onClose: () => void }>

/** The search is loaded after the first screen, so that it works without a connection. */
const AHEAD_MS = 4_000
const load = () => import('./find.tsx')

export function FindButton() {
  const [found, setFound] = useState<{ readonly Find: Find } | null>(null)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isAsked = event.key === '/' ? !isField(event.target) : event.key === 'k' && (event.ctrlKey || event.metaKey)
      // An open form has unsent inputs, so the search does not open then.
      if (!isAsked || document.querySelector('[role=dialog]')) return
      event.preventDefault()
      load().then(setFound, tellUnloaded)
    }
    const timer = setTimeout(() => load().catch(() => {}), AHEAD_MS)
    document.addEventListener('keydown', onKey)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('keydown', onKey)
    }
  }, [])
  return (
    <>
      <ActionIcon
        variant="subtle"
        onClick={() => load().then(setFound, tellUnloaded)}
        aria-label="Find"
        title="Find (Ctrl-K or /)"
      >
        <MagnifyingGlassIcon aria-hidden />
      </ActionIcon>
      {found && <found.Find onClose={() => setFound(null)} />}
    </>
  )
}

const tellUnloaded = () => notifications.show({ message: 'The search could not be loaded', color: 'orange' })

const isField = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null

/** Words where the key lacks a scope. Parts of a screen are left out; once, below them, the screen says which scopes the key lacks. */
import { Code, Text } from '@mantine/core'
import { useEffect, useSyncExternalStore } from 'react'
import { Empty } from './empty.tsx'
import { scopeWords } from './in-words.ts'

/** The scopes of the parts that are left out now, one entry for each part. */
let scopes: readonly string[] = []
const changes = new EventTarget()

function set(next: readonly string[]): void {
  scopes = next
  changes.dispatchEvent(new Event('change'))
}

const subscribe = (told: () => void) => {
  changes.addEventListener('change', told)
  return () => changes.removeEventListener('change', told)
}

/** Replaces a part that is left out. */
export function Lacks({ scope }: { readonly scope: string }) {
  useEffect(() => {
    set([...scopes, scope])
    return () => set(scopes.toSpliced(scopes.indexOf(scope), 1))
  }, [scope])
  return null
}

export function LackingNote() {
  const lacking = [...new Set(useSyncExternalStore(subscribe, () => scopes))].toSorted()
  if (lacking.length === 0) return null
  return (
    <Text size="sm" c="dimmed" mt="md" role="note">
      Parts of this screen are left out: the key may not{' '}
      {lacking.map((scope, index) => (
        <span key={scope}>
          {index > 0 && ', '}
          {scopeWords(scope)} (<Code>{scope}</Code>)
        </span>
      ))}
      .
    </Text>
  )
}

/** In place of a screen or a part that stands alone. */
export function Closed({ scope }: { readonly scope: string }) {
  return (
    <Empty>
      <Text size="sm">
        Closed to this key: it may not {scopeWords(scope)}. It lacks the scope <Code>{scope}</Code>. Who runs the
        service can issue a key that has it.
      </Text>
    </Empty>
  )
}

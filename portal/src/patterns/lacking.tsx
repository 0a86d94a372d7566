/** Parts of a screen that a key may not see are left out; once, below them, the screen says which scopes the key lacks. */
import { Code, Text } from '@mantine/core'
import { useEffect, useSyncExternalStore } from 'react'
import { scopeWords } from './in-words.ts'

/** The scopes of the parts that are left out now, one entry each. */
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

/** In place of a part that is left out. */
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

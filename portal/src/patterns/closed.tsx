/** Words where the key lacks a scope. */
import { Code, Text } from '@mantine/core'
import { Empty } from './empty.tsx'
import { scopeWords } from './in-words.ts'

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

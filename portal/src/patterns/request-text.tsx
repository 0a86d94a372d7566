/** A request in words, and as the interface calls it. */
import { Code, Text } from '@mantine/core'
import { requestWords } from './in-words.ts'

export const RequestText = ({ method, path }: { readonly method: string; readonly path: string }) => (
  <>
    <Text size="sm">{requestWords(method, path)}</Text>
    <Code className="address">
      {method} {path}
    </Code>
  </>
)

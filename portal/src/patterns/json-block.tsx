/** A document as JSON, its numbers as they were written (`verbatim` of the session). */
import { Code, ScrollArea } from '@mantine/core'

export function JsonBlock({ label, value }: { readonly label: string; readonly value: unknown }) {
  return (
    <ScrollArea.Autosize mah={420} type="auto" viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': label }}>
      <Code block className="json">
        {JSON.stringify(value, null, 2)}
      </Code>
    </ScrollArea.Autosize>
  )
}

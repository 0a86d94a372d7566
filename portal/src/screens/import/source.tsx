/** The text of an import: from a file, or pasted by the person. */
import { Button, FileInput, Group, Stack, Textarea } from '@mantine/core'
import { useState } from 'react'

export type Source = {
  /** Identifies this choice. */
  readonly key: number
  /** The file name without its ending. */
  readonly name: string
  readonly text: string
}

/** A text of this size is read in an instant. */
const BYTES_MAX = 20_000_000

type Props = { readonly onChange: (source: Source | null) => void }

export function FileSource({ onChange }: Props) {
  const [isPasting, setPasting] = useState(false)
  const [pasted, setPasted] = useState('')
  const [fault, setFault] = useState<string | null>(null)
  const choose = async (file: File | null) => {
    setFault(null)
    onChange(null)
    if (file === null) return
    const text = await textOf(file)
    if (text === null) setFault('It is not UTF-8, or larger than 20 MB. Save it as “CSV UTF-8”.')
    else onChange({ key: Math.random(), name: file.name.replace(/\.[^.]*$/, ''), text })
  }
  return (
    <Stack gap="xs">
      <Group align="flex-end" gap="xs" wrap="nowrap">
        <FileInput
          label="CSV file"
          placeholder="Choose a file"
          accept=".csv,.txt,text/csv"
          clearable
          style={{ flex: 1 }}
          clearButtonProps={{ 'aria-label': 'Clear the file' }}
          error={fault}
          // A browser tells nothing of a file that is chosen again, although it may have been mended.
          fileInputProps={{
            onClick: event => {
              event.currentTarget.value = ''
            },
          }}
          onChange={choose}
        />
        <Button variant="default" aria-expanded={isPasting} onClick={() => setPasting(!isPasting)}>
          Paste
        </Button>
      </Group>
      {isPasting && (
        <>
          <Textarea
            label="Pasted lines"
            autosize
            minRows={4}
            maxRows={12}
            value={pasted}
            onChange={event => setPasted(event.currentTarget.value)}
          />
          <Group>
            <Button
              variant="default"
              disabled={pasted.trim() === ''}
              onClick={() => onChange({ key: Math.random(), name: 'pasted', text: pasted })}
            >
              Read what is pasted
            </Button>
          </Group>
        </>
      )}
    </Stack>
  )
}

/** Null: it is too large or not UTF-8. */
async function textOf(file: File): Promise<string | null> {
  if (file.size > BYTES_MAX) return null
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer())
  } catch {
    return null
  }
}

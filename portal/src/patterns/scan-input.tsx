/** An input for scanned codes in a form: Enter looks up the code, and the form takes the result. */
import { TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type KeyboardEvent, useRef, useState } from 'react'
import type { Scan } from '../records.ts'
import { useSession } from '../session.tsx'
import { useCamera } from './camera.tsx'
import { failureText } from './failure.tsx'
import { useFirstFocus } from './form-focus.ts'

type Props = {
  /** Takes the scan into the form. @returns why it cannot; null: it was taken */
  readonly onScan: (scan: Scan) => string | null
  /** Whether several codes are scanned in a row. Then the camera stays on. */
  readonly isSeries?: boolean
}

export function ScanInput({ onScan, isSeries = false }: Props) {
  const { api, can } = useSession()
  const first = useRef<HTMLInputElement>(null)
  useFirstFocus(first)
  const [code, setCode] = useState('')
  const [wrong, setWrong] = useState<string | null>(null)
  const told = (read: string, fault: string | null) => setWrong(fault && `${read}: ${fault}`)
  const { mutate: scan } = useMutation({
    mutationFn: (code: string) => api.scan({ code }),
    onSuccess: (scan, read) => told(read, onScan(scan)),
    onError: (error, read) => told(read, failureText(error)),
  })
  const { button, view } = useCamera({ staysOpen: isSeries, onCode: read => scan(read) })
  if (!can('read:stock')) return null
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
    // Without this Enter would send the form.
    event.preventDefault()
    if (code.trim() === '') return
    scan(code.trim())
    // What a scanner types next begins a code of its own, whatever becomes of this one.
    setCode('')
  }
  return (
    <>
      <TextInput
        // Where codes come one after another the page is for them.
        {...(isSeries ? { ref: first } : {})}
        label="Scan"
        description="A code of the goods or their batch, then Enter"
        value={code}
        onChange={event => {
          setCode(event.currentTarget.value)
          setWrong(null)
        }}
        onKeyDown={onKeyDown}
        error={wrong}
        autoComplete="off"
        autoCapitalize="off"
        rightSection={button}
      />
      {view}
    </>
  )
}

/** Moves the focus to the input of this field in the open form. */
export const focusField = (path: string): void =>
  document.querySelector<HTMLElement>(`[role=dialog] [data-path="${CSS.escape(path)}"]`)?.focus()

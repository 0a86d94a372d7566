/** Where a scanner types a code in a form: Enter asks what it means, and the form takes it. */
import { TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type KeyboardEvent, useState } from 'react'
import type { Scan } from '../records.ts'
import { useSession } from '../session.tsx'
import { useCamera } from './camera.tsx'
import { failureText } from './failure.tsx'

type Props = {
  /** Takes what was read into the form. @returns why it cannot; null: it did */
  readonly onScan: (scan: Scan) => string | null
  /** Whether one code follows another: the camera stays on. */
  readonly isSeries?: boolean
}

export function ScanInput({ onScan, isSeries = false }: Props) {
  const { api, can } = useSession()
  const [code, setCode] = useState('')
  const [wrong, setWrong] = useState<string | null>(null)
  const scanning = useMutation({
    mutationFn: (code: string) => api.scan({ code }),
    onSuccess: scan => {
      const fault = onScan(scan)
      setWrong(fault)
      if (fault === null) setCode('')
    },
    onError: error => setWrong(failureText(error)),
  })
  const { button, view } = useCamera({
    staysOpen: isSeries,
    onCode: read => {
      setCode(read)
      scanning.mutate(read)
    },
  })
  if (!can('read:stock')) return null
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
    // Enter would send the form.
    event.preventDefault()
    if (code.trim() !== '' && !scanning.isPending) scanning.mutate(code.trim())
  }
  return (
    <>
      <TextInput
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

/** The input of this field of the form that is open. */
export const focusField = (path: string): void =>
  document.querySelector<HTMLElement>(`[role=dialog] [data-path="${CSS.escape(path)}"]`)?.focus()

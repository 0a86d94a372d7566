/** The buttons that add a line to a form, going on in its first field, and take one away. */
import { ActionIcon, Button } from '@mantine/core'
import { Cross2Icon } from '@radix-ui/react-icons'
import type { ReactNode } from 'react'
import { flushSync } from 'react-dom'

type Props = {
  readonly onAdd: () => void
  readonly disabled?: boolean
  readonly 'aria-label'?: string
  readonly children: ReactNode
}

const FIELDS = 'input, textarea'

export function addLine(within: Element, onAdd: () => void): void {
  const form = within.closest('form')
  const before = new Set(form?.querySelectorAll(FIELDS))
  flushSync(onAdd)
  const added = [...(form?.querySelectorAll<HTMLElement>(FIELDS) ?? [])].find(field => !before.has(field))
  added?.focus()
}

export const AddLine = ({ onAdd, ...props }: Props) => (
  <Button variant="subtle" size="xs" {...props} onClick={({ currentTarget }) => addLine(currentTarget, onAdd)} />
)

type RemoveProps = { readonly what: string; readonly onRemove: () => void; readonly disabled?: boolean }

export const RemoveLine = ({ what, onRemove, ...props }: RemoveProps) => (
  <ActionIcon variant="default" size={36} aria-label={`Remove ${what}`} onClick={onRemove} {...props}>
    <Cross2Icon aria-hidden />
  </ActionIcon>
)

/** The button that adds a line to a form and goes on in the first field of the line. */
import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { flushSync } from 'react-dom'

type Props = {
  readonly onAdd: () => void
  readonly disabled?: boolean
  readonly 'aria-label'?: string
  readonly children: ReactNode
}

const FIELDS = 'input, textarea'

/** @param within an element of the form. */
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

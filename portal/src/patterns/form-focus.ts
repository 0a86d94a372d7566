/** Where the keyboard goes on in an open form: in the first field that is refused, on the button that was pressed, beside a line that is gone. */
import { type FocusEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'

type State = {
  /** A button that waits for its answer is disabled, and a disabled button loses the focus. */
  readonly isPending: boolean
  readonly isDone: boolean
}

export function useFormFocus({ isPending, isDone }: State) {
  const ref = useRef<HTMLFormElement>(null)
  const pressed = useRef<HTMLElement | null>(null)
  const focused = useRef<HTMLElement | null>(null)
  const around = useRef<readonly Element[]>([])
  const [refusals, setRefusals] = useState(0)
  useLayoutEffect(() => {
    if (isPending) pressed.current = document.activeElement as HTMLElement | null
  }, [isPending])
  useEffect(() => {
    if (isPending || isDone || pressed.current === null) return
    if (!focusRefused(ref.current)) pressed.current.focus()
    pressed.current = null
  }, [isPending, isDone])
  useEffect(() => {
    if (refusals > 0) focusRefused(ref.current)
  }, [refusals])
  // A line that is removed takes the focus along: outside of the dialog, if nobody holds it.
  useLayoutEffect(() => {
    if (focused.current === null || focused.current.isConnected) return
    focused.current = null
    const group = around.current.find(element => element.isConnected)
    const add = [...(group?.querySelectorAll<HTMLElement>('button:enabled') ?? [])].at(-1)
    ;(add ?? ref.current)?.focus()
  })
  const onFocus = ({ target }: FocusEvent<HTMLElement>) => {
    focused.current = target
    around.current = fieldsetsOf(target)
  }
  // A rule of the form itself may refuse, too.
  return { ref, onFocus, toRefused: () => setRefusals(count => count + 1) }
}

function focusRefused(form: HTMLFormElement | null): boolean {
  const refused = form?.querySelector<HTMLElement>('[aria-invalid=true]')
  refused?.focus()
  return refused != null
}

function fieldsetsOf(element: Element): readonly Element[] {
  const fieldset = element.parentElement?.closest('fieldset')
  return fieldset ? [fieldset, ...fieldsetsOf(fieldset)] : []
}

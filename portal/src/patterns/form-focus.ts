/**
 * Where the keyboard is in an open form: in its first field, then in the first that is refused, on the button that was pressed, beside a line
 * that is gone.
 */
import { type FocusEvent, type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'

type State = {
  /** A button that waits for its answer is disabled, and a disabled button loses the focus. */
  readonly isPending: boolean
  readonly isDone: boolean
}

/** The frame moves the focus to a new screen as a whole: the first field of its form is where the keyboard goes on. */
export function useFirstFocus(form: RefObject<HTMLElement | null>, opened = 0): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: so does a form that begins anew.
  useEffect(() => {
    const timer = setTimeout(() => focusFirst(form.current))
    return () => clearTimeout(timer)
  }, [form, opened])
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
  // A removed line that had the focus would leave it outside of the dialog.
  useLayoutEffect(() => {
    if (focused.current === null || focused.current.isConnected) return
    focused.current = null
    const group = around.current.find(element => element.isConnected)
    const add = [...(group?.querySelectorAll<HTMLElement>('button:enabled') ?? [])].at(-1)
    ;(add ?? ref.current)?.focus()
  })
  // A dialog gives the focus to its form, whose fields may come once they are read. Later a press beside a field gives it to the form, too.
  const isUsed = useRef(false)
  const begin = useEffectEvent(() => {
    if (!isUsed.current && document.activeElement === ref.current) focusFirst(ref.current)
  })
  useEffect(() => {
    const coming = new MutationObserver(() => begin())
    if (ref.current) coming.observe(ref.current, { childList: true, subtree: true })
    return () => coming.disconnect()
  }, [])
  const onFocus = ({ target, currentTarget }: FocusEvent<HTMLElement>) => {
    if (target === currentTarget && !isUsed.current) return focusFirst(target)
    focused.current = target
    around.current = fieldsetsOf(target)
  }
  const use = () => {
    isUsed.current = true
  }
  const handlers = { onFocus, onPointerDownCapture: use, onKeyDownCapture: use }
  // A rule of the form itself may refuse, too.
  return { ref, handlers, toRefused: () => setRefusals(count => count + 1) }
}

/** As Tab does: what stands in the field is replaced by what is typed. */
function focusFirst(form: HTMLElement | null): void {
  const fields = [form, ...(form?.querySelectorAll('input, textarea') ?? [])] as HTMLInputElement[]
  const usable = fields.filter(field => field?.matches('input:enabled, textarea:enabled') && field.checkVisibility())
  // A box beside a line says how its quantity is meant.
  const first = usable.find(({ type }) => type !== 'checkbox') ?? usable[0]
  first?.focus({ preventScroll: true })
  first?.select()
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

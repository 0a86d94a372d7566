/**
 * Keys in fields: Tab selects the text, also in dialogs, where the library itself moves the focus. In a field with a list, Enter belongs to
 * the list.
 */

/** Typed text then replaces the old one: a quantity of 1 becomes 5, not 15. */
export function selectOnTab(): void {
  let isTab = false
  const of = (event: Event) => {
    isTab = event instanceof KeyboardEvent && event.key === 'Tab' && event.type === 'keydown'
  }
  for (const kind of ['keydown', 'keyup', 'pointerdown']) document.addEventListener(kind, of, true)
  document.addEventListener('focusin', ({ target }) => {
    if (isTab && target instanceof HTMLInputElement) target.select()
  })
}

/** Whether Enter chooses from a list in this field. */
export const isListField = (target: EventTarget): boolean =>
  target instanceof Element && target.getAttribute('aria-haspopup') === 'listbox'

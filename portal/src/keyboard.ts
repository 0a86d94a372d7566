/** What keys mean in fields: Tab selects their text, also in dialogs, where the library moves the focus itself; Enter is of the list of some. */

/** What is typed then replaces what stands there: a quantity of 1 becomes 5, not 15. */
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

/** Whether Enter chooses in a field. */
export const isListField = (target: EventTarget): boolean =>
  target instanceof Element && target.getAttribute('aria-haspopup') === 'listbox'

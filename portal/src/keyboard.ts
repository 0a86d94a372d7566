/** The text of a field is selected when the Tab key leads to the field, also in dialogs, where the library moves the focus itself. */

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

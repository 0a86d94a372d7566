/** Where a keyboard goes on when the button that opens a form leaves the page or is closed: in the main part of the screen. */
import { type RefObject, useLayoutEffect, useRef } from 'react'

type Button = RefObject<HTMLButtonElement | null>

/**
 * @param isOpen whether the form is open: it holds the focus then.
 * @param isClosed whether the button can be pressed no more.
 */
export function useLostFocus(button: Button, isOpen: boolean, isClosed: boolean): void {
  const holds = useRef(isOpen)
  useLayoutEffect(() => {
    const element = button.current
    holds.current = isOpen
    // A closed button has no focus to lose.
    if (isClosed && !isOpen) return
    return () => queueMicrotask(() => isUsable(element) || goOnFrom(element, holds.current))
  }, [button, isOpen, isClosed])
}

const isUsable = (button: HTMLButtonElement | null): boolean => button?.isConnected === true && !button.disabled

function goOnFrom(button: HTMLButtonElement | null, isOpen: boolean): void {
  const focused = document.activeElement
  const isLeft = !isOpen && focused?.closest('[role=dialog]')
  if (focused === null || focused === document.body || focused === button || isLeft)
    document.getElementById('main')?.focus({ preventScroll: true })
}

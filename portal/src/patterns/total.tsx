/** A total in the currency's own decimals; where that cuts digits it says so, and shows all of them when pressed. */
import { UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import type { Decimal } from '../exact.ts'
import { moneyText, totalText } from '../format.tsx'

export function Total({ of, currency }: { readonly of: Decimal; readonly currency: string }) {
  const [isWhole, setWhole] = useState(false)
  const [rounded, whole] = [totalText(of, currency), moneyText(of, currency)]
  if (rounded === whole) return rounded
  return (
    <UnstyledButton
      fz="inherit"
      fw="inherit"
      title={isWhole ? `Rounded: ${rounded}` : `All digits: ${whole}`}
      aria-pressed={isWhole}
      onClick={() => setWhole(!isWhole)}
    >
      {isWhole ? whole : `≈ ${rounded}`}
    </UnstyledButton>
  )
}

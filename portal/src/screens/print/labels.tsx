/** Labels in as many copies as the address says. */
import { TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { Barcode } from './barcode.tsx'

const COPIES_MAX = 200
/** Longer texts take the width of the page. */
const NARROW_MAX = 28

/** One unless told. */
export const copiesOf = (text = '1'): number =>
  /^\d{1,3}$/.test(text) ? Math.min(Math.max(Number(text), 1), COPIES_MAX) : 1

type CopiesProps = { readonly value: string | undefined; readonly onChange: (value: string | undefined) => void }

export const Copies = ({ value, onChange }: CopiesProps) => (
  <TextInput
    label="Copies"
    type="number"
    min={1}
    max={COPIES_MAX}
    w={90}
    value={value ?? '1'}
    onChange={event => onChange(event.currentTarget.value || undefined)}
  />
)

type Props = {
  readonly copies: number
  readonly title: string
  readonly lines: readonly (string | null)[]
  /** What scanners read; none for what has no text of its own. */
  readonly code: string | null
}

export const Labels = ({ copies, title, lines, code }: Props): ReactNode => (
  <div className="labels">
    {Array.from({ length: copies }, (_, copy) => copy).map(copy => (
      <div key={copy} className={code !== null && code.length > NARROW_MAX ? 'label wide' : 'label'}>
        <strong>{title}</strong>
        {lines.filter(Boolean).map(line => (
          <small key={line}>{line}</small>
        ))}
        {code !== null && (
          <>
            <Barcode text={code} />
            <small>{code}</small>
          </>
        )}
      </div>
    ))}
  </div>
)

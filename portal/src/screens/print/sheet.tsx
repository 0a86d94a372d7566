/** A printed paper: its title, facts and tables, and the button that prints it. */
import { Button, Group } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Decimal } from '../../exact.ts'
import { addressLines, type Written } from '../../patterns/addresses.tsx'
import { ButtonLink } from '../../patterns/links.tsx'
import { Quantity } from '../../patterns/units.tsx'
import { useSession } from '../../session.tsx'
import './print.css'

type Props = {
  /** The kind of paper: `Pick list`. */
  readonly kind: string
  /** The number of the document, which is also the file name. */
  readonly number: string
  readonly back: string
  /** The first text on the paper: a warning that it may mislead. */
  readonly warning?: string | undefined
  /** Pairs of a name and a value. Pairs without a value are left out. */
  readonly facts?: readonly (readonly [name: string, value: string | null | undefined])[]
  /** Content beside the buttons. It is not printed. */
  readonly choices?: ReactNode
  readonly isLabels?: boolean
  readonly children: ReactNode
}

export function Sheet({ kind, number, back, warning, facts = [], choices, isLabels = false, children }: Props) {
  const { me } = useSession()
  const given = facts.filter(([, value]) => value)
  return (
    <>
      <title>{number}</title>
      <Group className="no-print" mb="md" align="flex-end">
        <Button onClick={() => window.print()}>Print</Button>
        <ButtonLink to={back}>Back</ButtonLink>
        {choices}
      </Group>
      <article className="sheet">
        {!isLabels && <p>{me.tenant_name}</p>}
        <h1 className={isLabels ? 'no-print' : ''}>
          {kind} {number}
        </h1>
        {warning && <p className="sheet-warning">{warning}</p>}
        {given.length > 0 && (
          <dl className="sheet-facts">
            {given.map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        )}
        {children}
      </article>
    </>
  )
}

export type PrintColumn<Row> = {
  readonly header: string
  readonly cell: (row: Row) => ReactNode
  readonly isNumber?: boolean
}

export const figures = <Row,>(header: string, cell: PrintColumn<Row>['cell']): PrintColumn<Row> => ({
  ...{ header, cell, isNumber: true },
})

type TableProps<Row> = {
  readonly title: string
  readonly columns: readonly PrintColumn<Row>[]
  readonly rows: readonly (Row & { readonly key: string })[]
}

/** The heading is repeated on every page, and no row is split between two pages. */
export const PrintTable = <Row,>({ title, columns, rows }: TableProps<Row>) => (
  <>
    <h2>{title}</h2>
    <table aria-label={title}>
      <thead>
        <tr>
          {columns.map(({ header, isNumber }) => (
            <th key={header} scope="col" className={isNumber ? 'right' : ''}>
              {header}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(row => (
          <tr key={row.key}>
            {columns.map(({ header, cell, isNumber }) => (
              <td key={header} className={isNumber ? 'right' : ''}>
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </>
)

export const quantities: PrintColumn<{ readonly quantity: Decimal; readonly item_variant_id: string | null }> = figures(
  'Quantity',
  row => <Quantity of={row.quantity} goods={row} />,
)

/** What is picked, packed or done is ticked by hand. */
export const Tick = () => <span className="tick" />

/** A title with small texts below it. */
export const Titled = ({ title, below }: { readonly title: string; readonly below: readonly (string | null)[] }) => (
  <>
    {title}
    {below.filter(Boolean).map(text => (
      <small key={text}>{text}</small>
    ))}
  </>
)

/** An address in lines, with the name first; null: there is none. */
export const addressText = (address: Written | null, title?: string): string | null =>
  [title, ...(address === null ? [] : addressLines(address))].filter(Boolean).join('\n') || null

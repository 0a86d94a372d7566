/** The way to a document that another one names. */
import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

const paths = {
  SALES_ORDER: 'sales-orders',
  MANUFACTURING_ORDER: 'manufacturing-orders',
  PURCHASE_ORDER: 'purchase-orders',
  SALES_RETURN: 'sales-returns',
  BATCH: 'trace',
} as const

export type Document = keyof typeof paths

export const isDocument = (kind: string): kind is Document => Object.hasOwn(paths, kind)

type Props = { readonly kind: Document; readonly id: string; readonly children: ReactNode }

export function DocumentLink({ kind, id, children }: Props) {
  const path: string = `/${paths[kind]}/${id}`
  return (
    <Anchor inherit renderRoot={props => <Link to={path} {...props} />}>
      {children}
    </Anchor>
  )
}

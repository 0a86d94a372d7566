/** Links by their path: screens of other areas are built apart. */
import { Anchor, Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { documentPath } from '../nouns.ts'
import { Below } from './small.tsx'

type To = {
  readonly to: string
  readonly search?: Readonly<Record<string, string>> | undefined
  readonly children: ReactNode
}

type Look = {
  /** `row-link`: it stands for its whole row. */
  readonly className?: string | undefined
  /** Among words its colour alone would not tell it from them. */
  readonly inText?: boolean
}

export function PathLink({ to, search, className, inText = false, children }: To & Look) {
  return (
    <Anchor
      size="sm"
      underline={inText ? 'always' : 'hover'}
      {...(className === undefined ? {} : { className })}
      renderRoot={props => <Link to={to} search={search as never} {...props} />}
    >
      {children}
    </Anchor>
  )
}

export function ButtonLink({ to, search, size = 'sm', children }: To & { readonly size?: 'xs' | 'sm' }) {
  return (
    <Button variant="default" size={size} renderRoot={props => <Link to={to} search={search as never} {...props} />}>
      {children}
    </Button>
  )
}

type Props = Look & {
  /** As the interface names a source; of other kinds there is no page. */
  readonly kind: string
  readonly id: string
  readonly children: ReactNode
}

/** The way to a document that another one names. */
export function DocumentLink({ kind, id, children, ...look }: Props) {
  const to = documentPath(kind, id)
  return to === undefined ? (
    children
  ) : (
    <PathLink to={to} {...look}>
      {children}
    </PathLink>
  )
}

/** The same as a fact: nothing where there is no id. */
export const linkTo = (kind: string, id: string | null, text: ReactNode, look: Look = {}) =>
  id && (
    <DocumentLink key={kind} kind={kind} id={id} {...look}>
      {text}
    </DocumentLink>
  )

/** Longer numbers are broken where the line ends. */
const WHOLE_MAX = 20

type BatchProps = { readonly id: string | null; readonly number: string | null; readonly inText?: boolean }

/** The way to a batch from a row that names it; rows of what has no batches have none. */
export const BatchLink = ({ id, number, inText = false }: BatchProps) =>
  id === null ? (
    '–'
  ) : (
    <DocumentLink inText={inText} kind="BATCH" id={id} className={(number?.length ?? 0) > WHOLE_MAX ? '' : 'whole'}>
      {number ?? id}
    </DocumentLink>
  )

type Ids = { readonly item_id: string; readonly item_variant_id: string; readonly title: string }

/** The way to a variant from a row of its own. */
export const VariantLink = ({ of: { item_id, item_variant_id, title }, ...look }: Look & { readonly of: Ids }) => (
  <DocumentLink kind="VARIANT" id={`${item_id}/${item_variant_id}`} {...look}>
    {title}
  </DocumentLink>
)

type Variant = {
  readonly title: string
  readonly sku: string | null
  /** What leads to its stock has both; null in a line without a variant. */
  readonly item_id?: string | null
  readonly item_variant_id?: string | null
}

/** A variant as lines show it: its title, and its sku below. */
export function What({ title, sku, item_id, item_variant_id }: Variant) {
  return (
    <>
      {item_id == null ? (
        title
      ) : (
        <DocumentLink kind="VARIANT" id={`${item_id}/${item_variant_id}`}>
          {title}
        </DocumentLink>
      )}
      {sku !== null && <Below>{sku}</Below>}
    </>
  )
}

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
  /** `row-link`: the link covers its whole row. */
  readonly className?: string | undefined
  /** Within a sentence the colour alone would not show that it is a link. */
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
  /** The API's name of the kind. Other kinds have no page. */
  readonly kind: string
  readonly id: string
  readonly children: ReactNode
}

/** The link to a document that another one refers to. */
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

/** Longer numbers may be broken. */
const WHOLE_MAX = 20

type BatchProps = { readonly id: string | null; readonly number: string | null; readonly inText?: boolean }

/** The link from a row to its batch. Rows without a batch have none. */
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
  /** A variant with both ids links to its stock. Both are null in a line without a variant. */
  readonly item_id?: string | null
  readonly item_variant_id?: string | null
}

/** A variant in a line: its title, and its sku below. */
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

/**
 * The screens of a noun, declared once: the columns of its list, and the parts of its page. Its noun (`screens/<area>/nouns.ts`) says how
 * it is read, linked and found, and has the filters of its list.
 */
import { Navigate } from '@tanstack/react-router'
import type { ComponentProps, ReactNode } from 'react'
import type { ExactApi } from '../exact.ts'
import type { Filters } from '../filters.ts'
import { Status } from '../format.tsx'
import { type Noun, nameOf } from '../noun.ts'
import { useApi } from '../session.tsx'
import type { Sending } from './action-form.tsx'
import { Archived } from './archived.tsx'
import { type Columns as ColumnsOf, TableSection } from './data-table.tsx'
import { Columns, type FactsOf, type Recorded, RecordOf, RecordPage } from './detail-page.tsx'

import { type Happening, History } from './history.tsx'
import { ListOf } from './list-of.tsx'
import { type OfValue, Reversed, type ReversedBody, ReverseStep, type Reversible, type Titled } from './reversal.tsx'

/** How a booked document is reversed. A reversed document has a mark on its page. */
type Reverses<One> = {
  readonly scope: string
  readonly send: (api: ExactApi, one: One, body: ReversedBody, sending: Sending) => Promise<One>
  /** For a document that booked only values. */
  readonly ofValue?: (one: One) => OfValue['ofValue']
}

type LineOf<One> = One extends { readonly items: readonly (infer Line extends object)[] } ? Line : never
type Lined = { readonly items?: readonly object[] }

/** @template More further data of the page, beside its record. */
type Declared<One extends object, Has extends Filters, More> = {
  /** The list: its columns, the content above it, and the message of an empty list. */
  readonly columns: ColumnsOf<NoInfer<One>>
  readonly actions?: ReactNode
  /** The path of a record without a page of its own: that of its order. */
  readonly shownAt?: (one: One) => string
  /** The hook that loads further data of the page. */
  readonly useMore?: (one: One) => More
  readonly title?: (one: One) => string
  /** The object that says who made and changed the record. Default: the record itself. */
  readonly recorded?: (one: One) => Recorded
  /** The status. Default: that of the record, or the mark of a reversed or archived one. */
  readonly status?: (one: One, more: More) => ReactNode
  readonly steps?: (one: One, more: More) => ReactNode
  readonly reverses?: Reverses<One>
  /** Content before the facts. */
  readonly notice?: (one: One, more: More) => ReactNode
  readonly facts?: (one: One, more: More) => FactsOf
  readonly lines?: ColumnsOf<LineOf<NoInfer<One>>>
  /** Content below the lines: related documents, and tables that load their own data. */
  readonly related?: (one: One, more: More) => ReactNode
  /** Content beside the lines, above the history. */
  readonly beside?: (one: One, more: More) => ReactNode
  /** Further steps of the history, besides created and reversed. */
  readonly history?: (one: One, more: More) => readonly Happening[]
} & Pick<ComponentProps<typeof ListOf<One, Has>>, 'rows' | 'rowId' | 'whenEmpty' | 'whenNoMatch' | 'many'>

export function documentScreens<One extends object, Has extends Filters, More = undefined>(
  noun: Noun<One, Has>,
  declared: Declared<One, Has, More>,
) {
  const { rows, rowId, many, whenEmpty, whenNoMatch, columns, actions, shownAt, ...page } = declared
  const list = { rows, many, columns, actions, whenEmpty, whenNoMatch, ...(rowId ? { rowId } : {}) }
  return {
    // biome-ignore lint/correctness/noComponentHookFactories: made once, when the module is loaded.
    List: () => <ListOf of={noun} {...list} />,
    // biome-ignore lint/correctness/noComponentHookFactories: made once, when the module is loaded.
    Page: () => (
      <RecordOf of={noun}>
        {one => (shownAt ? <Navigate to={shownAt(one)} replace /> : <DocumentPage noun={noun} one={one} {...page} />)}
      </RecordOf>
    ),
  }
}

type PageProps<One extends object, Has extends Filters, More> = Omit<
  Declared<One, Has, More>,
  'columns' | 'whenEmpty' | 'rows' | 'many' | 'shownAt'
> & { readonly noun: Noun<One, Has>; readonly one: One }

function DocumentPage<One extends object, Has extends Filters, More>(props: PageProps<One, Has, More>) {
  const { noun, one, useMore = useNothing as () => More, recorded, lines, reverses, ...page } = props
  const more = useMore(one)
  return (
    <RecordPage
      title={page.title?.(one) ?? nameOf(noun, one)}
      of={recorded ? recorded(one) : 'metadata' in one ? (one as unknown as Recorded) : undefined}
      status={page.status ? page.status(one, more) : <UsualStatus of={one} />}
      steps={
        <>
          {page.steps?.(one, more)}
          {reverses && <Reverse noun={noun} one={one} reverses={reverses} />}
        </>
      }
      notice={page.notice?.(one, more)}
      facts={page.facts?.(one, more) ?? []}
    >
      <Columns
        wide={
          <>
            {lines && (
              <TableSection title="Lines" columns={lines} rows={((one as Lined).items ?? []) as LineOf<One>[]} />
            )}
            {page.related?.(one, more)}
          </>
        }
        narrow={
          <>
            {page.beside?.(one, more)}
            <History of={noun} one={one} happenings={page.history?.(one, more) ?? []} />
          </>
        }
      />
    </RecordPage>
  )
}

const useNothing = () => undefined

const UsualStatus = ({ of }: { readonly of: object }) =>
  'reversed_at' in of ? (
    <Reversed of={of as Reversible} />
  ) : 'status' in of ? (
    <Status code={String(of.status)} />
  ) : (
    <Archived of={of} />
  )

type ReverseProps<One extends object, Has extends Filters> = {
  readonly noun: Noun<One, Has>
  readonly one: One
  readonly reverses: Reverses<One>
}

type Goods = { readonly id: string; readonly number: string; readonly items: readonly Titled[] }

function Reverse<One extends object, Has extends Filters>({ noun, one, reverses }: ReverseProps<One, Has>) {
  const api = useApi()
  const { scope, send, ofValue } = reverses
  // Every document with a reversal has these fields.
  const document = one as One & Reversible & Goods
  return (
    <ReverseStep<One & Reversible>
      of={document}
      record={document}
      reread={() => noun.of(api).get(document.id) as Promise<One & Reversible>}
      scope={scope}
      send={(body, sending) => send(api, one, body, sending) as Promise<One & Reversible>}
      {...(ofValue ? { ofValue: ofValue(one) } : { source: noun.kind as 'STOCK_ADJUSTMENT', lines: document.items })}
    />
  )
}

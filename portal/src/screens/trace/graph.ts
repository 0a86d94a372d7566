/**
 * A trace as a graph: batches, the orders between them, and where each batch ended or began. Columns follow the level, so the batch of the
 * page comes first. Every row must be part of a node, or the graph must say that rows are missing.
 */
import { type Decimal, sum } from '../../exact.ts'
import type { BatchTrace, BatchTraceRow as Row } from '../../records.ts'

export type Node = {
  readonly key: string
  readonly kind: 'batch' | 'order' | 'end'
  readonly title: string
  readonly text: string
  /** The record of the node: a batch, which has a trace of its own, or a document. */
  readonly of: { readonly kind: string; readonly id: string } | null
  readonly column: number
  readonly row: number
}

type Flow = { readonly item_variant_id: string; readonly quantity: Decimal }

export type Edge = Flow & { readonly key: string; readonly from: Node; readonly to: Node }

type Graph = {
  readonly nodes: readonly Node[]
  readonly edges: readonly Edge[]
  readonly columns: number
  readonly rows: number
  /** Rows are missing, because there are too many. */
  readonly isCut: boolean
}

/** The texts of a row in a node. */
type Telling = {
  readonly kindText: (kind: Row['kind']) => string
  readonly placeTitle: (id: string | null) => string
  readonly countText: (count: number) => string
}

/** The most continuations of one kind that a node shows separately. Others are added up. */
const SHOWN_ALONE = 6
const ROWS_MAX = 250

type Draft = Omit<Node, 'row' | 'column'> & { readonly next: (Flow & { readonly key: string })[] }

export const graphOf = (trace: BatchTrace, telling: Telling): Graph =>
  laidOut(draftsOf(trace, telling), batchKey(trace.batch.id))

const sourceOf = ({ source_type: kind, source_id: id }: Row) => (kind === null || id === null ? null : { kind, id })

const batchKey = (id: string) => `batch ${id}`

function draftsOf({ batch, direction, rows }: BatchTrace, telling: Telling): Map<string, Draft> {
  const drafts = new Map<string, Draft>()
  const draft = (made: Omit<Draft, 'next'>): Draft => {
    const known = drafts.get(made.key) ?? { ...made, next: [] }
    drafts.set(made.key, known)
    return known
  }
  // Forward, an order consumes a batch and produces others. Backward, an order produced it and consumed others.
  const [intoOrder, outOfOrder] = direction === 'forward' ? ['CONSUMED', 'PRODUCED'] : ['PRODUCED', 'CONSUMED']
  const orderKey = (row: Row) => `order ${row.source_id}`
  const order = (row: Row) => {
    const title = row.source_number ?? ''
    return draft({ key: orderKey(row), kind: 'order', title, text: 'Manufacturing order', of: sourceOf(row) })
  }
  const of = (row: Row): Draft =>
    row.batch_id === null
      ? draft({
          key: `${orderKey(row)} ${row.item_variant_id} ${row.storage_place_id}`,
          ...{ kind: 'end', title: row.title, text: 'without a batch', of: null },
        })
      : draft({
          ...{ key: batchKey(row.batch_id), kind: 'batch', title: row.batch_number ?? '', text: row.title },
          of: { kind: 'BATCH', id: row.batch_id },
        })

  draft({ key: batchKey(batch.id), kind: 'batch', title: batch.number, text: batch.title, of: null })
  const isEnd = ({ kind }: Row) => kind !== intoOrder && kind !== outOfOrder
  for (const row of rows) {
    if (row.kind === intoOrder) link(of(row), order(row), row)
    else if (row.kind === outOfOrder) link(order(row), of(row), row)
    else of(row)
  }
  const ends = Map.groupBy(rows.filter(isEnd), row => `${of(row).key} ${row.kind}`)
  for (const [key, same] of ends) {
    const alone = same.length > SHOWN_ALONE ? same.slice(0, SHOWN_ALONE - 1) : same
    for (const row of alone) {
      const kind = telling.kindText(row.kind)
      const end = draft({
        key: `${key} ${row.source_id} ${row.storage_place_id}`,
        kind: 'end',
        title: row.partner?.title ?? (row.source_id === null ? telling.placeTitle(row.storage_place_id) : kind),
        text: row.source_number === null ? kind : `${kind} · ${row.source_number}`,
        of: sourceOf(row),
      })
      link(of(row), end, row)
    }
    const [first, ...others] = same.slice(alone.length)
    if (first) {
      const end = draft({
        key: `${key} others`,
        kind: 'end',
        title: `${telling.countText(others.length + 1)} more`,
        text: `${telling.kindText(first.kind)}: see the table`,
        of: null,
      })
      link(of(first), end, { ...first, quantity: sum([first, ...others].map(({ quantity }) => quantity)) })
    }
  }
  return drafts
}

/** Adds a flow to an edge. If the goods are at several places, the trace has several rows for one edge. */
function link(from: Draft, { key }: { readonly key: string }, { item_variant_id, quantity }: Flow): void {
  const known = from.next.findIndex(one => one.key === key)
  const before = from.next[known]
  if (before) from.next[known] = { ...before, quantity: sum([before.quantity, quantity]) }
  else from.next.push({ key, item_variant_id, quantity })
}

/** Places the nodes as a tree from the first one: a node is beside the first of those that it leads to. */
function laidOut(drafts: ReadonlyMap<string, Draft>, first: string): Graph {
  const nodes = new Map<string, Node>()
  let rows = 0
  let columns = 0
  const pending: { readonly key: string; readonly column: number; readonly isFirstChild: boolean }[] = [
    { key: first, column: 0, isFirstChild: true },
  ]
  // A loop with its own stack: a trace may be deeper than calls may nest.
  for (let task = pending.pop(); task; task = pending.pop()) {
    const { key, column, isFirstChild } = task
    const draft = drafts.get(key)
    if (!draft || nodes.has(key)) continue
    if (!isFirstChild || rows === 0) rows++
    if (rows > ROWS_MAX) {
      rows--
      break
    }
    columns = Math.max(columns, column + 1)
    const { next, ...told } = draft
    nodes.set(key, { ...told, column, row: rows - 1 })
    const fresh = next.filter(to => !nodes.has(to.key))
    for (const [index, to] of fresh.toReversed().entries())
      pending.push({ key: to.key, column: column + 1, isFirstChild: index === fresh.length - 1 })
  }
  const edges = [...nodes.values()].flatMap(from =>
    (drafts.get(from.key)?.next ?? []).flatMap(({ key, ...flow }) => {
      const to = nodes.get(key)
      return to ? [{ ...flow, key: `${from.key} ${key}`, from, to }] : []
    }),
  )
  return { nodes: [...nodes.values()], edges, columns, rows, isCut: nodes.size < drafts.size }
}

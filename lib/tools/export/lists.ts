/** What is exported of a tenant: the lists of the interface, read through their declarations. */
import type { ListEndpoint, ReadContext, Row } from '../../kit/api/endpoint.ts'
import { isRefusal } from '../../kit/api/errors.ts'
import { endpoints } from '../../nouns.ts'

/** Also the most that a caller may ask for. */
const PAGE_ROWS = 200

export type ExportedList = {
  /** `sales-orders.jsonl` */
  readonly file: string
  readonly endpoint: ListEndpoint
  /** The list of parent records, for a list below a record. Each line names its parent. */
  readonly parents?: ListEndpoint
}

const lists = endpoints.filter(endpoint => endpoint.kind === 'list')

const isBelow = ({ path }: ListEndpoint): boolean => path.includes('{')

export const exportedLists: readonly ExportedList[] = lists.flatMap((endpoint): ExportedList[] => {
  const { path } = endpoint
  const file = `${path.slice(1).replace('/{id}/', '-')}.jsonl`
  if (!isBelow(endpoint)) return [{ file, endpoint }]
  // Another list contains the same rows of all records.
  if (lists.some(list => !isBelow(list) && list.reply === endpoint.reply)) return []
  const parents = lists.find(list => path.startsWith(`${list.path}/{`))
  return parents === undefined ? [] : [{ file, endpoint, parents }]
})

/** The lines of a list in its order, a page at a time. A list about a time gets the time of the snapshot. */
export async function* linesOf(
  { endpoint, parents }: ExportedList,
  context: ReadContext,
): AsyncGenerator<readonly string[]> {
  if (parents === undefined) {
    for await (const rows of pagesOf(endpoint, context, {})) yield rows.map(({ document }) => document)
    return
  }
  for await (const above of pagesOf(parents, context, {}))
    for (const { id } of above)
      for await (const rows of pagesOf(endpoint, context, { id }))
        yield rows.map(({ document }) => `{"parent_id":"${id}","record":${document}}`)
}

async function* pagesOf(
  endpoint: ListEndpoint,
  context: ReadContext,
  params: Readonly<Record<string, string>>,
): AsyncGenerator<readonly Row[]> {
  const filters = (endpoint.exampleQuery?.['as_of'] === undefined ? {} : { as_of: context.now }) as never
  let after: string | null = null
  for (;;) {
    const rows: readonly Row[] = await pageOf(endpoint, context, { params, filters, after })
    if (rows.length > 0) yield rows
    after = rows.at(-1)?.id ?? null
    if (rows.length < PAGE_ROWS) return
  }
}

async function pageOf(
  endpoint: ListEndpoint,
  context: ReadContext,
  asked: Pick<Parameters<ListEndpoint['page']>[1], 'params' | 'filters' | 'after'>,
): Promise<readonly Row[]> {
  const rows = await endpoint.page(context, { ...asked, limit: PAGE_ROWS, order: 'asc' })
  if (isRefusal(rows)) throw new Error(`${endpoint.path}: ${rows.message}`)
  return rows
}

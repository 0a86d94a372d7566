/**
 * Takes the rows of one product: makes the product, changes it, adds variants, or says why not. A row that is refused leaves the others of its
 * product alone.
 */
import { columnOfComponent, componentSkus, isComponentRow } from './components.ts'
import { nameOf } from './in-order.ts'
import { type ImportOptions, type Outcome, type Refused, type Row, type RowOutcome, refused } from './kind.ts'
import { type ProductPlan, plannedChange } from './product-change.ts'
import { productFinder, rowNames } from './product-finder.ts'
import { changeEntry, newEntries, type RecordPath, rehearsal } from './record-writer.ts'
import type { CellFault } from './rows.ts'
import { type Entry, faultsOf, findFirst, type Refusal, type Result, type Service } from './service.ts'
import { type Fields, fieldsIn } from './values.ts'
import {
  columnOfField,
  joinedRows,
  type ProductRows,
  shorthandNames,
  VARIANTS_MAX,
  type VariantRow,
  variantColumns,
} from './variant-rows.ts'

type Found = { readonly product: Fields; readonly isRehearsed?: boolean }

export type TakenProduct = {
  readonly outcomes: readonly RowOutcome[]
  /** As it is now; null where it is refused. */
  readonly product: Fields | null
  /** The dry runs that made it what it is; null: the service was not asked for all that it is. */
  readonly entries: readonly Entry[] | null
}

export function productTaker(
  service: Service,
  path: RecordPath,
  { update }: ImportOptions,
): (rows: readonly Row[]) => Promise<TakenProduct> {
  const finder = productFinder(service, path)
  const newEntry = newEntries(service, path)
  const rehearsed = rehearsal(service)
  /** By the names of products. */
  const rehearsedEntries = new Map<string, TakenProduct['entries']>()
  /** Skus that dry runs made and the service has forgotten: kits of these are not asked for. */
  const rehearsedSkus = new Set<string>()
  /** References of earlier rows. */
  const seen = new Set<string>()
  const find = async (row: Fields): Promise<Found | Refused | null> => {
    const before = rehearsed.find(productNames(row))
    if (before !== null) return { product: before, isRehearsed: true }
    const found = await findProduct(finder.find, row)
    return found === null || 'faults' in found ? (found as Refused | null) : { product: found as Fields }
  }
  return async rows => {
    const [first] = rows
    if (first === undefined) return { outcomes: [], product: null, entries: [] }
    const names = [...new Set(rows.flatMap(({ body }) => rowNames(body)))]
    const before = names.find(name => rehearsedEntries.has(name))
    let entries: TakenProduct['entries'] = before === undefined ? [] : (rehearsedEntries.get(before) ?? null)
    const said = outcomesOf(rows)
    const joined = joinedRows(rows, { update })
    for (const { line, outcome } of joined.faults) said.say(line, outcome)
    const [ref] = nameOf('external_ref', first.body['external_ref'])
    const isSeen = (ref !== undefined && seen.has(ref)) || rehearsed.find(productNames(first.body)) !== null
    if (ref !== undefined) seen.add(ref)
    // What was read ahead may have changed since.
    let isLookedUp = isSeen || (update && !finder.isAhead(names))
    let found = isSeen || update ? await find(first.body) : null
    let record: Fields | null = null
    let refusal: Refusal | null = null
    let { product, variants } = joined
    for (;;) {
      if (found !== null && 'faults' in found) {
        said.refuse(first.line, refusal === null ? found.faults : faultsOf(refusal))
        said.refuseOthers(first.line)
        break
      }
      record = found?.product ?? null
      const plan: ProductPlan =
        found === null
          ? plannedNew(rows, joined, variants)
          : plannedChange(found.product, { product, variants, first }, { update, refusal })
      for (const { line, outcome } of plan.settled) said.say(line, outcome)
      const { body, sent, outcomes }: ProductPlan = plan
      if (body === null) break
      if (plan.isProductRefused) product = {}
      const entry = found === null ? newEntry(body) : changeEntry(service, path, { found: found.product, change: body })
      finder.forget([...names, ...productNames(found?.product ?? {})])
      // Nothing names it but the key of its request, which a dry run does not look for.
      if (service.isDry && found === null && names.length === 0 && (await wasSent(service, entry))) {
        for (const { line } of outcomes) said.say(line, 'known')
        break
      }
      const isUnasked = found?.isRehearsed === true || componentSkus(body).some(sku => rehearsedSkus.has(sku))
      const result: Result = isUnasked
        ? { isReplay: false, body: found === null ? asMade(body) : changed(found.product, body) }
        : await service.write(entry)
      if (!('refusal' in result)) {
        record = result.body
        const isKnown = found === null && result.isReplay
        for (const { line, outcome } of outcomes) said.say(line, isKnown ? 'known' : outcome)
        entries = isUnasked ? null : [entry]
        for (const { body } of rows) rehearsed.keep(productNames(body), result.body)
        if (service.isDry) for (const sku of skusOf(result.body)) rehearsedSkus.add(sku)
        variants = plan.rest.slice(sent.length)
        product = {}
        if (variants.length === 0) break
        // What was answered before says what the product was then.
        const now = result.isReplay ? await find(first.body) : null
        found = now ?? { product: result.body, isRehearsed: service.isDry }
        refusal = null
        continue
      }
      if (!isLookedUp) {
        isLookedUp = true
        found = await find(first.body)
        // Another product's sku is no fault of the look-up: the service has said what is wrong.
        if (found !== null) {
          refusal = result.refusal
          continue
        }
      }
      const blamed = blamedLines(result.refusal, sent)
      const innocent = plan.rest.filter(row => !linesOf(row).some(line => blamed?.has(line)))
      if (blamed === null || innocent.length === 0 || rows.length === 1) {
        const at = blamed?.keys().next().value ?? outcomes[0]?.line ?? first.line
        for (const [line, faults] of blamed ?? []) said.refuse(line, faults)
        if (blamed === null) said.refuse(at, faultsOf(result.refusal))
        said.refuseOthers(at)
        break
      }
      for (const [line, faults] of blamed) said.refuse(line, faults)
      for (const row of plan.rest)
        if (!innocent.includes(row) && !blamed.has(row.line))
          said.refuse(row.line, kitRefused(linesOf(row).find(line => blamed.has(line))))
      variants = innocent
    }
    for (const { line, of, is } of joined.repeats) said.repeat(line, of, is)
    if (service.isDry) for (const name of names) rehearsedEntries.set(name, entries)
    return { outcomes: said.all(), product: record, entries: service.isDry ? entries : [] }
  }
}

/** False also where the key may not read requests. */
async function wasSent(service: Service, { key }: Entry): Promise<boolean> {
  const done = `idempotency_key=${encodeURIComponent(key)}&outcome=done`
  return (await findFirst(service, '/requests', done).catch(() => null)) !== null
}

const kitRefused = (line: number | undefined): CellFault[] => [
  { column: null, reason: `the kit is refused: see line ${line}` },
]

/** The rows of a variant. */
const linesOf = ({ line, componentLines = [] }: VariantRow): readonly number[] => [line, ...componentLines]

const skusOf = (product: Fields): readonly string[] =>
  fieldsIn(product['variants']).flatMap(({ sku }) => (typeof sku === 'string' ? [sku.trim()] : []))

/** A body as the record that it makes. */
function asMade(body: Fields): Fields {
  const { variants, ...product } = body
  const all =
    variants === undefined
      ? [Object.fromEntries(shorthandNames.map(name => [name, body[name] ?? null]))]
      : fieldsIn(variants)
  return {
    external_ref: null,
    ...product,
    variants: all.map((variant, at) => ({ id: `new ${at}`, title: body['title'] ?? null, ...variant })),
  }
}

/** The names by which a product is found: its reference, else the skus of its variants. */
function productNames(row: Fields): readonly string[] {
  const refs = nameOf('external_ref', row['external_ref'])
  return refs.length > 0 ? refs : rowNames(row)
}

/** The product of the row: by external_ref, else by sku, unless that product has another external_ref. */
async function findProduct(
  find: (row: Fields) => Promise<Fields | null>,
  row: Fields,
): Promise<Fields | null | Refused> {
  const found = await find(row)
  const { external_ref: ref, ...rest } = row
  if (found !== null || ref === undefined) return found
  const bySku = await find(rest)
  if (bySku === null || bySku['external_ref'] === null) return bySku
  const { id, external_ref: other } = bySku
  return refused('sku', `is that of product ${id}, whose external_ref is ${JSON.stringify(other)}`)
}

/** The body that makes the product, with as many variants as a request takes. */
function plannedNew(
  rows: readonly Row[],
  { product, lines }: ProductRows,
  variants: readonly VariantRow[],
): ProductPlan {
  const sent = variants.slice(0, VARIANTS_MAX)
  const [line = 0] = lines
  const [row] = rows
  const isAsItIs =
    rows.length === 1 &&
    row !== undefined &&
    !isComponentRow(row.body) &&
    Object.keys(variantColumns).every(column => !(column in row.body))
  const body = isAsItIs
    ? row.body
    : { ...product, ...(sent.length === 0 ? {} : { variants: sent.map(({ fields }) => fields) }) }
  const outcomes = [line, ...sent.map(({ line }) => line)].map(line => ({ line, outcome: 'created' as const }))
  return { body, sent, rest: variants, settled: [], outcomes, isProductRefused: false }
}

/** The record as a change leaves it, where the change is only rehearsed. */
function changed(found: Fields, { variants, ...change }: Fields): Fields {
  const said = fieldsIn(variants)
  const before = fieldsIn(found['variants'])
  return {
    ...found,
    ...change,
    variants: [
      ...before.map(variant => ({ ...variant, ...said.find(({ id }) => id !== undefined && id === variant['id']) })),
      ...said
        .filter(({ id }) => id === undefined)
        .map((variant, at) => ({ id: `new ${before.length + at}`, ...variant })),
    ],
  }
}

/** The lines whose variants a refusal names; null where it names anything else. */
function blamedLines({ faults }: Refusal, sent: readonly VariantRow[]): Map<number, CellFault[]> | null {
  const blamed = new Map<number, CellFault[]>()
  for (const { column, reason } of faults) {
    const [, at, field] = /^variants\[(\d+)\](?:\.(.*))?$/s.exec(column ?? '') ?? []
    const row = at === undefined ? undefined : sent[Number(at)]
    if (row === undefined) return null
    const [, part, partField] = /^components\[(\d+)\](?:\.(\w+))?$/.exec(field ?? '') ?? []
    const partLine = part === undefined ? undefined : row.componentLines?.[Number(part)]
    const line = partLine ?? row.line
    const before = blamed.get(line) ?? []
    const isPart = partLine !== undefined || (field === 'components' && row.componentLines !== undefined)
    const name = isPart ? columnOfComponent(partField) : field === undefined ? null : columnOfField(field)
    blamed.set(line, [...before, { column: name, reason }])
  }
  return blamed.size === 0 ? null : blamed
}

/** What became of each row: of several outcomes of a row the one that says most. */
function outcomesOf(rows: readonly Row[]) {
  const said = new Map<number, Outcome[]>(rows.map(({ line }) => [line, []]))
  const say = (line: number, outcome: Outcome) => void said.get(line)?.push(outcome)
  const one = (outcomes: readonly Outcome[]): Outcome => {
    const faults = outcomes.flatMap(outcome => (typeof outcome === 'string' ? [] : outcome.faults))
    if (faults.length > 0) return { faults }
    const [first = 'known'] = outcomes
    return outcomes.every(outcome => outcome === first) ? first : 'changed'
  }
  return {
    say,
    refuse: (line: number, faults: readonly CellFault[]) => say(line, { faults }),
    /** Rows of which nothing was said are not in. */
    refuseOthers: (at: number) => {
      for (const [line, outcomes] of said)
        if (outcomes.length === 0) say(line, refused(null, `the product is refused: see line ${at}`))
    },
    repeat: (line: number, of: number, is: 'SAME' | 'OTHER' | 'PART') => {
      const before = one(said.get(of) ?? [])
      if (is !== 'PART') say(line, typeof before !== 'string' ? before : is === 'OTHER' ? 'changed' : 'known')
      // What was refused of a component stands at its own row.
      else if (said.get(line)?.length === 0) say(line, typeof before === 'string' ? before : { faults: kitRefused(of) })
    },
    all: () => [...said].map(([line, outcomes]) => ({ line, outcome: one(outcomes) })),
  }
}

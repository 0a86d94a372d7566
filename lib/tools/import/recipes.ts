/**
 * The import of recipes. Each row is one material, and all rows of one product are its recipe. A recipe is made as a whole or not at all. A
 * product with a recipe keeps it.
 */
import { number, recordOf, required, text } from '../../../imports/columns.ts'
import {
  type Importer,
  type ImportKind,
  KEPT_ROWS_MAX,
  type Outcome,
  type Row,
  type RowOutcome,
  refused,
} from '../../../imports/kind.ts'
import type { CellFault } from '../../../imports/rows.ts'
import { faultsOf, findAll, ImportStopped, type Service } from '../../../imports/service.ts'
import { noSku, skuFinder } from '../../../imports/skus.ts'
import { canonical, type Fields, fieldsIn, type Value } from '../../../imports/values.ts'
import { each } from './each-row.ts'
import { lineFaults } from './line-faults.ts'

const columns = { sku: required(text), material_sku: required(text), quantity: required(number), notes: text }

export const recipes: ImportKind = {
  name: 'recipes',
  about:
    'a row for each material of a product (sku), quantity per one of the product; all rows of a product are its recipe. A ' +
    'product that has a recipe keeps it',
  columns,
  scopes: ['read:catalog', 'read:manufacturing', 'write:manufacturing.recipe.create'],
  open: openImporter,
}

type Material = { readonly line: number; readonly material: Fields }
type Kept = {
  readonly variantId: string
  readonly sku: string
  readonly materials: Material[]
  /** A row that was refused already, and the recipe with it. */
  refusedLine: number | null
}

function openImporter(service: Service): Importer {
  const findSku = skuFinder(service)
  const byVariant = new Map<string, Kept>()
  let rows = 0
  let unreadable: number | null = null
  const onUnreadable = (line: number) => {
    unreadable = Math.min(line, unreadable ?? line)
  }
  const take = async ({ line, body }: Row): Promise<Outcome | null> => {
    const read = recordOf(columns, body)
    if ('reason' in read) {
      onUnreadable(line)
      return { faults: [read] }
    }
    if (++rows > KEPT_ROWS_MAX)
      throw new ImportStopped(
        `the file has more than ${KEPT_ROWS_MAX} rows: split it between two products. Nothing was made.`,
      )
    const { sku, material_sku: materialSku, quantity, notes } = read.record
    const [variantId, materialId] = await Promise.all([findSku(String(sku)), findSku(String(materialSku))])
    if (variantId === null) return noSku('sku', String(sku))
    const recipe = byVariant.get(variantId) ?? { variantId, sku: String(sku), materials: [], refusedLine: null }
    byVariant.set(variantId, recipe)
    if (materialId === null) {
      recipe.refusedLine = Math.min(line, recipe.refusedLine ?? line)
      return noSku('material_sku', String(materialSku))
    }
    const material = {
      item_variant_id: materialId,
      quantity: quantity ?? null,
      ...(notes === undefined ? {} : { notes }),
    }
    recipe.materials.push({ line, material })
    return null
  }
  return {
    onUnreadable,
    take: each(take),
    rest: () => {
      if (unreadable !== null)
        throw new ImportStopped(
          `line ${unreadable} cannot be read, so which recipe lacks a material is not known. Nothing was made.`,
        )
      return [...byVariant.values()].map(recipe => ({ names: [], write: () => writeRecipe(service, recipe) }))
    },
  }
}

async function writeRecipe(service: Service, recipe: Kept): Promise<readonly RowOutcome[]> {
  const { variantId, sku, refusedLine } = recipe
  const rows = recipe.materials.toSorted((a, b) => a.line - b.line)
  const refuse = (at: number, faults: ReadonlyMap<number, readonly CellFault[]>) =>
    rows.map(({ line }, index) => {
      const own = faults.get(index)
      return {
        line,
        outcome: own ? { faults: own } : refused(null, `the recipe of ${sku} is not made: see line ${at}`),
      }
    })
  if (refusedLine !== null) return refuse(refusedLine, new Map())
  const first = rows[0]?.line ?? 0
  const materials = rows.map(({ material }) => material)
  let other: string | null = null
  for await (const found of findAll(service, '/recipes', `item_variant_id=${variantId}`)) {
    if (isSameList(materials, fieldsIn(found['materials']))) return rows.map(({ line }) => ({ line, outcome: 'known' }))
    other = String(found['id'])
  }
  if (other !== null)
    return refuse(
      first,
      new Map([[0, refused('sku', `${sku} has a recipe with other materials (${other}); change that one`).faults]]),
    )
  const body = { item_variant_id: variantId, materials }
  const key = `import-recipes-${service.hash(canonical(body))}`
  const result = await service.write({ method: 'POST', path: '/recipes', key, body })
  if (!('refusal' in result)) return rows.map(({ line }) => ({ line, outcome: result.isReplay ? 'known' : 'created' }))
  const { refusal } = result
  const faults = lineFaults(refusal.message, { list: 'materials', columns: { item_variant_id: 'material_sku' } })
  const [named] = faults.size === 0 ? [0] : faults.keys()
  return refuse(rows[named ?? 0]?.line ?? first, faults.size === 0 ? new Map([[0, faultsOf(refusal)]]) : faults)
}

/** Compares in any order. */
function isSameList(asked: readonly Fields[], found: readonly Fields[]): boolean {
  const texts = (list: readonly Fields[]) => list.map(materialText).sort()
  return JSON.stringify(texts(asked)) === JSON.stringify(texts(found))
}

function materialText({ item_variant_id, quantity, notes }: Fields): string {
  const absent = (value: Value | undefined) => value ?? null
  return canonical([absent(item_variant_id), absent(quantity), absent(notes)])
}

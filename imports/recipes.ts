/**
 * The import of recipes. Each row is one material, and all rows of one product are its recipe. A recipe is made as a whole or not at all. A
 * product with a recipe keeps it.
 */
import { number, recordOf, required, text } from './columns.ts'
import { each } from './each-row.ts'
import { recipeHeadings } from './headings.ts'
import {
  type Importer,
  type ImportKind,
  KEPT_ROWS_MAX,
  type Outcome,
  type Row,
  type RowOutcome,
  refused,
} from './kind.ts'
import { lineFaults } from './line-faults.ts'
import type { CellFault } from './rows.ts'
import { faultsOf, findAll, ImportStopped, type Service } from './service.ts'
import { noSku, skuFinder } from './skus.ts'
import { canonical, type Fields, Figure, fieldsIn, type Value } from './values.ts'

const columns = {
  sku: required(text),
  material_sku: required(text),
  quantity: required(number),
  notes: text,
  scrap_percent: number,
  output_quantity: number,
}

export const recipes: ImportKind = {
  name: 'recipes',
  title: 'Recipes',
  about:
    'a row for each material of a product (sku), quantity per output_quantity of the product (1 where no row names it); all rows of a ' +
    'product are its recipe. A product that has a recipe keeps it',
  columns,
  aliases: recipeHeadings,
  scopes: ['read:catalog', 'read:manufacturing', 'write:manufacturing.recipe.create'],
  createScopes: () => ['write:manufacturing.recipe.create'],
  unique: [],
  rowsInDocument: null,
  open: openImporter,
}

/** What a recipe has where a file says nothing. */
const [ONE, NONE] = [new Figure('1'), new Figure('0')]

type Material = { readonly line: number; readonly material: Fields }
type Kept = {
  readonly variantId: string
  readonly sku: string
  readonly materials: Material[]
  /** Of the first row that names it. */
  output: { readonly line: number; readonly quantity: Value } | null
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
    const { sku, material_sku: materialSku, output_quantity: output, ...material } = read.record
    const [variantId, materialId] = await Promise.all([findSku(String(sku)), findSku(String(materialSku))])
    if (variantId === null) return noSku('sku', String(sku))
    const recipe = byVariant.get(variantId) ?? newRecipe(variantId, String(sku))
    byVariant.set(variantId, recipe)
    if (output !== undefined) recipe.output ??= { line, quantity: output }
    if (output !== undefined && canonical(output) !== canonical(recipe.output?.quantity ?? null)) {
      recipe.refusedLine = Math.min(line, recipe.refusedLine ?? line)
      return refused('output_quantity', `is another one in line ${recipe.output?.line}: a recipe of ${sku} has one`)
    }
    if (materialId === null) {
      recipe.refusedLine = Math.min(line, recipe.refusedLine ?? line)
      return noSku('material_sku', String(materialSku))
    }
    recipe.materials.push({ line, material: { item_variant_id: materialId, ...material } })
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

const newRecipe = (variantId: string, sku: string): Kept => ({
  ...{ variantId, sku },
  ...{ materials: [], output: null, refusedLine: null },
})

async function writeRecipe(service: Service, recipe: Kept): Promise<readonly RowOutcome[]> {
  const { variantId, sku, output, refusedLine } = recipe
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
  const body = {
    item_variant_id: variantId,
    ...(output === null ? {} : { output_quantity: output.quantity }),
    materials: rows.map(({ material }) => material),
  }
  let other: string | null = null
  for await (const found of findAll(service, '/recipes', `item_variant_id=${variantId}`)) {
    if (isSame(body, found)) return rows.map(({ line }) => ({ line, outcome: 'known' }))
    other = String(found['id'])
  }
  if (other !== null)
    return refuse(first, new Map([[0, refused('sku', `${sku} has another recipe (${other}); change that one`).faults]]))
  const key = `import-recipes-${service.hash(canonical(body))}`
  const result = await service.write({ method: 'POST', path: '/recipes', key, body })
  if (!('refusal' in result)) return rows.map(({ line }) => ({ line, outcome: result.isReplay ? 'known' : 'created' }))
  const { refusal } = result
  const faults = lineFaults(refusal.message, { list: 'materials', columns: { item_variant_id: 'material_sku' } })
  const [named] = faults.size === 0 ? [0] : faults.keys()
  return refuse(rows[named ?? 0]?.line ?? first, faults.size === 0 ? new Map([[0, faultsOf(refusal)]]) : faults)
}

/** Compares the materials in any order. */
const isSame = (asked: Fields, found: Fields): boolean => recipeText(asked) === recipeText(found)

const recipeText = ({ output_quantity, materials }: Fields): string =>
  canonical([output_quantity ?? ONE, ...fieldsIn(materials).map(materialText).sort()])

function materialText({ item_variant_id, quantity, notes, scrap_percent }: Fields): string {
  return canonical([item_variant_id ?? null, quantity ?? null, notes ?? null, scrap_percent ?? NONE])
}

/**
 * The import of recipes. Each row is one material, and all rows of one product are its recipe. A recipe is made as a whole or not at all. A
 * product with a recipe keeps it.
 */
import { canonicalJson, type JsonObject, type JsonValue } from '../../platform/json.ts'
import { number, recordOf, required, text } from './columns.ts'
import { objectsOf } from './json-values.ts'
import { type Importer, type ImportKind, KEPT_ROWS_MAX, type RowOutcome } from './kind.ts'
import { lineFaults } from './line-faults.ts'
import { findAll, hashOf, ImportStopped, messageOf, request, type Service } from './service.ts'
import { noSku, skuFinder } from './skus.ts'

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

type Material = { readonly line: number; readonly material: JsonObject }
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
  return {
    onUnreadable,
    take: async ({ line, body }) => {
      const read = recordOf(columns, body)
      if ('fault' in read) {
        onUnreadable(line)
        return read
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
    },
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
  const refused = (at: number, faults: ReadonlyMap<number, string>) =>
    rows.map(({ line }, index) => ({
      line,
      outcome: { fault: faults.get(index) ?? `the recipe of ${sku} is not made: see line ${at}` },
    }))
  if (refusedLine !== null) return refused(refusedLine, new Map())
  const first = rows[0]?.line ?? 0
  const materials = rows.map(({ material }) => material)
  let other: string | null = null
  for await (const found of findAll(service, '/recipes', `item_variant_id=${variantId}`)) {
    if (isSameList(materials, objectsOf(found['materials'])))
      return rows.map(({ line }) => ({ line, outcome: 'known' }))
    other = String(found['id'])
  }
  if (other !== null)
    return refused(first, new Map([[0, `sku: ${sku} has a recipe with other materials (${other}); change that one`]]))
  const body = canonicalJson({ item_variant_id: variantId, materials })
  const reply = await request(service, 'POST', '/recipes', { body, key: `import-recipes-${hashOf(body)}` })
  if (reply.status < 300) return rows.map(({ line }) => ({ line, outcome: reply.isReplay ? 'known' : 'created' }))
  const message = messageOf(reply)
  const faults = lineFaults(message, { list: 'materials', columns: { item_variant_id: 'material_sku' } })
  const [named] = faults.size === 0 ? [0] : faults.keys()
  return refused(rows[named ?? 0]?.line ?? first, faults.size === 0 ? new Map([[0, message]]) : faults)
}

/** Compares in any order. */
function isSameList(asked: readonly JsonObject[], found: readonly JsonObject[]): boolean {
  const texts = (list: readonly JsonObject[]) => list.map(materialText).sort()
  return JSON.stringify(texts(asked)) === JSON.stringify(texts(found))
}

function materialText({ item_variant_id, quantity, notes }: JsonObject): string {
  const absent = (value: JsonValue | undefined) => value ?? null
  return canonicalJson([absent(item_variant_id), absent(quantity), absent(notes)])
}

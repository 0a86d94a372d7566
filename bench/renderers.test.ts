// @ts-nocheck
// biome-ignore-all lint: a measurement that is taken out again
/** Reads of one record and pages of 50, in three ways: rendered by SQL, by columns and the renderer in memory, by columns and a compiled renderer. */
import { readFileSync } from 'node:fs'
import { Client } from 'pg'
import { SalesOrder } from '../lib/domain/sales/orders/noun.ts'
import { othersOf } from '../lib/kit/documents/document.ts'
import { documentJson, render } from '../lib/kit/documents/render.ts'
import * as nouns from '../lib/nouns.ts'
import { RoundTripPool } from '../lib/platform/postgres/round-trip-pool.ts'
import { ownService } from '../test/support/of-file.ts'
import { apart } from '../test/support/suite.ts'

const test = apart(import.meta)
const q = (...a: string[]) => a.map(x => `"${x}"`).join('.')
const val = (x: any, a: string) => (x.field.source === undefined ? q(a, x.column) : `(${x.field.source(q(a))})`)
type Doc = any
/** all columns that are shown or needed by derived: here all but hidden ones unless derived */
const colsOf = (d: Doc) => {
  const derived = Object.values(d.fields).some((f: any) => f.is === 'derived')
  return d.columns.filter((c: any) => derived || c.field.reply !== null)
}
const otherCols = (d: Doc) => {
  const out: { of: Doc; column: string; fields: string[] }[] = []
  for (const f of Object.values(d.fields) as any[]) {
    if (f.is !== 'shown' && f.is !== 'field-of') continue
    const fields = f.is === 'shown' ? f.fields : [f.field]
    const known = out.find(o => o.of === f.of && o.column === f.column)
    if (known) known.fields.push(...fields)
    else out.push({ of: f.of, column: f.column, fields: [...fields] })
  }
  return out
}
function selection(d: Doc, alias: string) {
  const cols = colsOf(d)
  const others = otherCols(d)
  const exprs: string[] = cols.map((c: any) => c.field.select(val(c, alias)))
  const joins = others.map((o, i) => {
    const as = `o${i}`
    for (const f of o.fields) {
      const field = o.of.fields[f]
      exprs.push(field.select(val({ field, column: field.column ?? f }, as)))
    }
    return `left join lateral (select * from ${q(o.of.table)} where tenant_id = ${q(alias, 'tenant_id')} and id = ${q(alias, o.column)} limit 1) ${as} on true`
  })
  const beside = d.beside ? `cross join lateral (select * from ${d.beside(q(alias))}) b_` : ''
  const readers = cols.map((c: any) => ({ property: c.property, read: c.field.read }))
  const read = (texts: readonly (string | null)[], found: Map<Doc, Map<string, any>>) => {
    const record: any = {}
    let at = 0
    for (const { property, read } of readers) {
      const t = texts[at++]
      record[property] = t === null || t === undefined ? null : read(t)
    }
    for (const o of others) {
      const other: any = {}
      for (const f of o.fields) {
        const t = texts[at++]
        other[f] = t === null || t === undefined ? null : o.of.fields[f].read(t)
      }
      let by = found.get(o.of)
      if (!by) found.set(o.of, (by = new Map()))
      by.set(record[o.column], other)
    }
    return record
  }
  return { exprs, joins: joins.join(' '), read, beside }
}
function plan(d: Doc, page: string) {
  const head = selection(d, 'd')
  const lines = d.lines
    .filter((l: any) => (d.fields[l.property] as any).words !== null)
    .map((l: any) => ({ ...l, s: selection(l.of, 'l') }))
  const names = head.exprs.map((x, i) => `${x} as c${i}`).join(', ')
  const lineSql = lines.map(
    (l: any, i: number) =>
      `(select json_agg(json_build_array(${l.s.exprs.join(', ')}) order by l.id)::text from (select * from ${q(l.of.table)} l where l.tenant_id = d.tenant_id and ${q('l', l.of.parent)} = d.id offset 0) l ${l.s.joins}) as l${i}`,
  )
  const text = `select ${[names, ...lineSql].join(', ')} from ${page} ${head.joins} order by d.id`
  const documents = (rows: any[]) => {
    const found = new Map<Doc, Map<string, any>>()
    const lookup = (of: Doc, id: string) => found.get(of)?.get(id)
    return rows.map(row => {
      const record = head.read(row, found)
      lines.forEach((l: any, i: number) => {
        const t = row[head.exprs.length + i]
        record[l.property] = t === null ? [] : (JSON.parse(t) as any[]).map(each => l.s.read(each, found))
      })
      return render(d, record, lookup)
    })
  }
  return { text, documents }
}

const numeric = (c: any) => c.type === 'numeric'
const exprOf = (field: any, sql: string) => (numeric(field) ? `trim_scale(${sql})::text` : field.select(sql))
const plainTypes = new Set(['bigint', 'timestamptz', 'date'])
function fromText(field: any): (t: string) => string {
  if (numeric(field)) return t => t
  const probe = (x: string) => {
    try {
      return field.json(field.read(x))
    } catch {
      return undefined
    }
  }
  if (plainTypes.has(field.type) && probe('1') === '"1"') return t => `"${t}"`
  if (['integer', 'boolean', 'bigint'].includes(field.type)) return t => t
  if (field.type === 'text') return probe('"') === '"\\""' ? t => JSON.stringify(t) : t => `"${t}"`
  return t => field.json(field.read(t))
}
type Part = (texts: any[]) => string
function fast(d: Doc, page: string) {
  const make = (d: Doc, alias: string, linesAt: (property: string) => Part | null) => {
    const exprs: string[] = []
    const joins: string[] = []
    const at = new Map<string, number>()
    const add = (field: any, column: string, from: string) => {
      const sql = field.source === undefined ? q(from, column) : `(${field.source(q(from))})`
      const e = exprOf(field, sql)
      const known = at.get(e)
      if (known !== undefined) return known
      exprs.push(e)
      at.set(e, exprs.length - 1)
      return exprs.length - 1
    }
    const other = new Map<string, string>()
    const join = (of: Doc, column: string) => {
      const known = other.get(column)
      if (known) return known
      const as = `o${other.size}_${alias}`
      other.set(column, as)
      joins.push(
        `left join lateral (select * from ${q(of.table)} where tenant_id = ${q(alias, 'tenant_id')} and id = ${q(alias, column)} limit 1) ${as} on true`,
      )
      return as
    }
    const columnPart = (i: number, field: any): Part => {
      const f = fromText(field)
      return texts => {
        const t = texts[i]
        return t === null ? 'null' : f(t)
      }
    }
    const partOf = (field: any, name: string): Part | null => {
      if (field.is === 'lines') return field.words === null ? null : linesAt(name)
      if (field.is === 'group') return object(field.fields)
      if (field.is === 'derived') {
        // needs of the record: all decimals by name
        const names = /(?:record\[(\w+)\])/.test(String(field.json)) && field.reply ? null : null
        const needs = d.columns.map((c: any) => ({
          p: c.property,
          i: add(c.field, c.column, alias),
          read: c.field.read,
        }))
        return texts =>
          field.json(
            new Proxy(
              {},
              {
                get: (_t, k) => {
                  const n = needs.find((x: any) => x.p === k)
                  const v = texts[n!.i]
                  return v === null ? null : n!.read(v)
                },
              },
            ),
          )
      }
      if (field.is === 'field-of') {
        const as = join(field.of, field.column)
        const f = field.of.fields[field.field]
        return columnPart(add(f, f.column ?? field.field, as), f)
      }
      if (field.is === 'shown') {
        const as = join(field.of, field.column)
        return object(Object.fromEntries(field.fields.map((n: string) => [n, field.of.fields[n]])), as)
      }
      if (field.reply === null) return null
      return columnPart(add(field, field.column ?? name, alias), field)
    }
    const object = (fields: any, from?: string): Part => {
      const parts = Object.entries(fields).flatMap(([name, field]: any) => {
        const part =
          from === undefined ? partOf(field, name) : columnPart(add(field, field.column ?? name, from), field)
        return part === null ? [] : [[(field.is === 'column' && field.called) || name, part] as const]
      })
      const prefixes = parts.map(([n], i) => `${i === 0 ? '{' : ','}"${n}":`)
      const fs = parts.map(([, f]) => f)
      return texts => {
        let out = ''
        for (let i = 0; i < fs.length; i++) out += prefixes[i] + fs[i]!(texts)
        return `${out}}`
      }
    }
    const render = d.envelope
      ? (() => {
          const heads = Object.fromEntries(Object.entries(d.fields).filter(([, f]: any) => f.is !== 'lines'))
          const ls = Object.fromEntries(Object.entries(d.fields).filter(([, f]: any) => f.is === 'lines'))
          const h = object(heads),
            l = object(ls)
          return ((texts: any[]) => `{"${d.envelope}":${h(texts)},${l(texts).slice(1)}`) as Part
        })()
      : object(d.fields)
    return { exprs, joins, render }
  }
  const lineTexts: string[] = []
  const linePlans: Part[] = []
  const slots: { i: number }[] = []
  const head = make(d, 'd', property => {
    const of = d.fields[property].of
    const l = make(of, 'l', () => null)
    const slot = { i: -1 }
    slots.push(slot)
    lineTexts.push(
      `(select json_agg(json_build_array(${l.exprs.join(', ')}) order by l.id)::text from (select * from ${q(of.table)} l where l.tenant_id = d.tenant_id and ${q('l', of.parent)} = d.id offset 0) l ${l.joins.join(' ')})`,
    )
    return texts => {
      const t = texts[slot.i]
      if (t === null) return '[]'
      const all = JSON.parse(t)
      let out = '['
      for (let n = 0; n < all.length; n++) out += (n ? ',' : '') + l.render(all[n])
      return `${out}]`
    }
  })
  slots.forEach((s, n) => {
    s.i = head.exprs.length + n
  })
  const text = `select ${[...head.exprs, ...lineTexts].map((x, i) => `${x} as c${i}`).join(', ')} from ${page} ${head.joins.join(' ')} order by d.id`
  return { text, documents: (rows: any[]) => rows.map(r => head.render(r)) }
}
test('measure', async t => {
  t.timeout?.(600_000)
  const s = await ownService()
  const tenant = await s.tenant({ plan: 'pro' })
  const customer = (await tenant.post('/customers', { title: 'Buyer' })).body
  const product: any = (
    await tenant.post('/products', {
      title: 'Chair',
      type: 'PRODUCT',
      variants: [
        { sku: 'A', price: 3 },
        { sku: 'B', price: 4 },
        { sku: 'C', price: 5.5 },
      ],
    })
  ).body
  for (let n = 0; n < 60; n++)
    await tenant.post('/products', {
      title: `Chair ${n}`,
      type: 'PRODUCT',
      variants: [
        { sku: `A${n}`, price: 3 },
        { sku: `B${n}`, price: 4.5 },
      ],
    })
  const variants = product.variants.map((v: any) => v.id)
  for (let i = 0; i < 60; i++) {
    const r = await tenant.post('/sales-orders', {
      customer_id: customer.id,
      items: variants.map((v: string, n: number) => ({ item_variant_id: v, quantity: n + 1.5 })),
    })
    if (r.status !== 201) throw new Error(r.text)
  }
  const admin = new Client({ connectionString: s.databaseUrl })
  await admin.connect()
  await admin.query('analyze')
  const pool = new RoundTripPool(s.databaseUrl, {
    size: 1,
    statementTimeoutMs: 10000,
    idleInTransactionTimeoutMs: 10000,
    name: 'measured',
  } as never)
  const send = (text: string, values: unknown[]) =>
    pool.use(c => c.send([{ text, values }])).then(([rows]) => rows as any[])
  const pid = Number((await send('select pg_backend_pid()::text as p', []))[0].p)
  const cpu = () => Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6
  const all: any = nouns
  const products = (nouns as any).documents?.find?.((d: any) => d.kind === 'product')
  const docs: Record<string, Doc> = { orders: SalesOrder }
  for (const mod of [
    '../lib/domain/catalogue/product.ts',
    '../lib/domain/catalogue/noun.ts',
    '../lib/domain/stock/movements/noun.ts',
    '../lib/domain/catalogue/variant.ts',
    '../lib/domain/partners/noun.ts',
    '../lib/domain/stock/adjustments/noun.ts',
  ]) {
    try {
      const m: any = await import(mod)
      for (const [k, v] of Object.entries(m))
        if ((v as any)?.kind && (v as any)?.table && (v as any)?.columns) docs[k] = v
    } catch (e) {
      t.log(mod, String(e).slice(0, 80))
    }
  }
  t.log(Object.keys(docs).join(' '))
  const results: string[] = []
  for (const [name, d] of Object.entries(docs)) {
    for (const size of [1, 50]) {
      const page = `(select id from ${q(d.table)} r where tenant_id = $1::bigint and id > 0 order by id limit ${size}) page cross join lateral (select * from ${q(d.table)} where tenant_id = $1::bigint and id = page.id limit 1) d`
      const before = `select d.id::text as id, ${documentJson(d, 'd')} as document from ${page} order by d.id`
      let p: ReturnType<typeof plan>
      let pf: any
      try {
        pf = fast(d, page)
        await send(pf.text, [tenant.tenantId])
        p = plan(d, page)
        await send(p.text, [tenant.tenantId])
      } catch (e) {
        results.push(`${name}: ${String(e).slice(0, 120)}`)
        break
      }
      const rowsNew = async () => {
        const rows = await send(p.text, [tenant.tenantId])
        return p.documents(rows.map(r => Object.values(r)))
      }
      const rowsFast = async () => {
        const rows = await send(pf.text, [tenant.tenantId])
        return pf.documents(rows.map(r => Object.values(r)))
      }
      const rowsOld = async () => (await send(before, [tenant.tenantId])).map(r => r.document)
      const [a, b] = [await rowsOld(), await rowsNew()]
      const cF = await rowsFast()
      const same = JSON.stringify(a) === JSON.stringify(b)
      if (JSON.stringify(a) !== JSON.stringify(cF)) results.push(`${name} FAST differs: ${a[0]}\n ${cF[0]}`)
      if (!same) results.push(`${name} differs: ${a[0]}\n ${b[0]}`)
      const one = async (run: () => Promise<unknown>, times: number) => {
        const p0 = cpu(),
          u0 = process.cpuUsage()
        for (let i = 0; i < times; i++) await run()
        const u = process.cpuUsage(u0)
        return [(cpu() - p0) / times, (u.user + u.system) / times / 1e3]
      }
      const times = size === 1 ? 600 : 120
      for (let w = 0; w < 10; w++) {
        await rowsOld()
        await rowsNew()
        await rowsFast()
      }
      const sums = { old: [0, 0], new: [0, 0], fast: [0, 0] } as Record<string, number[]>
      for (let round = 0; round < 6; round++)
        for (const [k, run] of [
          ['old', rowsOld],
          ['new', rowsNew],
          ['fast', rowsFast],
        ] as const) {
          const [x = 0, y = 0] = await one(run, times)
          sums[k]![0]! += x / 6
          sums[k]![1]! += y / 6
        }
      const f = (k: string) =>
        `${k} pg ${sums[k]![0]!.toFixed(3)} node ${sums[k]![1]!.toFixed(3)} sum ${(sums[k]![0]! + sums[k]![1]!).toFixed(3)}`
      results.push(
        `${name} rows ${a.length} same ${same}: ${f('old')} | ${f('new')} | ${f('fast')} | fast ratio ${((sums['fast']![0]! + sums['fast']![1]!) / (sums['old']![0]! + sums['old']![1]!)).toFixed(2)} | ratio pg ${(sums['new']![0]! / sums['old']![0]!).toFixed(2)} sum ${((sums['new']![0]! + sums['new']![1]!) / (sums['old']![0]! + sums['old']![1]!)).toFixed(2)}`,
      )
    }
  }
  for (const r of results) t.log(r)
  await pool.end()
  await admin.end()
  await s.close()
  t.pass()
})

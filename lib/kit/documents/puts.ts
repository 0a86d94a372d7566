/**
 * Reading and writing records by their `external_ref` (docs/rules/documents.md, "By reference"). `puts` is two commands in one: if no
 * record has the reference it runs the command that makes records, else the one that changes them.
 */
import type { CommandEndpoint, Endpoint } from '../api/endpoint.ts'
import { allInvalid, invalid, isRefusal, type Refusal } from '../api/errors.ts'
import { REFERENCE } from '../api/path-params.ts'
import { defaultsOf, extraDefaultsOf, putBody } from '../fields/bodies.ts'
import type { AnyField } from '../fields/field.ts'
import { type AnyUnit, command, type Request } from './command.ts'
import type { RecordOf } from './document.ts'
import { withMerged } from './merging.ts'
import { namedIn } from './naming.ts'
import type { Facts, Need, Needs } from './needs.ts'
import { type AnyNoun, nameInIds } from './noun.ts'
import { readByRef } from './reads.ts'
import { holders } from './records.ts'
import { replyOf } from './reply.ts'
import { holderOf } from './unique-values.ts'

type Values = Readonly<Record<string, unknown>>
type Ways<D extends AnyNoun> = {
  readonly create: CommandEndpoint
  readonly change: CommandEndpoint
  readonly example: unknown
  readonly description?: string
  /** Rules between fields, as a part of the schema. */
  readonly bodyOf?: (schema: ReturnType<typeof putBody>) => ReturnType<typeof putBody>
  /** The body for a change of an existing record, if its lines must be found first. */
  readonly found?: (record: RecordOf<D>, body: Values) => Values | Refusal
}

/** `GET` and `PUT` of the record with a reference. */
export const byRef = <D extends AnyNoun>(of: D, ways: Ways<D>): readonly [read: Endpoint, put: CommandEndpoint] => [
  readByRef(of, {
    id: `get${nameInIds(of)}ByRef`,
    path: pathOf(of),
    tag: of.tag,
    scope: of.scopes.read,
    summary: `Read the ${of.noun} with an external_ref`,
  }),
  puts(of, ways),
]

/** Whether a new record is archived. Only a PUT can ask for that. */
export const isBornArchived = (body: object): boolean => (body as { readonly archived?: boolean }).archived === true

const pathOf = ({ path }: AnyNoun): string => `${path}/by-ref/{${REFERENCE}}`

/** The id of the record with a reference; null: there is none. */
const theHolder = (of: AnyNoun, value: string): Need<string | null> => ({
  ask: (load, tenantId) => holders(of, REFERENCE).ask(load, tenantId, { value }),
  see: work => work.answer(holderOf(of, REFERENCE), { value }),
})

function puts<D extends AnyNoun>(
  of: D,
  { create, change, example, description, bodyOf = schema => schema, found = (_, body) => body }: Ways<D>,
): CommandEndpoint {
  const [making, changing] = [create.unit as AnyUnit, change.unit as AnyUnit]
  const sent = { ...of.fields, ...of.create }
  const isThere = ({ params }: Request): boolean => params['id'] !== undefined
  const toMake = ({ params, body }: Request): Request => ({ params: {}, body: newBody(of, params, body as Values) })
  /** The body without fields that never change and name what the record already has. Refuses a body that would change such a field. */
  const toChange = (request: Request, record: RecordOf<D> | null): Request | Refusal => {
    const body = record === null ? request.body : changeOf(of, record as Values, request.body as Values)
    const whole = record === null || isRefusal(body) ? body : found(record, body as Values)
    return isRefusal(whole) ? whole : { params: request.params, body: whole }
  }
  const recordIn = (facts: Facts<Needs>) => (facts as { readonly record: RecordOf<D> | null }).record
  return command({
    id: `put${nameInIds(of)}ByRef`,
    method: 'PUT',
    path: pathOf(of),
    tag: of.tag,
    scope: create.scope,
    ...(change.scope === null ? {} : { alsoScope: change.scope }),
    summary: `Make or change the ${of.noun} with an external_ref`,
    description:
      `Makes the ${of.noun} (201, as \`POST ${of.path}\` does) where none has the reference, archived ones included, else changes it (200, ` +
      `as \`PATCH ${of.path}/{id}\` does): what is omitted stays. What a POST requires is required where the ${of.noun} is new. A body that ` +
      `changes nothing has no event. \`If-Match\` where no ${of.noun} has the reference is 412.${description ? ` ${description}` : ''}`,
    example,
    refusals: [...new Set([...create.refusals, ...change.refusals])],
    body: bodyOf(putBody(of)),
    success: 200,
    ...(create.replay ? { replay: create.replay } : {}),
    reply: replyOf(of),
    countsAsDocument: create.countsAsDocument,
    mayMake: true,
    ifMatch: of,
    named: request => {
      const value = request.params[REFERENCE] ?? ''
      const names = namedIn(sent, request as Request)
      return {
        needs: { ...names?.needs, holder: theHolder(of, value) },
        resolve: facts => {
          const withIds = names === null ? request : names.resolve(facts)
          if (isRefusal(withIds)) return withIds
          const { holder } = facts as { readonly holder: string | null }
          return { ...withIds, params: { ...withIds.params, ...(holder === null ? {} : { id: holder }) } }
        },
      }
    },
    ids: request => making.ids(toMake(request as Request)),
    needs: (request, actor): Needs =>
      isThere(request as Request)
        ? changing.needs(request as Request, actor)
        : making.needs(toMake(request as Request), actor),
    more: (request, facts): Needs => {
      if (!isThere(request as Request)) return making.more?.(toMake(request as Request), facts) ?? {}
      const asked = toChange(request as Request, recordIn(facts))
      return isRefusal(asked) ? {} : (changing.more?.(asked, facts) ?? {})
    },
    decide: (request, facts, deciding) => {
      if (isThere(request as Request)) {
        const asked = toChange(request as Request, recordIn(facts))
        return isRefusal(asked) ? asked : changing.decide(asked, facts, deciding)
      }
      const refused = refuseNew(of, request.body as Values)
      const made = refused ?? making.decide(toMake(request as Request), facts, deciding)
      return isRefusal(made) ? made : { ...made, status: 201 }
    },
  })
}

const sentIn = (of: AnyNoun): readonly (readonly [name: string, field: AnyField])[] =>
  Object.entries({ ...of.fields, ...of.create }).flatMap(([name, member]) =>
    'sent' in (member as object) ? [[name, member as AnyField] as const] : [],
  )

/** Refuses `validation_failed` if the body of a new record lacks required fields. */
function refuseNew(of: AnyNoun, body: Values): Refusal | null {
  const missing = sentIn(of).flatMap(([name, { sent }]) =>
    sent.absent === 'refused' && (sent.on === 'create' || sent.on === 'both') && body[name] === undefined
      ? [invalid(name, `is required: no ${of.noun} has this external_ref`)]
      : [],
  )
  const merged = newBodyOf(of, body)
  if (missing.length > 0) return allInvalid(missing)
  return isRefusal(merged) ? merged : null
}

/** The body that makes the record, without metadata names that the body would remove. */
function newBody(of: AnyNoun, params: Request['params'], body: Values): Values {
  const whole = newBodyOf(of, body)
  return { ...extraDefaultsOf(of.create), ...(isRefusal(whole) ? body : whole), [REFERENCE]: params[REFERENCE] }
}

function newBodyOf(of: AnyNoun, body: Values): Values | Refusal {
  const whole = withMerged(of, defaultsOf(of.fields), body)
  if (isRefusal(whole)) return whole
  const lines: [string, unknown][] = []
  for (const { property, of: line } of of.lines) {
    const sent = body[property] as readonly object[] | undefined
    if (sent === undefined) continue
    const read = sent.map((each, at) => withMerged(line, defaultsOf(line.fields), each, `${property}[${at}].`))
    const refused = read.find(isRefusal)
    if (refused) return refused
    lines.push([property, read])
  }
  return { ...whole, ...Object.fromEntries(lines) }
}

/** Refuses `validation_failed` for another value of a field that never changes. */
function changeOf(of: AnyNoun, record: Values, body: Values): Values | Refusal {
  const fixed = sentIn(of).filter(([name, { sent }]) => sent.on === 'create' && name in of.fields && name in body)
  const refused = fixed.find(([name]) => body[name] !== undefined && body[name] !== record[name])
  if (refused) return invalid(refused[0], `is ${JSON.stringify(record[refused[0]])} and cannot change`)
  const names = new Set(fixed.map(([name]) => name))
  return Object.fromEntries(Object.entries(body).filter(([name]) => !names.has(name)))
}

/** Every noun of the service in the portal: it is linked, listed, found by the search and updated live. */
import { globSync } from 'node:fs'
import { endpoints } from '../../lib/nouns.ts'
import { testsOf } from '../support/suite.ts'
import { PORTAL, portalNouns } from './portal-nouns.ts'

const test = testsOf(import.meta)

/** Nouns that are shown on pages of other nouns, or on special screens. */
const WITHOUT_SCREENS = ['/supplier-items', '/webhook-subscriptions']
/** Nouns with so few records that the search leaves them to their lists. */
const NOT_FOUND = ['STORAGE_PLACE', 'RECIPE', 'OPERATION', 'API_KEY']

const { nouns, documentPath, touchedBy } = await portalNouns()

const reads = endpoints.filter(({ method, path }) => method === 'GET' && /^\/[a-z-]+\/\{id\}$/.test(path))
const resourceOf = (path: string) => path.replace('/{id}', '').slice(1)

test('every noun that can be read by its id has a list and pages, or stands on those of others', t => {
  const byResource = new Map(nouns.map(noun => [noun.resource, noun]))
  const screens = new Set(
    globSync('src/screens/*/*-screens.tsx', { cwd: PORTAL }).map(file => file.replace(/^.*\/|-screens\.tsx$/g, '')),
  )
  for (const { path, scope } of reads) {
    if (WITHOUT_SCREENS.includes(path.replace('/{id}', ''))) continue
    const noun = byResource.get(resourceOf(path))
    t.truthy(noun, path)
    t.is(noun?.scope, scope ?? undefined, path)
    t.is(documentPath(noun?.kind ?? '', '7'), `${noun?.path}/7`)
    t.true(screens.delete(noun?.kind.toLowerCase().replaceAll('_', '-') ?? ''), `${path} has screens`)
  }
  t.deepEqual([...screens], [], 'no screens without a noun')
  t.is(documentPath('VARIANT', '7/12'), '/stock/7/12')
  t.is(documentPath('NO_NOUN', '7'), undefined)
})

test('the search finds every noun that has a list', t => {
  const listed = nouns.filter(({ list }) => list !== undefined)
  t.deepEqual(
    listed.filter(({ find }) => find === undefined).map(({ kind }) => kind),
    NOT_FOUND,
  )
})

test('an event of any kind makes what is shown of its noun be read again', t => {
  const kinds = new Set(
    endpoints.flatMap(({ events = {} }) => Object.keys(events)).map(kind => kind.split('.')[0] ?? ''),
  )
  t.true(kinds.size > 15)
  for (const kind of kinds) t.true(touchedBy(kind).length > 0, kind)
  for (const { path, events = {} } of reads)
    for (const kind of Object.keys(events)) t.is(touchedBy(kind.split('.')[0] ?? '')[0], resourceOf(path), kind)
})

test('the history of a record has every event of its noun', t => {
  const kinds = endpoints.flatMap(({ events = {} }) => Object.keys(events))
  for (const { kind, events = [] } of nouns.filter(noun => noun.list !== undefined)) {
    const begins = `${kind.toLowerCase()}.`
    const told = new Set(kinds.filter(of => of.startsWith(begins)).map(of => of.slice(begins.length)))
    t.deepEqual(events.toSorted(), [...told].toSorted(), kind)
  }
})

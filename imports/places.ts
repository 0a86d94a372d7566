/** Finds storage places by the name in a row: the code, else the title. */
import { type Refused, refused } from './kind.ts'
import { findAll, type Service } from './service.ts'
import type { Fields, Value } from './values.ts'

/** A place's id; null: stock without a place, for a tenant without places. Without a name it is the main place. */
type FindPlace = (name: Value | undefined) => Promise<{ readonly id: string | null } | Refused>

/** The places as they are at the first call. */
export function placeFinder(service: Service): FindPlace {
  let loaded: Promise<Fields[]> | undefined
  return async name => {
    loaded ??= Array.fromAsync(findAll(service, '/storage-places'))
    const places = await loaded
    if (name === undefined) return { id: idOf(places.find(place => place['is_main'] === true)) }
    const open = places.filter(place => place['archived'] !== true)
    const byCode = open.filter(place => place['code'] === name)
    const [found, second] = byCode.length > 0 ? byCode : open.filter(place => place['title'] === name)
    if (found === undefined) return refused('place', `no storage place has the code or title "${name}"`)
    if (second !== undefined)
      return refused('place', `"${name}" are several storage places: give them codes of their own`)
    return { id: idOf(found) }
  }
}

const idOf = (place: Fields | undefined): string | null => (place === undefined ? null : String(place['id']))

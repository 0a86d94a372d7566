/** Reads a plain dump line by line. */
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'

export const linesOf = (file: string): AsyncIterable<string> =>
  createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })

const ROLE = '("[^"]+"|[a-z_][a-z0-9_$]*)'
const OWNER = new RegExp(`^ALTER .* OWNER TO ${ROLE};$`)
const PRIVILEGE = new RegExp(`^(?:GRANT|REVOKE) .* (?:TO|FROM) ${ROLE}(?: WITH GRANT OPTION)?;$`)
const FOR_ROLE = new RegExp(`^ALTER DEFAULT PRIVILEGES FOR ROLE ${ROLE} `)

/** Roles that a line of a plain dump names, as SQL spells them. A line of table data may name roles that nobody needs. */
export const rolesIn = (line: string): readonly string[] =>
  [OWNER, PRIVILEGE, FOR_ROLE].flatMap(pattern => {
    const role = pattern.exec(line)?.[1]
    return role === undefined || role.toUpperCase() === 'PUBLIC' ? [] : [role]
  })

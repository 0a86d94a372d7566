/**
 * Records the statements again, from tenants on services of their own.
 *
 *     npm run statements                                  writes hashes.txt and golden/
 *     npm run statements -- --print 'listSalesOrders 3'   prints a statement, or all of a sender, and writes nothing
 */
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { testServices } from '../../support/services.ts'
import { collectStatements } from './collect.ts'
import { goldensOf } from './goldens.ts'
import { GOLDEN, HASHES, hashesOf, nameOf, shown } from './recorded.ts'

const { print } = parseArgs({ options: { print: { type: 'string' } } }).values
const services = await testServices()
try {
  const statements = await collectStatements(services)
  if (print === undefined) {
    await writeFile(HASHES, hashesOf(statements))
    await rm(GOLDEN, { recursive: true, force: true })
    await mkdir(GOLDEN)
    for (const [file, text] of goldensOf(statements)) await writeFile(new URL(file, GOLDEN), text)
  } else {
    const found = statements.filter(each => print === each.sender || print === nameOf(each))
    if (found.length === 0) throw new Error(`no statement is called ${print}: hashes.txt has all senders`)
    process.stdout.write(shown(found))
  }
} finally {
  await services.close()
}

/** Slonik's connections: clients whose answers this process limits too (client.ts). */
import type pg from 'pg'
import { BackendTerminatedError, createDriverFactory, type DriverCommand, type DriverFactory } from 'slonik'
import { connectLimited, connectOwnSession, type LimitedClient, type LimitedClientOptions } from './client.ts'

/** Address and options come from the parameters. Those that Slonik passes are ignored. */
export const limitedDriver = (databaseUrl: string, options: LimitedClientOptions): DriverFactory =>
  createDriverFactory(async () => {
    await tryOut(databaseUrl, options)
    return {
      createPoolClient: async ({ clientEventEmitter }) => {
        let isEnded = false
        const fail = (error: Error) => {
          if (!isEnded) clientEventEmitter.emit('error', lost(error))
        }
        let limited: LimitedClient
        return {
          connect: async () => {
            // Once it is called, Slonik no longer uses the connection.
            limited = await connectLimited(databaseUrl, { ...options, isPooled: true, onThrownAway: fail })
            limited.client.on('error', fail)
            limited.client.on('notice', ({ message = '' }) => clientEventEmitter.emit('notice', { message }))
          },
          end: async () => {
            isEnded = true
            await limited.end()
          },
          query: async (text, values = [], { name } = {}) => {
            const query = name === undefined ? { text, values } : { name, text, values }
            try {
              return resultOf(await limited.ask(() => limited.client.query(query)))
            } catch (error) {
              throw error instanceof Error && (limited.isLost || isFatal(error)) ? lost(error) : error
            }
          },
          stream: () => {
            throw new Error('statements are not streamed')
          },
        }
      },
    }
  })

/** A process that cannot reach its database, or shares its sessions with others, must fail at its start. */
async function tryOut(databaseUrl: string, options: LimitedClientOptions): Promise<void> {
  const first = await connectOwnSession(databaseUrl, options)
  await first.end()
}

const resultOf = ({ command, rowCount, rows, fields }: pg.QueryResult) => ({
  command: command as DriverCommand,
  rowCount,
  rows,
  fields: fields.map(({ name, dataTypeID }) => ({ name, dataTypeId: dataTypeID })),
})

/** The connection is gone with its transaction: Slonik sends no rollback on it. */
const lost = (error: Error): Error => Object.assign(new BackendTerminatedError(error), { message: error.message })

/** PostgreSQL ends the session with this error. */
const isFatal = (error: Error): boolean => String((error as { readonly code?: unknown }).code).startsWith('57P')

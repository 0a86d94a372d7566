/** Calls the interface for the examples of events (lib/kit/documents/examples.ts), with the package's client. */
import { settingsOf } from '../../../client/src/millrace.ts'
import type { ClientOptions } from '../../../client/src/options.ts'
import { httpTransport } from '../../../client/src/transport.ts'
import type { Caller } from '../../kit/documents/examples.ts'

/** A caller whose calls reject with ApiError or ConnectionError. */
export function callerOver(options: ClientOptions): Caller {
  const { read, write } = httpTransport(settingsOf(options))
  return {
    get: path => read(path, {}),
    post: (path, body = {}) => write('POST', path, body),
    patch: (path, body) => write('PATCH', path, body),
    remove: path => write('DELETE', path, undefined),
  }
}

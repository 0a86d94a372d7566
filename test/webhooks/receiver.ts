/** A real HTTP receiver of webhooks on this machine: it keeps what arrived, byte by byte, and answers as the test says. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Loose } from '../support/command-context.ts'

export type Arrival = {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  readonly body: Loose
  /** When it had arrived completely, in ms since 1970. */
  readonly at: number
}

/** How to answer: with a status, or with a function. A function that does not end the response hangs. */
export type Behaviour = (response: ServerResponse, arrival: Arrival, request: IncomingMessage) => void

export type Receiver = {
  readonly url: string
  readonly arrivals: Arrival[]
  /** The most requests that were open at the same time. */
  readonly openMax: () => number
  answer(behaviour: Behaviour): void
  close(): Promise<void>
}

export const status =
  (code: number, headers: Record<string, string> = {}): Behaviour =>
  response =>
    void response.writeHead(code, headers).end()

/** Starts a receiver. It answers 200 until the test changes that. */
export async function receiver(behaviour: Behaviour = status(200)): Promise<Receiver> {
  const arrivals: Arrival[] = []
  let [answer, open, openMax] = [behaviour, 0, 0]
  const server = createServer(async (request, response) => {
    open += 1
    openMax = Math.max(openMax, open)
    response.once('close', () => {
      open -= 1
    })
    response.on('error', () => {})
    const chunks: Buffer[] = []
    try {
      for await (const chunk of request) chunks.push(chunk as Buffer)
    } catch {
      return // the sender stopped waiting, or was killed
    }
    const text = Buffer.concat(chunks).toString()
    const arrival = {
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers as Record<string, string>,
      text,
      body: text === '' ? null : JSON.parse(text),
      at: Date.now(),
    }
    arrivals.push(arrival)
    answer(response, arrival, request)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    arrivals,
    openMax: () => openMax,
    answer: next => {
      answer = next
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

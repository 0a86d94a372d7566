/** `trigger`: makes the demo tenant do what causes an event of a kind. */
import { ApiError, ConnectionError, Millrace } from '../../../client/src/index.ts'
import { endpoints, examples } from '../../nouns.ts'
import { eventKindsOf } from '../../webhooks/event-kinds.ts'
import { readDemo } from '../embedded/demo-file.ts'
import { callerOver } from '../events/caller.ts'
import { type CliCommand, Refused, UsageError, type World } from './command.ts'
import { table } from './table.ts'

const trigger: CliCommand = {
  words: ['trigger'],
  summary: 'Have the demo tenant do what leads to an event of a kind',
  argument: { name: 'KIND', help: 'the kind of event; without it the kinds are listed', optional: true },
  options: {},
  details: [
    'It calls the service that npm start runs here with the key of its demo tenant, and makes records of its own: what leads to an',
    'event may cause others before it. No other tenant is ever touched. bin/millrace listen shows the events.',
  ],
  examples: ['trigger', 'trigger sales_order.shipped'],
  run: async ({ argument: kind }, world) => {
    if (kind === '') return listed()
    const run = examples[kind]
    if (run === undefined || !Object.hasOwn(examples, kind))
      throw new UsageError(`${kind}: no such kind; bin/millrace trigger lists the kinds${suggestion(kind)}`)
    const demo = await demoOf(world)
    const millrace = new Millrace(demo)
    const before = await lastSequence(millrace)
    try {
      await run(callerOver(demo))
    } catch (error) {
      if (error instanceof ApiError || error instanceof ConnectionError) throw new Refused(error.message)
      throw error
    }
    const events = await millrace.events.list({ after_sequence: before, limit: 200 })
    const published = events.data.map(({ type, sequence }) => ({ type, sequence: Number(sequence) }))
    return {
      json: { kind, events: published },
      text: table(
        ['EVENT', 'SEQUENCE'],
        published.map(({ type, sequence }) => [type, String(sequence)]),
      ),
    }
  },
}

function listed() {
  const kinds = [...eventKindsOf(endpoints)].filter(([kind]) => Object.hasOwn(examples, kind))
  return {
    json: { kinds: kinds.map(([kind, { description }]) => ({ kind, description })) },
    text: table(
      ['KIND', 'WHAT HAPPENS'],
      kinds.map(([kind, { description }]) => [kind, description]),
    ),
  }
}

/** Kinds of the same noun, or with the same ending. */
function suggestion(kind: string): string {
  const [noun, verb] = kind.split('.')
  const near = Object.keys(examples).filter(known => known.startsWith(`${noun}.`) || known.endsWith(`.${verb}`))
  return near.length === 0 ? '' : `, such as ${near.slice(0, 5).join(', ')}`
}

async function demoOf(world: World) {
  const [baseUrl, demo] = [await world.baseUrl(), await readDemo(world.dataFolder)]
  if (baseUrl === null) throw new Refused('no service runs here: start it with npm start')
  if (demo === null) throw new Refused('the service that runs here has no demo tenant')
  return { baseUrl, token: demo.token }
}

async function lastSequence(millrace: Millrace): Promise<number> {
  const { data } = await millrace.events.list({ order: 'desc', limit: 1 })
  return Number(data[0]?.sequence ?? 0)
}

export const triggerCommands: readonly CliCommand[] = [trigger]

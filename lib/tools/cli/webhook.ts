/** `webhook reseal`: the last step of changing WEBHOOK_SECRET_KEY. lib/webhooks seals the secrets. */
import { keptSecretBox } from '../../platform/secret-box.ts'
import { countSealed, reseal as resealSecrets } from '../../webhooks/reseal.ts'
import { nameServiceKey } from '../../webhooks/service-key.ts'
import type { CliCommand } from './command.ts'
import { bar } from './progress.ts'

const reseal: CliCommand = {
  words: ['webhook', 'reseal'],
  summary: 'Seal all webhook secrets with the newest key, so that earlier ones can be dropped',
  options: {
    'give-up-lost': {
      help: 'go on with the newest key though secrets are left that no key here opens: their subscriptions need a new secret',
    },
  },
  changes: {},
  examples: ['webhook reseal', 'webhook reseal --json'],
  run: async (input, { config, dataFolder, cells, progress }) => {
    const box = keptSecretBox({ ...config, dataFolder })
    const pools = await Promise.all((await cells()).map(({ pool }) => pool()))
    const count = async () => sumOf(await Promise.all(pools.map(pool => countSealed(pool, box.marks()))))
    const { earlier } = await count()
    let shown = bar(0, earlier, '0 secrets')
    let resealed = 0
    for (const pool of pools) {
      const before = resealed
      resealed += await resealSecrets(pool, box, done => {
        shown = bar(before + done, earlier, `${before + done} secrets`)
        progress.show(shown)
      })
    }
    if (earlier > 0) progress.end(shown)
    const left = await count()
    const isGivenUp = input.options['give-up-lost'] !== undefined
    const isDone = left.earlier === 0 && (left.unknown === 0 || isGivenUp)
    const [main] = pools
    if (isDone && main) await nameServiceKey(main, box)
    return {
      json: { resealed, newest: left.newest, earlier: left.earlier, unknown: left.unknown },
      text: words(resealed, left, isGivenUp),
      exitCode: isDone ? 0 : 1,
    }
  },
}

type Sealed = Awaited<ReturnType<typeof countSealed>>

/** The sum over all cells. */
const sumOf = (counts: readonly Sealed[]): Sealed =>
  counts.reduce(
    (a, b) => ({ newest: a.newest + b.newest, earlier: a.earlier + b.earlier, unknown: a.unknown + b.unknown }),
    { newest: 0, earlier: 0, unknown: 0 },
  )

function words(resealed: number, { newest, earlier, unknown }: Sealed, isGivenUp: boolean): string {
  const done = `${resealed} secrets were sealed anew; ${newest} are sealed with the newest key.`
  if (unknown > 0 && !isGivenUp)
    return `${done}\n${unknown} are sealed with a key that WEBHOOK_SECRET_KEY does not hold: add it, and run this again. Where it is lost: --give-up-lost.`
  if (earlier > 0)
    return `${done}\n${earlier} were sealed with an earlier key meanwhile: give every process the newest key first, and run this again.`
  if (unknown > 0)
    return `${done}\n${unknown} are lost: their subscriptions deliver again once their owners have rotated the secret.`
  return `${done} Earlier keys are needed no more.`
}

export const webhookCommands: readonly CliCommand[] = [reseal]

/** Which of the waiting commands fit into a unit of work, counted by hand. */
import { WaitingBatches } from '../../workers/commands/units.ts'
import { noteCommand } from '../support/pipeline.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

/** Commands as the number of rows that each brings. A text: those of a bulk. */
type Left = readonly (number | string)[]

const ones = (count: number): number[] => Array.from({ length: count }, () => 1)
const withRows = (rows: number) => noteCommand('1', '', 'a', { body: { items: Array.from({ length: rows }) } })
const commandOf = (rows: number | string) =>
  typeof rows === 'number' ? withRows(rows) : { ...withRows(1), entries: [withRows(Number(rows))] }

type Waiting = { readonly at: number; readonly tenantId: string; readonly left: ReturnType<typeof commandOf>[] }

/** By default each batch belongs to a tenant of its own. */
function waitingWith(batches: readonly Left[], tenantOf = (at: number) => String(at)) {
  const waiting = new WaitingBatches<Waiting>()
  for (const [at, left] of batches.entries()) waiting.add({ at, tenantId: tenantOf(at), left: left.map(commandOf) })
  return waiting
}

const units: readonly [guarantee: string, batches: readonly Left[], taken: readonly number[]][] = [
  ['nothing where nothing waits', [], []],
  ['all that is little', [ones(3), [100]], [3, 1]],
  ['128 of a long batch that is alone', [ones(200)], [128]],
  ['no more than its share of a long one beside another', [ones(200), ones(3)], [16, 3]],
  ['one of each where many wait', ones(20).map(() => [1, 1]), ones(20)],
  ['those that came first where more wait', ones(40).map(() => [1]), ones(32)],
  ['400 rows, passing over who brings too many', [[399], [2], [1], [1]], [1, 0, 1]],
  ['one that brings more by itself', [[500], [1]], [1]],
  ['none that brings more beside others', [[1], [500], [1]], [1, 0, 1]],
  ['what comes before a bulk', [[1, 1, '1', 1], [1]], [2, 1]],
]

for (const [guarantee, batches, taken] of units)
  test(`a unit takes ${guarantee}; who is not in it waits on, in its order`, t => {
    const waiting = waitingWith(batches)
    const counts = batches.map(() => 0)
    for (const { batch, commands } of waiting.take()) counts[batch.at] = commands.length
    t.deepEqual(
      counts,
      batches.map((_, at) => taken[at] ?? 0),
    )
    const next: number[] = []
    while (!waiting.isEmpty) next.push(...waiting.take().map(({ batch }) => batch.at))
    t.deepEqual(
      next,
      [...counts.keys()].filter(at => counts[at] === 0),
    )
  })

test('a unit takes one batch of a tenant, and none overtakes an earlier one of its tenant', t => {
  // The first and the third are of one tenant, and so are the second and the fourth. The second has no room beside others.
  const waiting = waitingWith([[1], [500], [1], [1]], at => String(at % 2))
  const units: number[][] = []
  while (!waiting.isEmpty) units.push(waiting.take().map(({ batch }) => batch.at))
  t.deepEqual(units, [[0], [1], [2, 3]])
})

test('32 commands or 400 rows fill a unit, whosever they are', t => {
  const isFull = (...batches: Left[]) => waitingWith(batches).isFull
  t.deepEqual([isFull(), isFull(ones(31)), isFull([399])], [false, false, false])
  t.deepEqual([isFull(ones(32)), isFull(ones(200)), isFull(ones(16), ones(16))], [true, true, true])
  t.deepEqual([isFull([400]), isFull([500]), isFull([399], [1]), isFull([399], [2])], [true, true, true, true])
  t.true(isFull([1, '399']), 'a bulk that will run by itself counts as well')
})

/** How many levels a command may load by default: the test files of an area share the process. */
import { levelsMax } from '../../lib/domain/stock/level-load.ts'

const usual = { ...levelsMax }

export const usualLevels = (): void => void Object.assign(levelsMax, usual)

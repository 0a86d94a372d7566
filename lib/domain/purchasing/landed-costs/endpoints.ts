/** The endpoints of landed costs. */

import { readsOf } from '../../../kit/documents/noun.ts'
import { resource } from '../../../kit/documents/resources.ts'
import { changeLandedCost, createLandedCost, reverseLandedCost } from './commands.ts'
import { demo } from './demo.ts'
import { examples } from './examples.ts'
import { LandedCost } from './noun.ts'

export const [listLandedCosts, getLandedCost] = readsOf(LandedCost)

export const landedCosts = resource(
  [LandedCost],
  [listLandedCosts, getLandedCost, createLandedCost, changeLandedCost, reverseLandedCost],
  { examples, demo },
)

/** Owns the group of planning's reads. */
import type { Tag } from '../../kit/api/endpoint.ts'

export const planningTag: Tag = ['Planning', 'What is short, and what making something would take.']

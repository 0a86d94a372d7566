/** The group of the endpoints that read planning. */
import type { Tag } from '../../kit/api/endpoint.ts'

export const planningTag: Tag = ['Planning', 'What is short, and what making something would take.']

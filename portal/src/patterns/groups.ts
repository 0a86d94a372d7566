/** Ids in groups, as the interface takes them. */

/** The interface takes so many ids at once. */
export const IDS_MAX = 100

/** Values in groups of so many as the interface takes at once. */
export const inGroups = (ids: readonly string[]): readonly string[][] =>
  Array.from({ length: Math.ceil(ids.length / IDS_MAX) }, (_, index) =>
    ids.slice(index * IDS_MAX, (index + 1) * IDS_MAX),
  )

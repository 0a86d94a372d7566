/** Sets an entry of a map that holds at most so many: the one that has been there longest makes room. */
export function setBounded<K, V>(entries: Map<K, V>, sizeMax: number, key: K, value: V): void {
  if (entries.size >= sizeMax && !entries.has(key)) {
    const [oldest] = entries.keys()
    entries.delete(oldest as K)
  }
  entries.set(key, value)
}

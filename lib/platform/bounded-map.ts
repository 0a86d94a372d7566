/** Sets an entry of a bounded map. When the map is full the oldest entry is removed. */
export function setBounded<K, V>(entries: Map<K, V>, sizeMax: number, key: K, value: V): void {
  if (entries.size >= sizeMax && !entries.has(key)) {
    const [oldest] = entries.keys()
    entries.delete(oldest as K)
  }
  entries.set(key, value)
}

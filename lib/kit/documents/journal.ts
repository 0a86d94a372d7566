/** Undoes the changes of the running command, the last change first. */
export class Journal {
  #undo: (() => void)[] = []

  /** The next command begins. Changes of earlier commands stay. */
  begin(): void {
    this.#undo = []
  }

  note(undo: () => void): void {
    this.#undo.push(undo)
  }

  /** Sets an entry of a map. */
  set<K, V>(map: Map<K, V>, key: K, value: V): void {
    const known = map.get(key)
    this.#undo.push(map.has(key) ? () => map.set(key, known as V) : () => map.delete(key))
    map.set(key, value)
  }

  undoAll(): void {
    for (const undo of this.#undo.reverse()) undo()
    this.#undo = []
  }
}

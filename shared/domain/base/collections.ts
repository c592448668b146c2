type Key = string | number;

/** By the first key, then the next. Stable: only keys that tell all items apart make the order independent of input. */
export function sortedBy<T>(items: Iterable<T>, ...keys: readonly ((item: T) => Key)[]): T[] {
  const listed = [...items];
  // Most edges have one piece of evidence.
  if (listed.length < 2) return listed;
  const keyed = listed.map((item): Keyed<T> => ({ item, keys: keys.map(() => undefined) }));
  keyed.sort((a, b) => compareKeyed(a, b, keys));
  return keyed.map(({ item }) => item);
}

/** An item, and those of its keys that were asked for: the last ones hardly ever are. */
type Keyed<T> = { readonly item: T; readonly keys: (Key | undefined)[] };

function compareKeyed<T>(a: Keyed<T>, b: Keyed<T>, keys: readonly ((item: T) => Key)[]): number {
  // An index costs a third of an iterator here, in the inner loop of every answer's order.
  for (let i = 0; i < keys.length; i++) {
    const order = compare(keyAt(a, i, keys), keyAt(b, i, keys));
    if (order !== 0) return order;
  }
  return 0;
}

function keyAt<T>({ item, keys: known }: Keyed<T>, i: number, keys: readonly ((item: T) => Key)[]): Key {
  const found = known[i];
  if (found !== undefined) return found;
  const key = (keys[i] as (item: T) => Key)(item);
  known[i] = key;
  return key;
}

/** Of two texts or two numbers: negative, zero or positive. By code units, whatever the machine's language. */
export const compare = (a: Key, b: Key): number => (a < b ? -1 : a > b ? 1 : 0);

/** The last of some texts by code units; undefined if there is none. */
export const greatest = <T extends string>(texts: Iterable<T>): T | undefined => [...texts].sort().at(-1);

/** The items, if none of them is null. */
export function allKnown<T>(items: readonly (T | null)[]): T[] | null {
  const known: T[] = [];
  for (const item of items) {
    if (item === null) return null;
    known.push(item);
  }
  return known;
}

type Keeper<Key, Value> = {
  readonly get: (key: Key) => Value | undefined;
  readonly set: (key: Key, value: Value) => unknown;
};

/** `Map.prototype.getOrInsertComputed`, which the lowest Node that is supported does not have. */
export function findOrAdd<Key, Value>(values: Keeper<Key, Value>, key: Key, make: () => NoInfer<Value>): Value {
  const known = values.get(key);
  if (known !== undefined) return known;
  const made = make();
  values.set(key, made);
  return made;
}

export function chunksOf<T>(all: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, i) => all.slice(i * size, (i + 1) * size));
}

/** The UUID of version 8 (RFC 9562, 5.8) that 122 bits of the first 16 bytes make. */
export function uuidOf(bytes: Uint8Array): string {
  const own = Buffer.from(bytes.subarray(0, 16));
  own.writeUInt8((own.readUInt8(6) & 0x0f) | 0x80, 6);
  own.writeUInt8((own.readUInt8(8) & 0x3f) | 0x80, 8);
  return own.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** Without the flag `i`, which takes three times as long. */
const uuidForm = /^[\da-fA-F]{8}-[\da-fA-F]{4}-[\da-fA-F]{4}-[\da-fA-F]{4}-[\da-fA-F]{12}$/;

export const isUuid = (value: unknown): value is string => typeof value === 'string' && uuidForm.test(value);

/** An id to compare with: a UUID is a number, whatever the case of its digits. */
export const comparableId = (id: string): string => (isUuid(id) ? id.toLowerCase() : id);

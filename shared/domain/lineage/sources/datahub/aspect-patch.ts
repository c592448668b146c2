import { allKnown, findOrAdd } from '../../../base/collections.ts';
import { isJsonObject } from '../../../base/json/read-json.ts';

type Json = Readonly<Record<string, unknown>>;
type Operation = { readonly removes: boolean; readonly path: readonly string[]; readonly value: unknown };

/**
 * An aspect after a patch, which addresses the items of lists by their URNs: `/upstreams/URN`, or
 * `/fineGrainedLineages/OPERATION/DOWNSTREAM/QUERY/UPSTREAM`. Returns null if a part of the patch is not understood.
 */
export function patchedAspect(before: Json, patch: unknown): Json | null {
  const list = isJsonObject(patch) ? patch['patch'] : patch;
  const operations = Array.isArray(list) ? allKnown(list.map(operationOf)) : null;
  if (operations === null) return null;
  const after: Record<string, unknown> = { ...before };
  const lists = new Map<string, Map<string, unknown>>();
  for (const { removes, path, value } of operations) {
    const [member = '', ...key] = path;
    if (key.length === 0) {
      after[member] = removes ? [] : value;
      lists.delete(member);
      continue;
    }
    const items = findOrAdd(lists, member, () => new Map(listAt(after, member).map((one) => [keyOf(one), one])));
    const mapping = member === mappings ? mappingOf(key) : null;
    const name = mapping ? keyOf(mapping) : (key[0] ?? '');
    if (removes) items.delete(name);
    else items.set(name, mapping ?? value);
  }
  for (const [member, items] of lists) after[member] = [...items.values()];
  return after;
}

function operationOf(one: unknown): Operation | null {
  if (!isJsonObject(one) || typeof one['path'] !== 'string') return null;
  const { op, value } = one;
  const [root, ...path] = one['path'].split('/').map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  const lengths = path[0] === mappings ? [1, 5] : [1, 2, 3];
  const isKnown = root === '' && lengths.includes(path.length) && ['add', 'replace', 'remove'].includes(String(op));
  return isKnown ? { removes: op === 'remove', path, value } : null;
}

const mappings = 'fineGrainedLineages';

const mappingOf = ([operation, downstream, , upstream]: readonly string[]) => ({
  ...{ upstreams: [upstream], downstreams: [downstream] },
  ...(operation !== 'NONE' && { transformOperation: operation }),
});

/** The URN that an item of a list is about; a mapping of columns is only equal to itself. */
function keyOf(item: unknown): string {
  const urn = isJsonObject(item) ? (item['dataset'] ?? item['destinationUrn'] ?? item['owner']) : item;
  return typeof urn === 'string' ? urn : JSON.stringify(item);
}

/** A list, also as Avro writes an optional one: `{ "array": [] }`. */
export function listAt(aspect: Json, member: string): readonly unknown[] {
  const value = aspect[member];
  const list = isJsonObject(value) ? value['array'] : value;
  return Array.isArray(list) ? list : [];
}

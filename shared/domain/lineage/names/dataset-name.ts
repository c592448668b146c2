import { withoutTrailing } from '../../../contract/fields.ts';
import type { Node } from '../graph/node.ts';
import type { SqlName } from '../sql/types.ts';
import { type Namespace, parseNamespace } from './namespace.ts';
import { splitName } from './relation-ref.ts';

/** The parts of the relation that a dataset's name stands for under its namespace; null where it names none. */
export function relationParts({ style, database }: Namespace, name: string): SqlName[] | null {
  switch (style) {
    case 'dotted':
      return splitName(name);
    case 'glue':
      // Until OpenLineage 0.17 the name was `database.table`.
      return named(/^table\/([^/]+)\/([^/]+)$/.exec(name)?.slice(1) ?? /^([^/.]+)\.([^/.]+)$/.exec(name)?.slice(1));
    case 'cosmos':
      return database === null ? null : named([database, ...(/^colls\/(.+)$/.exec(name)?.slice(1) ?? [])]);
    case 'kusto':
      return named(/^([^/]+)\/([^/]+)$/.exec(name)?.slice(1));
    case 'path':
    case 'object':
    case 'topic':
      return null;
  }
}

const named = (parts: readonly string[] | undefined): SqlName[] | null =>
  parts?.length === 2 ? parts.map((text) => ({ text, quoted: false })) : null;

/** The inverse of `relationParts`: a name that folds to the parts. `ref` is the relation's `relation_ref`. */
export function relationName(style: Namespace['style'], parts: readonly string[], ref: string): string {
  const [database, table] = parts.slice(-2);
  if (database === undefined || table === undefined) return ref;
  if (style === 'glue') return `table/${database}/${table}`;
  if (style === 'cosmos') return `colls/${table}`;
  if (style === 'kusto') return `${database}/${table}`;
  return ref;
}

/** Whether names under a namespace may be relations: those of paths, objects and topics are not. */
export const namesRelations = (namespace: string): boolean =>
  !['path', 'object', 'topic'].includes(parseNamespace(namespace).style);

const withoutPath = /^[^:/]+(?::\/\/[^/]+\/*)?$/;

/**
 * The node of a dataset that no connector owns: its name as it is. A path has one spelling, whichever scheme a client
 * of the same store writes (`s3a`) and however it sets slashes.
 */
export function unownedDataset(namespace: string, name: string): Node & { readonly kind: 'dataset' } {
  const { style, instance } = parseNamespace(namespace);
  const isPath = style === 'path' || style === 'object';
  if (!isPath || !withoutPath.test(namespace)) return { kind: 'dataset', namespace, name };
  const path = name.slice(0, 1) + withoutTrailing('/', name.slice(1));
  return { kind: 'dataset', namespace: instance, name: style === 'object' ? path.replace(/^\/+/, '') || path : path };
}

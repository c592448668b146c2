import type { ConnectorId } from '../../../contract/ids.ts';
import type { Node } from '../graph/node.ts';
import type { SqlName } from '../sql/types.ts';
import { type Connector, platformOf } from './connector.ts';
import { wholeName } from './parts.ts';
import type { Platform } from './platforms.ts';

type RelationNode = Node & { readonly kind: 'relation' };

/** The parts of a name quoted in any platform's way: `"a"`, `` `a` ``, `[a]`. Null if one is empty or not closed. */
export function splitName(text: string): SqlName[] | null {
  const parts: SqlName[] = [];
  let at = 0;
  while (at <= text.length) {
    const part = quotedPart(text, at) ?? barePart(text, at);
    if (part === null || (part.end < text.length && text[part.end] !== '.')) return null;
    parts.push(part.name);
    at = part.end + 1;
  }
  return parts;
}

type Scanned = { readonly name: SqlName; readonly end: number };

const closing: Readonly<Record<string, string>> = { '"': '"', '`': '`', '[': ']' };

function quotedPart(text: string, start: number): Scanned | null {
  const close = closing[text[start] ?? ''];
  if (close === undefined) return null;
  let content = '';
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] !== close) content += text[at];
    else if (text[at + 1] === close) content += text[at++];
    else return content === '' ? null : { name: { text: content, quoted: true }, end: at + 1 };
  }
  return null;
}

function barePart(text: string, start: number): Scanned | null {
  if (closing[text[start] ?? ''] !== undefined) return null;
  const dot = text.indexOf('.', start);
  const end = dot < 0 ? text.length : dot;
  return end === start ? null : { name: { text: text.slice(start, end), quoted: false }, end };
}

/**
 * The parts of a name as Glue's ARNs and Athena write it: with dots, or `table/DATABASE/TABLE` and
 * `CATALOG/DATABASE/TABLE`. The name of a federated catalog has slashes too: `s3tablescatalog/BUCKET`.
 */
export function splitGlueName(text: string): SqlName[] | null {
  const path = text.includes('.') ? text.replace(/^awsdatacatalog\//i, 'awsdatacatalog.') : text;
  const isResource = /^table\//i.test(path);
  const [table, database, ...catalog] = path
    .slice(isResource ? 'table/'.length : 0)
    .split('/')
    .reverse();
  const isPath = isResource || (catalog.length > 0 && !/["`.]/.test(path));
  if (!isPath || table === undefined || database === undefined) return splitName(path);
  const parts = [...(catalog.length > 0 ? [catalog.reverse().join('/')] : []), database, table];
  return parts.includes('') ? null : parts.map((part) => ({ text: part, quoted: false }));
}

/** A part in the platform's case. A part that could not stand without quotes was quoted, so its case is meant. */
export function foldPart(platform: Platform, { text, quoted }: SqlName): string {
  if (platform.foldsQuoted) return text.toLowerCase();
  if (quoted || platform.fold === 'keep' || !platform.plain.test(text)) return text;
  return platform.fold === 'upper' ? text.toUpperCase() : text.toLowerCase();
}

/** The `relation_ref` of folded parts: quoted with `"` only where a part needs it (C-IDENTITY-1). */
export const formatRef = (platform: Platform, parts: readonly string[]): string =>
  parts.map((part) => (needsQuotes(platform, part) ? `"${part.replaceAll('"', '""')}"` : part)).join('.');

const needsQuotes = (platform: Platform, part: string): boolean =>
  !platform.plain.test(part) || foldPart(platform, { text: part, quoted: false }) !== part;

/** The folded parts of a `relation_ref` that `formatRef` made. */
export const partsOfRef = (platform: Platform, ref: string): string[] =>
  (splitName(ref) ?? [{ text: ref, quoted: true }]).map((part) => foldPart(platform, part));

/** The platform's folded default of each leading level that is configured, innermost last. */
function defaultParts(connector: Connector): (string | null)[] {
  const platform = platformOf(connector);
  const fold = (text: string | null): string | null => {
    const part = text === null ? null : (splitName(text)?.[0] ?? { text, quoted: true });
    return part && foldPart(platform, part);
  };
  const schema = fold(connector.default_schema);
  const implied = platform.levels?.[0] === 3 ? (platform.implied[0] ?? null) : null;
  const database = fold(connector.default_database) ?? implied;
  return platform.levels?.[1] === 2 ? [schema ?? database] : [database, schema];
}

/** The parts of the whole relation with the connector's defaults in front, as far as there are defaults, and without a catalog that is implied. */
export function qualifyParts(connector: Connector, written: readonly string[]): readonly string[] {
  const parts = wholeName(connector, written);
  const { levels, implied } = platformOf(connector);
  const most = levels?.[1] ?? parts.length;
  const [first, ...rest] = parts;
  const defaults = defaultParts(connector);
  // OpenLineage before 1.47 sets the connection's database before `database.table`, or the None of Python.
  const added = levels?.[1] === 2 ? defaults : [];
  const isImplied = [...implied, ...added].includes(first ?? '') || first?.toLowerCase() === 'none';
  let qualified = levels?.[0] === 2 && rest.length === 2 && isImplied ? rest : parts;
  while (qualified.length < most) {
    const next = defaults[most - 1 - qualified.length];
    if (next === undefined || next === null) break;
    qualified = [next, ...qualified];
  }
  return qualified;
}

/** Inserts the default schema into `database.table`, as JDBC jobs with a session's schema write (JdbcDatasetUtils). */
export function withSessionSchema(connector: Connector, parts: readonly SqlName[]): readonly SqlName[] {
  const platform = platformOf(connector);
  const [first, table, ...more] = parts;
  const [database, schema] = defaultParts(connector);
  if (platform.levels?.[0] !== 3 || !first || !table || more.length > 0 || !schema) return parts;
  return foldPart(platform, first) === database ? [first, { text: schema, quoted: true }, table] : parts;
}

/** A relation of the connector by its name's parts, completed from the defaults; null where its platform has no such names. */
export function relationOf(connector: Connector, parts: readonly SqlName[]): RelationNode | null {
  const platform = platformOf(connector);
  const qualified = qualifyParts(
    connector,
    parts.map((part) => foldPart(platform, part)),
  );
  const [least, most] = platform.levels ?? [1, qualified.length];
  return qualified.length < least || qualified.length > most ? null : relation(connector.id, platform, qualified);
}

/** A relation that a statement names, completed from the defaults, else from the relation that the statement makes. */
export function relationBeside(connector: Connector, name: readonly SqlName[], made: Node | null): RelationNode | null {
  const around = made?.kind === 'relation' ? (splitName(made.ref) ?? []) : [];
  const missing = around.slice(0, Math.max(0, around.length - name.length));
  return relationOf(connector, name) ?? relationOf(connector, [...missing, ...name]);
}

/** The relation that a document declares. Drops empty leading parts and extra levels; defaults fill what they can. */
export function declaredRelation(connector: Connector, parts: readonly (SqlName | null)[]): RelationNode {
  const platform = platformOf(connector);
  const provided = parts.flatMap((part) => (part === null || part.text === '' ? [] : [foldPart(platform, part)]));
  const most = platform.levels?.[1] ?? provided.length;
  return relation(connector.id, platform, qualifyParts(connector, provided.slice(-most)));
}

const relation = (connectorId: ConnectorId, platform: Platform, parts: readonly string[]): RelationNode => ({
  kind: 'relation',
  connectorId,
  ref: formatRef(platform, parts),
});

/** The last part of a canonical reference, without its quotes. */
export const lastPartOf = (ref: string): string => splitName(ref)?.at(-1)?.text ?? ref;

/** The name of a column as its platform folds it; a `column_ref` is quoted as a `relation_ref` is (C-IDENTITY-13). */
export function columnNameOf(connector: Connector, columnRef: string): string {
  const [name, ...more] = splitName(columnRef) ?? [];
  return name === undefined || more.length > 0 ? columnRef : foldPart(platformOf(connector), name);
}

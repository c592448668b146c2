import * as v from 'valibot';
import type { RepositoryChecks } from '../../../contract/codehost-checks.ts';
import { isJsonObject } from '../../base/json/read-json.ts';
import { relationRefOf } from '../../lineage/graph/node.ts';
import type { Connector } from '../../lineage/names/connector.ts';
import { readDbtManifest } from '../../lineage/sources/dbt/manifest.ts';
import { dbtRelation } from '../../lineage/sources/dbt/relation.ts';
import type { OwnersFile } from '../code-host.ts';

/** The file of a model, and its text as it is written. */
export type ModelFile = { readonly path: string; readonly code: string };

/** The file that makes a relation or is an exposure; null if the project has none. */
export type FileOf = (relationRef: string) => ModelFile | null;

type Json = Readonly<Record<string, unknown>>;

const Written = v.object({
  original_file_path: v.string(),
  package_name: v.optional(v.string()),
  raw_code: v.fallback(v.optional(v.string(), ''), ''),
});

/**
 * The files of a manifest's models by the relations that they make. A branch that was built into its own schema, and is
 * compared by model, has other relations: there a model is found by the last part of its name, if that is of one model.
 */
export function modelFiles(
  connector: Connector,
  manifest: Json,
  { project_path: projectPath, match_by }: Pick<RepositoryChecks, 'project_path' | 'match_by'>,
): FileOf {
  const { models, metadata, exposures } = readDbtManifest(manifest).document;
  const byRef = new Map<string, ModelFile>();
  const byTable = new Map<string, ModelFile | null>();
  for (const { key, value } of models) {
    const file = fileAt(manifest, 'nodes', key, projectPath);
    const ref = relationRefOf(dbtRelation(connector, metadata, value).node);
    if (file === null) continue;
    byRef.set(ref, file);
    const table = tableOf(ref);
    byTable.set(table, byTable.has(table) ? null : file);
  }
  for (const { key } of exposures) {
    const file = fileAt(manifest, 'exposures', key, projectPath);
    if (file) byRef.set(key, file);
  }
  return (ref) => byRef.get(ref) ?? (match_by !== 'relation' ? byTable.get(tableOf(ref)) : null) ?? null;
}

const tableOf = (ref: string): string => ref.slice(ref.lastIndexOf('.') + 1).toLowerCase();

function fileAt(manifest: Json, map: 'nodes' | 'exposures', key: string, projectPath: string): ModelFile | null {
  const { [map]: written, metadata } = manifest;
  const read = v.safeParse(Written, isJsonObject(written) ? written[key] : undefined);
  const project = isJsonObject(metadata) ? metadata['project_name'] : null;
  if (!read.success) return null;
  const { original_file_path, raw_code, package_name } = read.output;
  // Files of another package are not in the repository.
  if (package_name !== undefined && typeof project === 'string' && package_name !== project) return null;
  // dbt on Windows writes paths of Windows.
  const parts = [...projectPath.split('/'), ...original_file_path.split(/[\\/]/)].filter((part) => part !== '');
  return parts.includes('..') ? null : { path: parts.join('/'), code: raw_code };
}

/** The first line of a file that names a column, else the first of all; from 1. */
export function lineOf({ code }: ModelFile, column: string | null): number {
  if (column === null) return 1;
  const target = column.toLowerCase();
  const found = code.split('\n').findIndex((line) =>
    line
      .toLowerCase()
      .split(/[^\p{L}\p{N}_$]/u)
      .includes(target),
  );
  return found + 1 || 1;
}

type Rule = {
  readonly segments: readonly string[];
  readonly isAnchored: boolean;
  readonly isFolder: boolean;
  readonly isExclusion: boolean;
  readonly owners: readonly string[];
};

/** A larger file is none to the host either. */
const maxBytes = 3 * 1024 * 1024;

/**
 * The owners of a path by a CODEOWNERS file: in each section those of the last rule that fits, unless an exclusion fits.
 * Paths have no slash at their beginning.
 */
export function ownersBy(bytes: Uint8Array, syntax: OwnersFile['syntax']): (path: string) => readonly string[] {
  const text = bytes.length > maxBytes ? '' : new TextDecoder().decode(bytes);
  const sections =
    syntax === 'one_list' ? [text.split('\n').flatMap((line) => ruleOf(line, syntax))] : sectionsOf(text);
  const latest = sections.map((rules) => rules.toReversed());
  return (path) => {
    const parts = path.split('/');
    const owners = latest.flatMap((rules) => {
      const fitting = rules.filter((rule) => fits(rule, parts, syntax));
      return fitting.some(({ isExclusion }) => isExclusion) ? [] : (fitting[0]?.owners ?? []);
    });
    return [...new Set(owners)];
  };
}

const heading = /^\^?\[([^\]]{1,200})\](?:\[\d{1,3}\])?(?=\s|$)/;

/** Sections of one name are one. A rule without owners has those of its section's heading. */
function sectionsOf(text: string): readonly (readonly Rule[])[] {
  const sections = new Map<string, Rule[]>();
  let [name, defaults]: [string, readonly string[]] = ['', []];
  for (const line of text.split('\n')) {
    const [whole = '', title] = heading.exec(line) ?? [];
    if (title !== undefined)
      [name, defaults] = [title.trim().toLowerCase(), line.slice(whole.length).match(word) ?? []];
    else {
      const rules = ruleOf(line, 'sections').map((rule) =>
        rule.owners.length > 0 ? rule : { ...rule, owners: defaults },
      );
      sections.set(name, [...(sections.get(name) ?? []), ...rules]);
    }
  }
  return [...sections.values()];
}

/** A word ends at white space that no backslash keeps in it. */
const word = /(?:\\.|[^\s\\])+/g;

function ruleOf(line: string, syntax: OwnersFile['syntax']): Rule[] {
  const [first = '', ...rest] = line.match(word) ?? [];
  const isList = syntax === 'one_list';
  // Of the rules of .gitignore, a list does not support negations, ranges and escaped comment signs.
  if (first === '' || first.startsWith('#') || (isList && /^!|^\\#|\[/.test(first))) return [];
  const isExclusion = first.startsWith('!');
  const pattern = first.slice(isExclusion ? 1 : 0).replaceAll(/\\(.)/g, '$1');
  const comment = rest.findIndex((one) => one.startsWith('#'));
  const owners = comment < 0 ? rest : rest.slice(0, comment);
  const segments = pattern.split('/').filter(Boolean);
  // As in .gitignore: a slash other than the last one ties a pattern to the root.
  const isAnchored = isList ? pattern.slice(0, -1).includes('/') : pattern.startsWith('/');
  return [{ segments, isAnchored, isFolder: pattern.endsWith('/'), isExclusion, owners }];
}

function fits(
  { segments, isAnchored, isFolder }: Rule,
  parts: readonly string[],
  syntax: OwnersFile['syntax'],
): boolean {
  const starts = isAnchored ? [0] : parts.map((_, i) => i);
  const isExact = !isFolder && (segments.at(-1) === '*' || syntax === 'sections');
  return starts.some((start) => matches(segments, parts.slice(start), { isFolder, isExact }));
}

/**
 * A pattern matches everything below its path, only what is below a folder, or exactly the path. Works through the
 * pattern once for each way to begin: never in more steps than the two lengths multiplied.
 */
function matches(
  segments: readonly string[],
  parts: readonly string[],
  { isFolder, isExact }: { readonly isFolder: boolean; readonly isExact: boolean },
): boolean {
  let reached = new Set([0]);
  for (const segment of segments) {
    const next = new Set<number>();
    for (const at of reached) {
      if (segment === '**') for (let to = at; to <= parts.length; to++) next.add(to);
      else if (at < parts.length && fitsName(segment, parts[at] ?? '')) next.add(at + 1);
    }
    reached = next;
  }
  if (isFolder) return [...reached].some((at) => at < parts.length);
  return isExact ? reached.has(parts.length) : reached.size > 0;
}

/** `*` is any characters of a name, `?` one of them. */
function fitsName(pattern: string, name: string): boolean {
  let reached = new Set([0]);
  for (const sign of pattern) {
    const next = new Set<number>();
    for (const at of reached) {
      if (sign === '*') for (let to = at; to <= name.length; to++) next.add(to);
      else if (at < name.length && (sign === '?' || name[at] === sign)) next.add(at + 1);
    }
    reached = next;
  }
  return reached.has(name.length);
}

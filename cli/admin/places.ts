import * as v from 'valibot';
import { CollectionProjectId, ConnectorId, idOrNull, WorkspaceId } from '../../shared/contract/ids.ts';
import { Problem } from '../../shared/contract/problems.ts';
import type { Connector } from '../../shared/domain/lineage/names/connector.ts';
import { idFromName } from '../../shared/domain/workspaces/access/operator.ts';
import type { CollectionProject, Registry, Workspace } from '../../shared/domain/workspaces/access/records.ts';
import { printable, table } from '../terminal/terminal.ts';

export async function workspaceOf({ workspaces }: Registry, text: string): Promise<Workspace> {
  const id = idOrNull(WorkspaceId, text);
  const found =
    (id && (await workspaces.find({ id }))) ??
    (await workspaces.find({ id: v.parse(WorkspaceId, idFromName('ws', text)) }));
  if (found === null) throw new Problem('not_found', { message: `There is no workspace “${text}”.` });
  return found.record;
}

export async function connectorOf(
  { connectors }: Registry,
  workspace_id: WorkspaceId,
  text: string,
): Promise<Connector> {
  const id = idOrNull(ConnectorId, text);
  const named = v.parse(ConnectorId, idFromName('con', workspace_id, text));
  const found =
    (id && (await connectors.find({ workspace_id, id }))) ?? (await connectors.find({ workspace_id, id: named }));
  if (found === null) throw new Problem('not_found', { message: 'There is no such connector.' });
  return found.record;
}

export async function projectOf(
  { collectionProjects }: Registry,
  workspace_id: WorkspaceId,
  text: string,
): Promise<CollectionProject> {
  const id = idOrNull(CollectionProjectId, text);
  const named = v.parse(CollectionProjectId, idFromName('prj', workspace_id, text));
  const found =
    (id && (await collectionProjects.find({ workspace_id, id }))) ??
    (await collectionProjects.find({ workspace_id, id: named }));
  if (found === null) throw new Problem('not_found', { message: 'There is no such collection project.' });
  return found.record;
}

/** Null where there is none: what is gone may be removed again. */
export async function orNull<T>(found: Promise<T>): Promise<T | null> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof Problem && error.code === 'not_found') return null;
    throw error;
  }
}

/** How to retract what something stated that is gone or disabled. */
export const toForget = (workspace: string, words?: string): string =>
  `To forget what it reported, run: tributary admin scopes list ${workspace} all${words === undefined ? '' : ` --q ${words}`}, then tributary admin scopes forget ${workspace} SCOPE_KEY`;

/** An answer as text for people: a list as columns, anything else as `name: value` lines. */
export function forPeople(answer: unknown): string {
  if (!Array.isArray(answer)) return lines(answer).join('\n');
  if (answer.length === 0) return 'none';
  const rows = answer.map(fieldsOf);
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return table(
    names,
    rows.map((row) => names.map((name) => row[name])),
  ).join('\n');
}

const lines = (answer: unknown): string[] =>
  Object.entries(fieldsOf(answer)).map(([name, value]) => `${name}: ${printable(value)}`);

/** A result for programs: without the hashes of keys, and with the fields of a record beside whether it was created. */
export function withoutHashes(answer: unknown): unknown {
  if (Array.isArray(answer)) return answer.map(withoutHashes);
  if (typeof answer !== 'object' || answer === null) return answer;
  const { record, ...rest } = { record: {}, ...answer };
  return Object.fromEntries(Object.entries({ ...record, ...rest }).filter(([name]) => name !== 'hash'));
}

function fieldsOf(answer: unknown): Record<string, string> {
  if (typeof answer !== 'object' || answer === null) return { value: String(answer) };
  return Object.fromEntries(Object.entries(answer).map(([name, value]) => [name, textOf(value)]));
}

function textOf(value: unknown): string {
  if (value === null) return '-';
  if (Array.isArray(value)) return value.map(textOf).join(', ') || '-';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

import * as v from 'valibot';
import { fieldErrors } from '../../../contract/field-errors.ts';
import { storableRule, text, unstorableAt } from '../../../contract/fields.ts';
import type { WorkspaceId } from '../../../contract/ids.ts';
import { Problem } from '../../../contract/problems.ts';
import { jsonDigest } from '../../base/digest.ts';
import type { Clock } from '../../base/time/timestamp.ts';
import { type AuditAction, auditEntry, type Collection, type Registry, type Write } from './records.ts';

export type RegistryWriter = {
  readonly registry: Registry;
  readonly clock: Clock;
  readonly randomBytes: (count: number) => Uint8Array;
};

export type Operator = RegistryWriter & { readonly actor: string };

/** A record under its name, and whether this call made it: the same call again answers the same. */
export type CreatedOrFound<R> = { readonly record: R; readonly created: boolean };

type Committer = Omit<Operator, 'registry'> & { readonly registry: Pick<Registry, 'audit' | 'commit'> };
/** What a record becomes, and what is written together with it. */
type Change<R> = { readonly record: R; readonly also?: readonly Write[]; readonly auditAction: AuditAction };
type Awaitable<T> = T | Promise<T>;

const maxAttempts = 8;

/** The record that is there, or the one that `make` answers, committed with its audit entry. */
export async function createOrFind<R, Place>(
  ports: Committer,
  records: Pick<Collection<R, Place>, 'find' | 'create'>,
  place: Place,
  make: () => Awaitable<Change<R>>,
): Promise<CreatedOrFound<R>> {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const existing = await records.find(place);
    if (existing) return { record: existing.record, created: false };
    const { record, also = [], auditAction } = await make();
    if (await commitAudited(ports, [records.create(record), ...also], auditAction)) return { record, created: true };
  }
  throw new Problem('conflict');
}

/**
 * Changes the record that is there; where another change came between, reads and tries again. 404 where there is none.
 * @param next what it becomes; null if nothing is left to change
 */
export async function updateRecord<R, Place>(
  ports: Committer,
  records: Pick<Collection<R, Place>, 'find' | 'replace'>,
  place: Place,
  next: (record: R) => Awaitable<Change<R> | null>,
): Promise<R> {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const found = await records.find(place);
    if (found === null) throw new Problem('not_found');
    const change = await next(found.record);
    if (change === null) return found.record;
    const { record, also = [], auditAction } = change;
    if (await commitAudited(ports, [records.replace(found, record), ...also], auditAction)) return record;
  }
  throw new Problem('conflict');
}

/** False if there was no record. */
export async function removeRecord<R, Place>(
  ports: Committer,
  records: Pick<Collection<R, Place>, 'find' | 'remove'>,
  place: Place,
  auditAction: AuditAction,
  also: readonly Write[] = [],
): Promise<boolean> {
  const found = await records.find(place);
  if (found === null) return false;
  await requireCommit(ports, [records.remove(found.record), ...also], auditAction);
  return true;
}

/** Commits writes with their audit entry. Throws `conflict` if one of them was refused. */
export async function requireCommit(ports: Committer, writes: readonly Write[], action: AuditAction): Promise<void> {
  if (!(await commitAudited(ports, writes, action))) throw new Problem('conflict');
}

const commitAudited = (ports: Committer, writes: readonly Write[], action: AuditAction): Promise<boolean> =>
  ports.registry.commit([...writes, auditOf(ports, action)]);

export const auditOf = (ports: Committer, action: AuditAction): Write =>
  ports.registry.audit.create(auditEntry(ports, ports.actor, action));

/** An id derived from names, so that concurrent requests for one name get one record. */
export const idFromName = (prefix: string, ...names: readonly string[]): string =>
  `${prefix}_${jsonDigest(names).toString('hex').slice(0, 20)}`;

/** Who runs a command, as the audit log names them. */
export const operatorName = (actor: string): string => `operator:${requireValid(text(255), actor)}`;

/** The input as its schema reads it. Throws `validation_error`, which names place and rule. */
export function requireValid<S extends v.GenericSchema>(schema: S, input: v.InferInput<S>): v.InferOutput<S> {
  const result = v.safeParse(schema, input);
  if (!result.success) throw new Problem('validation_error', { errors: fieldErrors('', result.issues) });
  const path = unstorableAt(result.output);
  if (path !== null) throw new Problem('validation_error', { errors: [{ path, message: storableRule }] });
  return result.output;
}

export async function requireWorkspace({ registry }: Operator, id: WorkspaceId): Promise<void> {
  if ((await registry.workspaces.find({ id })) === null)
    throw new Problem('not_found', { message: 'There is no such workspace.' });
}

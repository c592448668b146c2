import * as v from 'valibot';
import { fieldErrors } from '../../../contract/field-errors.ts';
import { storableRule, text, unstorableAt } from '../../../contract/fields.ts';
import type { WorkspaceId } from '../../../contract/ids.ts';
import { Problem } from '../../../contract/problems.ts';
import { jsonDigest } from '../../base/digest.ts';
import type { Clock } from '../../base/time/timestamp.ts';
import { type AuditAction, auditEntry, type Registry, type StoredRecord, type Write } from './records.ts';

export type RegistryWriter = {
  readonly registry: Registry;
  readonly clock: Clock;
  readonly randomBytes: (count: number) => Uint8Array;
};

export type Operator = RegistryWriter & { readonly actor: string };

/** A record under its name, and whether this call made it: the same call again answers the same. */
export type CreatedOrFound<R> = { readonly record: R; readonly created: boolean };

type Change<R> = { readonly record: R; readonly writes: readonly Write[]; readonly auditAction: AuditAction };
type Awaitable<T> = T | Promise<T>;

const maxAttempts = 8;

/** The record that is there, or the one that `make` answers, committed with its audit entry. */
export async function createOrFind<R>(
  ports: Operator,
  steps: {
    readonly find: () => Promise<StoredRecord<R> | null>;
    readonly make: () => Awaitable<Change<R>>;
  },
): Promise<CreatedOrFound<R>> {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const existing = await steps.find();
    if (existing) return { record: existing.record, created: false };
    const { record, writes, auditAction } = await steps.make();
    if (await ports.registry.commit([...writes, auditOf(ports, auditAction)])) return { record, created: true };
  }
  throw new Problem('conflict');
}

/** Changes the record that is there; where another change came between, reads and tries again. 404 where there is none. */
export async function updateRecord<R>(
  ports: Operator,
  steps: {
    readonly find: () => Promise<StoredRecord<R> | null>;
    /** Null where nothing is left to change. */
    readonly next: (found: StoredRecord<R>) => Awaitable<Change<R> | null>;
  },
): Promise<R> {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const found = await steps.find();
    if (found === null) throw new Problem('not_found');
    const next = await steps.next(found);
    if (next === null) return found.record;
    if (await ports.registry.commit([...next.writes, auditOf(ports, next.auditAction)])) return next.record;
  }
  throw new Problem('conflict');
}

export async function removeRecord<R>(
  ports: Operator,
  found: StoredRecord<R> | null,
  writes: (record: R) => readonly Write[],
  auditAction: AuditAction,
): Promise<boolean> {
  if (found === null) return false;
  if (!(await ports.registry.commit([...writes(found.record), auditOf(ports, auditAction)])))
    throw new Problem('conflict');
  return true;
}

export const auditOf = (ports: Operator, action: AuditAction): Write =>
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

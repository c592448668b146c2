import type { WorkspaceId } from '../../../contract/ids.ts';
import { limits } from '../../../contract/limits.ts';
import { Problem } from '../../../contract/problems.ts';
import { createOrFind, type Operator, removeRecord, updateRecord } from '../../workspaces/access/operator.ts';
import type { Registry, Suppression, Write } from '../../workspaces/access/records.ts';
import { suppressedId } from '../receive/suppression.ts';
import { type Person, subjectOf } from './person.ts';

/** Leaves out the later events of a person, and those without a user under their anonymous ids. Adds to what there is. */
export async function suppressPerson(ports: Operator, workspace_id: WorkspaceId, person: Person): Promise<Suppression> {
  const { suppressions } = ports.registry;
  const place = { workspace_id, id: suppressedId(workspace_id, person.column, person.id) };
  const auditAction = { workspace_id, action: 'events.suppress', subject: subjectOf(person) };
  await createOrFind(ports, suppressions, place, async () => {
    const at = { created_at: ports.clock.now().toISOString(), created_by: ports.actor };
    const record = { ...place, column: person.column, linked: [], ...at };
    return { record, also: [await counted(ports.registry, workspace_id, 1)], auditAction };
  });
  const own = [...(person.linked ?? [])].map((one) => suppressedId(workspace_id, 'linked', one));
  return updateRecord(ports, suppressions, place, async (known) => {
    const linked = [...new Set([...known.linked, ...own])].filter((_, place) => place < limits.suppressed.linked);
    if (linked.length === known.linked.length) return null;
    return { record: { ...known, linked }, also: [await counted(ports.registry, workspace_id, 0)], auditAction };
  });
}

/** Stores the later events of a person again. False if they were stored. */
export async function readmitPerson(ports: Operator, workspace_id: WorkspaceId, person: Person): Promise<boolean> {
  const place = { workspace_id, id: suppressedId(workspace_id, person.column, person.id) };
  const count = await counted(ports.registry, workspace_id, -1);
  const auditAction = { workspace_id, action: 'events.readmit', subject: subjectOf(person) };
  return removeRecord(ports, ports.registry.suppressions, place, auditAction, [count]);
}

async function counted({ suppressionCounts }: Registry, workspace_id: WorkspaceId, change: number): Promise<Write> {
  const found = await suppressionCounts.find({ workspace_id });
  const record = { workspace_id, persons: (found?.record.persons ?? 0) + change };
  if (change > 0 && record.persons > limits.suppressed.persons)
    throw new Problem('conflict', { message: `A workspace suppresses at most ${limits.suppressed.persons} persons.` });
  return found ? suppressionCounts.replace(found, record) : suppressionCounts.create(record);
}

import { lakeColumns } from '../../../contract/lake.ts';
import type { StateCollection } from '../../../contract/messages.ts';
import { canonicalDigest } from '../../base/digest.ts';
import { acceptDeclared } from '../../lineage/ingest/accept-declared.ts';
import { payloadOf } from '../../lineage/ingest/open-delivery.ts';
import type { DeclaredIntakePorts } from '../../lineage/ingest/ports.ts';
import { type CollectionStatement, collection } from '../../lineage/ingest/tools.ts';
import type { LakeTables } from '../../lineage/sources/collection.ts';
import type { Registry } from '../../workspaces/access/records.ts';
import type { ShapeStore, StoredShapes } from './note-shapes.ts';
import { columnsOf } from './shapes.ts';

export type CollectionStatements = DeclaredIntakePorts & {
  readonly projects: Pick<Registry['collectionProjects'], 'find'>;
  readonly shapes: Pick<ShapeStore, 'read'>;
  readonly newId: () => string;
};

/**
 * States what the events of a project have as a complete snapshot of its own scope (C-COLLINEAGE-2). Repeats it if the
 * shapes or the setting changed meanwhile: of statements that overlap, the last one accepted is then the newest.
 */
export async function stateCollection(ports: CollectionStatements, message: StateCollection): Promise<void> {
  const { workspace_id, project_id } = message;
  const read = () =>
    Promise.all([
      ports.projects.find({ workspace_id, id: project_id }),
      ports.shapes.read({ workspace_id, project_id }),
    ]);
  for (let [project, stored] = await read(); ; ) {
    const lineage = project?.record.revoked_at === null ? project.record.lineage : null;
    const connector_id = message.connector_id ?? lineage?.connector_id ?? null;
    if (connector_id === null || !(await ports.connectors.get(workspace_id, connector_id))) return;
    const relations = lineage?.connector_id === connector_id ? lineage.relations : [];
    await state(ports, message, { connector_id, shapes: tablesOf(relations, stored) });
    const [laterProject, later] = await read();
    if (laterProject?.revision === project?.revision && later?.revision === stored?.revision) return;
    [project, stored] = [laterProject, later];
  }
}

const tablesOf = (relations: readonly string[], stored: StoredShapes | null): LakeTables => ({
  relations: [...relations],
  columns: [
    ...Object.entries(lakeColumns).map(([name, type]) => ({ name, type })),
    ...(stored === null ? [] : columnsOf(stored.shapes)),
  ],
});

async function state(
  ports: CollectionStatements,
  { workspace_id, project_id }: StateCollection,
  { connector_id, shapes }: Pick<CollectionStatement, 'connector_id' | 'shapes'>,
): Promise<void> {
  const source_event_key = ports.newId();
  const body = { connector_id, project_id, completeness: 'complete' as const, source_event_key, shapes };
  const bytes = new TextEncoder().encode(JSON.stringify({ workspace_id, ...body }));
  await acceptDeclared(ports, collection, {
    workspace: workspace_id,
    body,
    documentDigest: canonicalDigest(shapes),
    idempotencyKey: null,
    payload: payloadOf(ports, { bytes, contentType: 'application/json', contentEncoding: null }),
  });
}

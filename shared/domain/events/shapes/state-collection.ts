import { lakeColumns } from '../../../contract/lake.ts';
import type { StateCollection } from '../../../contract/messages.ts';
import { canonicalDigest } from '../../base/digest.ts';
import { acceptDeclared } from '../../lineage/ingest/accept-declared.ts';
import { payloadOf } from '../../lineage/ingest/open-delivery.ts';
import type { DeclaredIntakePorts } from '../../lineage/ingest/ports.ts';
import { collection } from '../../lineage/ingest/tools.ts';
import type { Registry } from '../../workspaces/access/records.ts';
import type { ShapeStore } from './note-shapes.ts';
import { columnsOf } from './shapes.ts';

export type CollectionStatements = DeclaredIntakePorts & {
  readonly projects: Pick<Registry['collectionProjects'], 'find'>;
  readonly shapes: Pick<ShapeStore, 'read'>;
  readonly newId: () => string;
};

/**
 * States the fields of a project's events as a complete snapshot of its own scope (C-COLLINEAGE-2). Repeats it if the
 * shapes or the setting changed meanwhile: of statements that overlap, the last one accepted is then the newest.
 */
export async function stateCollection(ports: CollectionStatements, message: StateCollection): Promise<void> {
  const { workspace_id: workspace, project_id } = message;
  const place = { workspace_id: workspace, project_id };
  const read = () => Promise.all([ports.projects.find({ ...place, id: project_id }), ports.shapes.read(place)]);
  for (let [project, stored] = await read(); ; ) {
    const lineage = project?.record.revoked_at === null ? project.record.lineage : null;
    const connector_id = message.connector_id ?? lineage?.connector_id;
    const connectors = await ports.connectors.list(workspace);
    if (!connectors.some(({ id }) => id === connector_id) || connector_id === undefined) return;
    const shapes = {
      relations: lineage?.connector_id === connector_id ? lineage.relations : [],
      columns: [...rowColumns, ...(stored === null ? [] : columnsOf(stored.shapes))],
    };
    const body = {
      connector_id,
      project_id,
      completeness: 'complete',
      source_event_key: ports.newId(),
      shapes,
    } as const;
    const bytes = new TextEncoder().encode(JSON.stringify({ workspace_id: workspace, ...body }));
    const payload = payloadOf(ports, { bytes, contentType: 'application/json', contentEncoding: null });
    const documentDigest = canonicalDigest(shapes);
    await acceptDeclared(ports, collection, { workspace, body, documentDigest, idempotencyKey: null, payload });
    const [laterProject, later] = await read();
    if (laterProject?.revision === project?.revision && later?.revision === stored?.revision) return;
    [project, stored] = [laterProject, later];
  }
}

const rowColumns = Object.entries(lakeColumns).map(([name, type]) => ({ name, type: String(type) }));

import { DeliveryId, idOrNull, type WorkspaceId } from '../../../../contract/ids.ts';
import type { RecordedOrder, ScopeHead } from '../../graph/scope-store.ts';
import type { DeliveryStore, PayloadStore } from '../../ingest/deliveries/ports.ts';
import { readPayload } from '../../ingest/deliveries/read-payload.ts';
import type { Connector } from '../../names/connector.ts';
import { documentOf } from '../../sources/item-index.ts';
import type { ModelProject } from '../../sources/models/model-project.ts';
import { readDeclared } from '../../sources/read-declared.ts';

export type LiveProjectPorts = {
  readonly deliveries: Pick<DeliveryStore, 'get'>;
  readonly payloads: Pick<PayloadStore, 'stream'>;
};

/** What a scope's documents hold, newest last: the whole project, then what was sent in part since. */
export type LiveProject = {
  readonly projects: readonly ModelProject[];
  /** Why not all of its documents could be read; null if they were. */
  readonly unread: string | null;
};

/** Bytes of a document that a comparison reads: about two seconds, and a third of its memory. */
const mostBytes = 96 * 1024 * 1024;
/** Documents sent in part that are read: each is a request. */
const mostDocuments = 20;

/** Reads the documents that state what a scope says now, from the bytes that were sent. */
export async function liveProject(
  ports: LiveProjectPorts,
  place: { readonly workspace: WorkspaceId; readonly connector: Connector },
  head: ScopeHead,
  effective: readonly Pick<RecordedOrder, 'order' | 'deliveryId'>[],
): Promise<LiveProject> {
  // A push that states the same lineage again is not listed, and its statements are the ones that count.
  const said = effective.map(({ order, deliveryId }) =>
    order === head.listed && head.order > head.listed ? (head.restatedBy ?? null) : deliveryId,
  );
  const projects: ModelProject[] = [];
  let unread = said.length > mostDocuments ? 'too_many_documents' : null;
  for (const id of said.slice(-mostDocuments)) {
    const read = await projectOf(ports, place, id);
    if (typeof read === 'string') unread ??= read;
    else projects.push(read);
  }
  return { projects, unread };
}

async function projectOf(
  ports: LiveProjectPorts,
  { workspace, connector }: { readonly workspace: WorkspaceId; readonly connector: Connector },
  id: string | null,
): Promise<ModelProject | string> {
  const known = id === null ? null : idOrNull(DeliveryId, id);
  const delivery = known && (await ports.deliveries.get(workspace, known));
  if (!delivery || (delivery.kind !== 'dbt_manifest' && delivery.kind !== 'sqlmesh_project'))
    return 'document_not_kept';
  const payload = await readPayload(ports, delivery, mostBytes);
  if (payload.kind !== 'read') return payload.kind === 'too_large' ? 'document_too_large' : 'document_not_kept';
  const { document, importSource } = documentOf(delivery.kind, payload.body);
  return readDeclared({ connector, connectors: [connector], importSource }, document).project ?? 'document_not_kept';
}

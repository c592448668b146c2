import { api, contentOf } from '../api/client.ts';
import type { Diff } from '../api/queries.ts';

type JsonObject = { readonly [key: string]: unknown };

export type Branch = {
  readonly name: string;
  readonly kind: 'manifest' | 'project';
  readonly document: JsonObject;
  readonly projectId: string;
  readonly matchBy: 'auto' | 'relation' | 'model';
};

/** Reads a dropped file; answers why it cannot be compared where it cannot. */
export async function readBranch(file: File): Promise<Pick<Branch, 'kind' | 'document'> | 'no_json' | 'unknown'> {
  const document: unknown = await file
    .text()
    .then(JSON.parse)
    .catch(() => null);
  if (document === null || typeof document !== 'object') return 'no_json';
  if ('nodes' in document && 'metadata' in document) return { kind: 'manifest', document: { ...document } };
  return 'models' in document ? { kind: 'project', document: { ...document } } : 'unknown';
}

/** Compares a branch with its live scope. It is compressed on the way: manifests are large and repeat themselves. */
export async function compareBranch(workspace_id: string, connector_id: string, branch: Branch): Promise<Diff> {
  const projectId = branch.projectId || (await deliveredProject(workspace_id, connector_id, branch.kind));
  const body = {
    workspace_id,
    connector_id,
    [branch.kind]: branch.document,
    match_by: branch.matchBy,
    ...(projectId && { project_id: projectId }),
  };
  const bytes = await compressed(JSON.stringify(body));
  return contentOf(
    api.POST('/v1/lineage/diff', {
      body,
      bodySerializer: () => bytes,
      headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
    }),
  );
}

const compressed = (text: string): Promise<Blob> =>
  new Response(new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'))).blob();

const deliveredAs = { manifest: 'dbt_manifest', project: 'sqlmesh_project' } as const;

/** The project that the connector's newest delivery of the kind was of: a manifest does not know the name of its live scope. */
async function deliveredProject(
  workspace_id: string,
  connector_id: string,
  kind: Branch['kind'],
): Promise<string | null> {
  const query = { workspace_id, connector_id, limit: 200 };
  const { items } = await contentOf(api.GET('/v1/lineage/deliveries', { params: { query } }));
  const scope = items.find((one) => one.kind === deliveredAs[kind] && one.scope_key !== null)?.scope_key ?? '';
  return /^connector:[^:]+:(?:dbt|sqlmesh)-project:([^:]+)/.exec(scope)?.[1] ?? null;
}

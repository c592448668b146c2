import { api } from '../api/client.ts';
import type { CollectionProject } from '../api/run-queries.ts';
import { Failure } from '../parts/failure.tsx';
import { TableHead } from '../parts/table-head.tsx';
import { Time } from '../parts/time.tsx';
import { useChange } from '../parts/use-change.ts';
import { texts } from '../texts.ts';

/** The keys of a project, those in use first; server keys are an operator's to revoke. */
export function KeyTable({ project }: { readonly project: CollectionProject }) {
  const { workspace_id, id: collection_project_id } = project;
  const revoking = useChange<unknown>(['collection', workspace_id]);
  const revoke = (project_key_id: string) =>
    revoking.change(() =>
      api.DELETE('/v1/collection-projects/{collection_project_id}/keys/{project_key_id}', {
        params: { path: { collection_project_id, project_key_id }, query: { workspace_id } },
      }),
    );
  const keys = keysOf(project);
  if (keys.length === 0) return <p className="dim">{texts.collection.keysNone}</p>;
  return (
    <div className="table-scroll">
      <table aria-label={`${texts.collection.keys}, ${project.name}`}>
        <TableHead headings={Object.values(texts.collection.keyHead)} />
        <tbody>
          {keys.map((key) => (
            <KeyRow key={key.id} projectKey={key} revoke={() => revoke(key.id)} />
          ))}
        </tbody>
      </table>
      {revoking.error && <Failure error={revoking.error} />}
    </div>
  );
}

type ProjectKey = ReturnType<typeof keysOf>[number];

const keysOf = ({ project_keys, server_keys }: CollectionProject) =>
  [
    ...project_keys.map((key) => ({ ...key, kind: texts.collection.publicKey, isPublic: true })),
    ...server_keys.map((key) => ({ ...key, kind: texts.collection.serverKey, environment: '', isPublic: false })),
  ].toSorted((a, b) => Number(a.revoked_at !== null) - Number(b.revoked_at !== null));

type KeyRowProps = { readonly projectKey: ProjectKey; readonly revoke: () => void };

const KeyRow = ({ projectKey: { name, kind, environment, created_at, revoked_at, isPublic }, revoke }: KeyRowProps) => (
  <tr>
    <th scope="row">{name}</th>
    <td>{kind}</td>
    <td>{environment}</td>
    <td>
      <Time at={created_at} />
    </td>
    <td>
      {revoked_at !== null && <span className="dim">{texts.collection.revoked}</span>}
      {revoked_at === null && isPublic && (
        <button type="button" aria-label={`${texts.collection.revoke} ${name}`} onClick={revoke}>
          {texts.collection.revoke}
        </button>
      )}
    </td>
  </tr>
);

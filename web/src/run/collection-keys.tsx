import { api } from '../api/client.ts';
import type { CollectionProject } from '../api/run-queries.ts';
import { Failure } from '../parts/failure.tsx';
import { Snippet } from '../parts/snippet.tsx';
import { Time } from '../parts/time.tsx';
import { useChange } from '../parts/use-change.ts';
import { apiAddress } from '../settings.ts';
import { texts } from '../texts.ts';
import { installOnPage, installOnServer } from './collection-snippets.ts';

/** The keys by which a project's events are sent, and what to install where they are. */
export function CollectionKeys({ project }: { readonly project: CollectionProject }) {
  const creating = useChange<{ readonly key: string }>(['collection', project.workspace_id]);
  const params = { path: { collection_project_id: project.id } };
  const key = creating.data?.key ?? '<PROJECT_KEY>';
  return (
    <section>
      <h3>{texts.collection.keys}</h3>
      <KeyTable project={project} />
      {project.revoked_at === null && (
        <form
          className="field-row"
          onSubmit={creating.submit((form) =>
            api.POST('/v1/collection-projects/{collection_project_id}/keys', {
              params,
              body: {
                workspace_id: project.workspace_id,
                name: String(form.get('name')),
                environment: String(form.get('environment')),
              },
            }),
          )}
        >
          <label className="field">
            {texts.collection.keyName}
            <input name="name" type="text" required maxLength={100} autoComplete="off" />
          </label>
          <label className="field">
            {texts.collection.environment}
            <select name="environment">
              {project.environments.map((one) => (
                <option key={one}>{one}</option>
              ))}
            </select>
          </label>
          <button type="submit">{texts.collection.addKey}</button>
        </form>
      )}
      {creating.error && <Failure error={creating.error} />}
      {creating.data && <Snippet label={texts.collection.keyCreated} text={creating.data.key} />}
      <details open={creating.data !== undefined}>
        <summary>{texts.collection.install}</summary>
        <div className="two">
          <Install title={texts.collection.snippet} text={installOnPage(apiAddress, key)} />
          <Install title={texts.collection.batch} text={installOnServer(apiAddress, key)} />
        </div>
      </details>
    </section>
  );
}

const Install = ({ title, text }: { readonly title: string; readonly text: string }) => (
  <div>
    <h4>{title}</h4>
    <Snippet label={title} text={text} />
  </div>
);

function KeyTable({ project }: { readonly project: CollectionProject }) {
  const revoking = useChange<unknown>(['collection', project.workspace_id]);
  const { workspace_id, id: collection_project_id } = project;
  const keys = [
    ...project.project_keys.map((key) => ({ ...key, kind: texts.collection.publicKey, isPublic: true })),
    ...project.server_keys.map((key) => ({
      ...key,
      kind: texts.collection.serverKey,
      environment: '',
      isPublic: false,
    })),
  ].toSorted((a, b) => Number(a.revoked_at !== null) - Number(b.revoked_at !== null));
  const revoke = (project_key_id: string) =>
    revoking.change(() =>
      api.DELETE('/v1/collection-projects/{collection_project_id}/keys/{project_key_id}', {
        params: { path: { collection_project_id, project_key_id }, query: { workspace_id } },
      }),
    );
  if (keys.length === 0) return <p className="dim">{texts.collection.keysNone}</p>;
  return (
    <div className="table-scroll">
      <table aria-label={`${texts.collection.keys}, ${project.name}`}>
        <thead>
          <tr>
            {Object.values(texts.collection.keyHead).map((heading) => (
              <th key={heading} scope="col">
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {keys.map(({ id, name, kind, environment, created_at, revoked_at, isPublic }) => (
            <tr key={id}>
              <th scope="row">{name}</th>
              <td>{kind}</td>
              <td>{environment}</td>
              <td>
                <Time at={created_at} />
              </td>
              <td>
                {revoked_at !== null && <span className="dim">{texts.collection.revoked}</span>}
                {revoked_at === null && isPublic && (
                  <button type="button" aria-label={`${texts.collection.revoke} ${name}`} onClick={() => revoke(id)}>
                    {texts.collection.revoke}
                  </button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {revoking.error && <Failure error={revoking.error} />}
    </div>
  );
}

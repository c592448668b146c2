import { api } from '../api/client.ts';
import type { CollectionProject } from '../api/run-queries.ts';
import { Failure } from '../parts/failure.tsx';
import { useChange } from '../parts/use-change.ts';
import { texts } from '../texts.ts';

/** Which web pages may send. */
export function CollectionOrigins({ project }: { readonly project: CollectionProject }) {
  const { workspace_id, id: collection_project_id } = project;
  const params = { path: { collection_project_id } };
  const changing = useChange<unknown>(['collection', workspace_id]);
  const path = '/v1/collection-projects/{collection_project_id}/origins';
  return (
    <section>
      <h3>{texts.collection.origins}</h3>
      {project.origins.length === 0 && <p className="dim">{texts.collection.originsNone}</p>}
      <ul className="plain origins">
        {project.origins.map((origin) => (
          <li key={origin}>
            <code>{origin}</code>
            <button
              type="button"
              className="quiet"
              aria-label={`${texts.collection.removeOrigin} ${origin}`}
              onClick={() =>
                changing.change(() => api.DELETE(path, { params: { ...params, query: { workspace_id, origin } } }))
              }
            >
              {texts.collection.removeOrigin}
            </button>
          </li>
        ))}
      </ul>
      {project.revoked_at === null && (
        <form
          className="field-row"
          onSubmit={changing.submit((form) =>
            api.POST(path, { params, body: { workspace_id, origin: String(form.get('origin')) } }),
          )}
        >
          <label className="field">
            {texts.collection.origin}
            <input name="origin" type="url" required placeholder="https://shop.example" autoComplete="off" />
          </label>
          <button type="submit">{texts.collection.addOrigin}</button>
        </form>
      )}
      {changing.error && <Failure error={changing.error} />}
    </section>
  );
}

import { api } from '../api/client.ts';
import type { CollectionProject } from '../api/run-queries.ts';
import { Failure } from '../parts/failure.tsx';
import { TextField } from '../parts/fields.tsx';
import { useChange } from '../parts/use-change.ts';
import { texts } from '../texts.ts';

const route = '/v1/collection-projects/{collection_project_id}/origins';

/** Which web pages may send. */
export function CollectionOrigins({ project }: { readonly project: CollectionProject }) {
  const { workspace_id } = project;
  const path = { collection_project_id: project.id };
  const changing = useChange<unknown>(['collection', workspace_id]);
  const remove = (origin: string) =>
    changing.change(() => api.DELETE(route, { params: { path, query: { workspace_id, origin } } }));
  const allow = (form: FormData) =>
    api.POST(route, { params: { path }, body: { workspace_id, origin: String(form.get('origin')) } });
  return (
    <section>
      <h3>{texts.collection.origins}</h3>
      {project.origins.length === 0 && <p className="dim">{texts.collection.originsNone}</p>}
      <ul className="plain origins">
        {project.origins.map((origin) => (
          <Origin key={origin} origin={origin} remove={() => remove(origin)} />
        ))}
      </ul>
      {project.revoked_at === null && (
        <form className="field-row" onSubmit={changing.submit(allow)}>
          <TextField
            className="field"
            label={texts.collection.origin}
            name="origin"
            type="url"
            required
            placeholder="https://shop.example"
          />
          <button type="submit">{texts.collection.addOrigin}</button>
        </form>
      )}
      {changing.error && <Failure error={changing.error} />}
    </section>
  );
}

const Origin = ({ origin, remove }: { readonly origin: string; readonly remove: () => void }) => (
  <li>
    <code>{origin}</code>
    <button type="button" className="quiet" aria-label={`${texts.collection.removeOrigin} ${origin}`} onClick={remove}>
      {texts.collection.removeOrigin}
    </button>
  </li>
);

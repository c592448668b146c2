import { api } from '../api/client.ts';
import type { CollectionProject } from '../api/run-queries.ts';
import { Failure } from '../parts/failure.tsx';
import { OptionField, TextField } from '../parts/fields.tsx';
import { Snippet } from '../parts/snippet.tsx';
import { useChange } from '../parts/use-change.ts';
import { apiAddress } from '../settings.ts';
import { texts } from '../texts.ts';
import { installOnPage, installOnServer } from './collection-snippets.ts';
import { KeyTable } from './key-table.tsx';

/** The keys by which a project's events are sent, and what to install where they are. */
export function CollectionKeys({ project }: { readonly project: CollectionProject }) {
  const creating = useChange<{ readonly key: string }>(['collection', project.workspace_id]);
  const create = (form: FormData) =>
    api.POST('/v1/collection-projects/{collection_project_id}/keys', {
      params: { path: { collection_project_id: project.id } },
      body: {
        workspace_id: project.workspace_id,
        name: String(form.get('name')),
        environment: String(form.get('environment')),
      },
    });
  return (
    <section>
      <h3>{texts.collection.keys}</h3>
      <KeyTable project={project} />
      {project.revoked_at === null && (
        <form className="field-row" onSubmit={creating.submit(create)}>
          <KeyFields environments={project.environments} />
        </form>
      )}
      {creating.error && <Failure error={creating.error} />}
      {creating.data && <Snippet label={texts.collection.keyCreated} text={creating.data.key} />}
      <Install created={creating.data?.key} />
    </section>
  );
}

const KeyFields = ({ environments }: { readonly environments: readonly string[] }) => (
  <>
    <TextField className="field" label={texts.collection.keyName} name="name" required maxLength={100} />
    <OptionField className="field" label={texts.collection.environment} name="environment" options={environments} />
    <button type="submit">{texts.collection.addKey}</button>
  </>
);

/** What to write where events come from, with the key that was just made. */
function Install({ created }: { readonly created: string | undefined }) {
  const key = created ?? '<PROJECT_KEY>';
  return (
    <details open={created !== undefined}>
      <summary>{texts.collection.install}</summary>
      <div className="two">
        <Titled title={texts.collection.snippet} text={installOnPage(apiAddress, key)} />
        <Titled title={texts.collection.batch} text={installOnServer(apiAddress, key)} />
      </div>
    </details>
  );
}

const Titled = ({ title, text }: { readonly title: string; readonly text: string }) => (
  <div>
    <h4>{title}</h4>
    <Snippet label={title} text={text} />
  </div>
);

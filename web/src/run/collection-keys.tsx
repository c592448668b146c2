import { api } from '../api/client.ts';
import type { CollectionProject } from '../api/run-queries.ts';
import { Failure } from '../parts/failure.tsx';
import { OptionField, TextField } from '../parts/fields.tsx';
import { DataTable } from '../parts/listed.tsx';
import { Snippet } from '../parts/snippet.tsx';
import { TimeCell } from '../parts/time.tsx';
import { UndoableButton } from '../parts/undoable-button.tsx';
import { useChange } from '../parts/use-change.ts';
import { apiAddress } from '../settings.ts';
import { texts } from '../texts.ts';

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
          <TextField className="field" label={texts.collection.keyName} name="name" required maxLength={100} />
          <OptionField
            className="field"
            label={texts.collection.keyHead.environment}
            name="environment"
            options={project.environments}
          />
          <button type="submit">{texts.collection.addKey}</button>
        </form>
      )}
      {creating.error && <Failure error={creating.error} />}
      {creating.data && <Snippet label={texts.collection.keyCreated} text={creating.data.key} />}
      <Install created={creating.data?.key} />
    </section>
  );
}

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

const installOnPage = (address: string, key: string): string => `<script type="module">
  import posthog from 'posthog-js';
  import { posthogJsOptions } from '@tributary-lineage/posthog';

  posthog.init('${key}', posthogJsOptions('${address}'));
  posthog.capture('Order Placed', { total: 42 });
</script>`;

const installOnServer = (address: string, key: string): string => `curl -s ${address}/collect/v1/batch \\
  -H 'content-type: application/json' \\
  -d '{"project_key":"${key}","events":[{"id":"order-1","type":"track","event":"Order Placed",
       "user_id":"user-1","timestamp":"${new Date().toISOString()}"}]}'`;

/** The keys of a project, those in use first; server keys are an operator's to revoke. */
function KeyTable({ project }: { readonly project: CollectionProject }) {
  const { workspace_id, id: collection_project_id } = project;
  const revoking = useChange(['collection', workspace_id]);
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
      <DataTable title={`${texts.collection.keys}, ${project.name}`} headings={Object.values(texts.collection.keyHead)}>
        {keys.map((key) => (
          <KeyRow key={key.id} projectKey={key} revoke={() => revoke(key.id)} />
        ))}
      </DataTable>
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
    <TimeCell at={created_at} />
    <td>
      {revoked_at !== null && <span className="dim">{texts.revoked}</span>}
      {revoked_at === null && isPublic && <UndoableButton label={texts.revoke} name={name} act={revoke} />}
    </td>
  </tr>
);

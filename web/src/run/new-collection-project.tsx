import { api } from '../api/client.ts';
import { Failure } from '../parts/failure.tsx';
import { TextField } from '../parts/fields.tsx';
import { splitList } from '../parts/split-list.ts';
import { useChange } from '../parts/use-change.ts';
import { texts } from '../texts.ts';

/** Makes a project whose events are collected. */
export function NewCollectionProject({ workspaceId }: { readonly workspaceId: string }) {
  const creating = useChange(['collection', workspaceId]);
  const create = (form: FormData) =>
    api.POST('/v1/collection-projects', {
      body: {
        workspace_id: workspaceId,
        name: String(form.get('name')),
        environments: splitList(form.get('environments'), ','),
        origins: splitList(form.get('origins'), ','),
      },
    });
  return (
    <form className="card fields" onSubmit={creating.submit(create)}>
      <h2>{texts.collection.create}</h2>
      <div className="field-row">
        <TextField label={texts.collection.name} name="name" required maxLength={100} />
        <TextField label={texts.collection.environmentsHow} name="environments" required defaultValue="production" />
      </div>
      <TextField label={texts.collection.originsHow} name="origins" placeholder="https://shop.example" />
      <button type="submit" className="primary" disabled={creating.isPending}>
        {texts.collection.create}
      </button>
      {creating.error && <Failure error={creating.error} />}
    </form>
  );
}

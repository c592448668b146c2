import { useQuery } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { collectionProjectsQuery } from '../api/run-queries.ts';
import { Failure } from '../parts/failure.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { Snippet } from '../parts/snippet.tsx';
import { useChange } from '../parts/use-change.ts';
import { useWorkspace } from '../shell/world.ts';
import { texts } from '../texts.ts';
import { CollectionProjectCard } from './collection-project.tsx';
import './collection.css';

/** The projects that send events, and how they do. */
export function CollectionPage() {
  const workspace = useWorkspace();
  const workspaceId = workspace?.id ?? '';
  const { data, error, isPending, refetch } = useQuery(collectionProjectsQuery(workspaceId));
  return (
    <div className="stack">
      <PageHead title={texts.collection.title} lead={texts.collection.lead} />
      {isPending && <p role="status">{texts.loading}</p>}
      {error && <Failure error={error} needs="admin" retry={refetch} />}
      {data?.items.length === 0 && <p className="empty">{texts.collection.none}</p>}
      {data?.items.map((project) => (
        <CollectionProjectCard key={project.id} project={project} />
      ))}
      {data && <Create workspaceId={workspaceId} />}
      {data && (
        <section className="card">
          <p>{texts.collection.serverKeys}</p>
          <Snippet
            label={texts.collection.serverKey}
            text={`tributary admin server-keys create ${workspace?.name} PROJECT NAME`}
          />
          <p className="dim">{texts.collection.stored}</p>
        </section>
      )}
    </div>
  );
}

const listed = (text: FormDataEntryValue | null): string[] =>
  String(text ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);

function Create({ workspaceId }: { readonly workspaceId: string }) {
  const creating = useChange(['collection', workspaceId]);
  return (
    <form
      className="card fields"
      onSubmit={creating.submit((form) =>
        api.POST('/v1/collection-projects', {
          body: {
            workspace_id: workspaceId,
            name: String(form.get('name')),
            environments: listed(form.get('environments')),
            origins: listed(form.get('origins')),
          },
        }),
      )}
    >
      <h2>{texts.collection.create}</h2>
      <div className="field-row">
        <label>
          {texts.collection.name}
          <input name="name" type="text" required maxLength={100} autoComplete="off" />
        </label>
        <label>
          {texts.collection.environmentsHow}
          <input name="environments" type="text" required defaultValue="production" autoComplete="off" />
        </label>
      </div>
      <label>
        {texts.collection.originsHow}
        <input name="origins" type="text" placeholder="https://shop.example" autoComplete="off" />
      </label>
      <button type="submit" className="primary" disabled={creating.isPending}>
        {texts.collection.create}
      </button>
      {creating.error && <Failure error={creating.error} />}
    </form>
  );
}

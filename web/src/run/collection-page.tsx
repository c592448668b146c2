import { useQuery } from '@tanstack/react-query';
import { collectionProjectsQuery } from '../api/run-queries.ts';
import { Failure } from '../parts/failure.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { Snippet } from '../parts/snippet.tsx';
import { useWorkspace } from '../shell/world.ts';
import { texts } from '../texts.ts';
import { CollectionProjectCard } from './collection-project.tsx';
import { NewCollectionProject } from './new-collection-project.tsx';
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
      {data && <NewCollectionProject workspaceId={workspaceId} />}
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

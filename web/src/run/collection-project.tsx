import type { CollectionProject } from '../api/run-queries.ts';
import { StateBadge } from '../parts/state-badge.tsx';
import { texts } from '../texts.ts';
import { CollectionCounts } from './collection-counts.tsx';
import { CollectionKeys } from './collection-keys.tsx';
import { CollectionOrigins } from './collection-origins.tsx';

/** One project: what came of its events, who may send, and by which keys. */
export function CollectionProjectCard({ project }: { readonly project: CollectionProject }) {
  const isActive = project.revoked_at === null;
  return (
    <section className="card collection-project" aria-label={project.name}>
      <header className="field-row">
        <h2>{project.name}</h2>
        {!isActive && <StateBadge state={texts.collection.revoked} />}
        <span className="dim">
          {texts.collection.environments}: {project.environments.join(', ')}
        </span>
      </header>
      <div className="two">
        <CollectionCounts project={project} />
        <CollectionOrigins project={project} />
      </div>
      <CollectionKeys project={project} />
    </section>
  );
}

import { useQuery } from '@tanstack/react-query';
import type { Workspace } from '../api/queries.ts';
import { attentionQuery } from '../api/run-queries.ts';
import { PageLink } from '../parts/page-link.tsx';
import { StateBadge } from '../parts/state-badge.tsx';
import { Time } from '../parts/time.tsx';
import { texts } from '../texts.ts';
import { Tile } from './tile.tsx';

const shown = 6;

/** What waits for whoever looks, each with the page where it is settled. */
export function AttentionTile({ workspace }: { readonly workspace: Workspace }) {
  const query = useQuery(attentionQuery(workspace.id));
  // Most of the time nothing waits; then the page begins with what people look for.
  if (!query.error && !query.data?.items.length) return null;
  return (
    <Tile wide title={texts.start.attention} query={query} empty="">
      {(query.data?.items ?? []).slice(0, shown).map(({ event_id, href, title, severity, timestamp }) => (
        <li key={event_id}>
          <PageLink href={href}>{title}</PageLink>
          <span className="dim">
            <StateBadge state={severity} /> <Time at={timestamp} />
          </span>
        </li>
      ))}
    </Tile>
  );
}

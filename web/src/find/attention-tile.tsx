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
  return (
    <Tile title={texts.start.attention} query={query} empty={texts.start.attentionNone}>
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

import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { checksQuery } from '../api/run-queries.ts';
import { Listed } from '../parts/listed.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { may, useWorkspace } from '../shell/world.ts';
import { texts } from '../texts.ts';
import { CheckLine } from './check-line.tsx';
import { NewCheck } from './new-check.tsx';

/** Expectations that are held against the graph, and whether they hold; `?check=` opens the results of one. */
export function ChecksPage() {
  const workspace = useWorkspace();
  const { check } = useSearch({ strict: false }) as Record<string, string>;
  const query = useQuery(checksQuery(workspace?.id ?? ''));
  const checks = query.data?.agent_checks ?? [];
  const most = query.data?.max_enabled ?? 0;
  const isFull = checks.filter(({ enabled }) => enabled).length >= most;
  return (
    <div className="stack">
      <PageHead title={texts.checks.title} lead={texts.checks.lead} />
      <Listed
        query={query}
        title={texts.checks.title}
        headings={Object.values(texts.checks.headings)}
        empty={texts.checks.none}
        needs="viewer"
      >
        {checks.map((one) => (
          <CheckLine key={one.id} check={one} isAsked={one.id === check} />
        ))}
      </Listed>
      {query.data && isFull && <p className="dim">{texts.checks.full(most)}</p>}
      {query.data && may(workspace, 'editor') && <NewCheck workspaceId={workspace?.id ?? ''} enabled={!isFull} />}
    </div>
  );
}

import { useQuery } from '@tanstack/react-query';
import { checksQuery } from '../api/queries.ts';
import { Listed } from '../parts/listed.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { StateBadge } from '../parts/state-badge.tsx';
import { useWorkspace } from '../shell/world.ts';
import { texts } from '../texts.ts';

/** Expectations that are held against the graph. */
export function ChecksPage() {
  const workspace = useWorkspace();
  const query = useQuery(checksQuery(workspace?.id ?? ''));
  return (
    <>
      <PageHead title={texts.checks.title} lead={texts.checks.lead} />
      <Listed
        query={query}
        title={texts.checks.title}
        headings={Object.values(texts.checks.headings)}
        empty={texts.checks.none}
        needs="viewer"
      >
        {(query.data?.agent_checks ?? []).map(({ id, name, expectation, severity, enabled, definition_version }) => (
          <tr key={id}>
            <th scope="row">{name}</th>
            <td>{expectation}</td>
            <td>
              <StateBadge state={severity} />
            </td>
            <td>{enabled ? texts.checks.on : texts.checks.off}</td>
            <td>{definition_version}</td>
          </tr>
        ))}
      </Listed>
    </>
  );
}

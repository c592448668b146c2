import { useMutation, useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { type Gap, gapsQuery, providersQuery } from '../api/queries.ts';
import { Failure } from '../parts/failure.tsx';
import { Listed } from '../parts/listed.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { Snippet } from '../parts/snippet.tsx';
import { StateBadge } from '../parts/state-badge.tsx';
import { Time } from '../parts/time.tsx';
import { may, useWorkspace } from '../shell/world.ts';
import { texts } from '../texts.ts';

type Details = Gap['details'];
type Setting = { readonly provider: string; readonly gap: string; readonly status: 'open' | 'ignored' };

/** Where the feeds fall short. */
export function GapsPage() {
  const workspace = useWorkspace();
  const workspaceId = workspace?.id ?? '';
  const [isAll, setAll] = useState(false);
  const providers = useQuery(providersQuery(workspaceId));
  const queries = useQueryClient();
  const items = providers.data?.items ?? [];
  const pages = useQueries({ queries: items.map(({ id }) => gapsQuery(workspaceId, id)) });
  const setting = useMutation({
    mutationFn: ({ provider, gap, status }: Setting) =>
      api.PATCH('/v1/lineage/providers/{provider_instance_id}/gaps/{gap_id}', {
        params: { path: { provider_instance_id: provider, gap_id: gap } },
        body: { workspace_id: workspaceId, status },
      }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['gaps', workspaceId] }),
  });
  const gaps = pages.flatMap(({ data }, index) => {
    const provider = items[index];
    return provider ? (data?.items ?? []).map((gap) => ({ ...gap, provider })) : [];
  });
  const shown = gaps.filter(({ status }) => isAll || status === 'open');
  const query = {
    isPending: providers.isPending,
    error: providers.error ?? pages.find(({ error }) => error)?.error ?? null,
  };
  return (
    <>
      <PageHead title={texts.gaps.title} lead={texts.gaps.lead}>
        <label className="check">
          <input type="checkbox" checked={isAll} onChange={({ target }) => setAll(target.checked)} />
          {texts.gaps.all}
        </label>
      </PageHead>
      {setting.error && <Failure error={setting.error} />}
      <Listed
        query={query}
        title={texts.gaps.title}
        headings={Object.values(texts.gaps.headings)}
        empty={isAll ? texts.gaps.none : texts.start.gapsNone}
        needs="viewer"
      >
        {shown.map(({ id, gap_type, status, opened_at, details, provider }) => (
          <tr key={id}>
            <th scope="row">{gap_type.replaceAll('_', ' ')}</th>
            <td>{provider.display_name}</td>
            <td>
              <StateBadge state={status} />
            </td>
            <td>
              <Time at={opened_at} />
            </td>
            <td>
              <Reason details={details} />
            </td>
            <td>
              {may(workspace, 'admin') && status !== 'resolved' && (
                <button
                  type="button"
                  onClick={() =>
                    setting.mutate({ provider: provider.id, gap: id, status: status === 'open' ? 'ignored' : 'open' })
                  }
                >
                  {status === 'open' ? texts.gaps.ignore : texts.gaps.reopen}
                </button>
              )}
            </td>
          </tr>
        ))}
      </Listed>
    </>
  );
}

/** Why it is a gap, with what would close it where that is known. */
const Reason = ({ details: { reason, namespaces = [], command } }: { readonly details: Details }) => (
  <>
    {reason.replaceAll('_', ' ')}
    {namespaces.length > 0 && (
      <ul className="plain">
        {namespaces.map(({ namespace, datasets }) => (
          <li key={namespace}>
            <span className="ref">{namespace}</span> <span className="dim">{texts.gaps.datasets(datasets)}</span>
          </li>
        ))}
      </ul>
    )}
    {command && <Snippet label={texts.gaps.command} text={command} />}
  </>
);

import { useQueries, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { type Gap, gapsQuery, type Provider, providersQuery } from '../api/queries.ts';
import { Failure } from '../parts/failure.tsx';
import { Listed } from '../parts/listed.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { useChange } from '../parts/use-change.ts';
import { useWorkspace } from '../shell/world.ts';
import { texts } from '../texts.ts';
import { GapRow } from './gap-row.tsx';

const route = '/v1/lineage/providers/{provider_instance_id}/gaps/{gap_id}';

/** Where providers fall short. */
export function GapsPage() {
  const workspaceId = useWorkspace()?.id ?? '';
  const [isAll, setAll] = useState(false);
  const { gaps, ...query } = useGaps(workspaceId);
  const setting = useChange<unknown>(['gaps', workspaceId]);
  const shown = gaps.filter(({ status }) => isAll || status === 'open');
  const set = ({ id: gap_id, provider }: GapOfProvider, status: 'open' | 'ignored') => {
    const path = { provider_instance_id: provider.id, gap_id };
    const body = { workspace_id: workspaceId, status };
    setting.change(() => api.PATCH(route, { params: { path }, body }));
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
        {shown.map((gap) => (
          <GapRow key={gap.id} gap={gap} set={(status) => set(gap, status)} />
        ))}
      </Listed>
    </>
  );
}

type GapOfProvider = Gap & { readonly provider: Provider };

/** The gaps of every provider of a workspace. */
function useGaps(workspaceId: string) {
  const providers = useQuery(providersQuery(workspaceId));
  const items = providers.data?.items ?? [];
  const pages = useQueries({ queries: items.map(({ id }) => gapsQuery(workspaceId, id)) });
  const gaps = pages.flatMap(({ data }, index): GapOfProvider[] => {
    const provider = items[index];
    return provider ? (data?.items ?? []).map((gap) => ({ ...gap, provider })) : [];
  });
  const error = providers.error ?? pages.find((page) => page.error)?.error ?? null;
  return { gaps, isPending: providers.isPending, error };
}

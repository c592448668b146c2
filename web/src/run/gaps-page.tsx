import { useQueries, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { type Gap, gapsQuery, type Provider, providersQuery } from '../api/queries.ts';
import { Failure } from '../parts/failure.tsx';
import { Listed } from '../parts/listed.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { Snippet } from '../parts/snippet.tsx';
import { StateCell } from '../parts/state-badge.tsx';
import { TimeCell } from '../parts/time.tsx';
import { useChange } from '../parts/use-change.ts';
import { may, useWorkspace } from '../shell/world.ts';
import { texts } from '../texts.ts';
import { Unresolved } from './delivery-problems.tsx';

const route = '/v1/lineage/providers/{provider_instance_id}/gaps/{gap_id}';

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
      <Listed query={query} of={isAll ? texts.gaps : { ...texts.gaps, none: texts.gaps.noneOpen }}>
        {shown.map((gap) => (
          <GapRow key={gap.id} gap={gap} set={(status) => set(gap, status)} />
        ))}
      </Listed>
    </>
  );
}

type GapOfProvider = Gap & { readonly provider: Provider };

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

type GapRowProps = {
  readonly gap: Gap & { readonly provider: { readonly display_name: string } };
  readonly set: (status: 'open' | 'ignored') => void;
};

/** A gap with its provider, which an admin may set aside or open again. */
function GapRow({ gap: { gap_type, status, opened_at, details, provider }, set }: GapRowProps) {
  const workspace = useWorkspace();
  const isOpen = status === 'open';
  return (
    <tr>
      <th scope="row">
        {texts.gaps.types[gap_type].title}
        <span className="row-note">{texts.gaps.types[gap_type].meaning}</span>
      </th>
      <td>{provider.display_name}</td>
      <StateCell state={status} />
      <TimeCell at={opened_at} />
      <td>
        <Reason details={details} />
      </td>
      <td>
        {may(workspace, 'admin') && status !== 'resolved' && (
          <button type="button" onClick={() => set(isOpen ? 'ignored' : 'open')}>
            {isOpen ? texts.gaps.ignore : texts.gaps.reopen}
          </button>
        )}
      </td>
    </tr>
  );
}

/** The reason of a gap, with a remedy if known. */
const Reason = ({ details }: { readonly details: Gap['details'] }) => {
  const { reason, namespaces = [], command, unresolved = [] } = details;
  return (
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
      {unresolved.length > 0 && (
        <ul className="plain">
          {unresolved.map((one) => (
            <Unresolved key={one.reason} one={one} />
          ))}
        </ul>
      )}
      {command && <Snippet label={texts.gaps.command} text={command} />}
    </>
  );
};

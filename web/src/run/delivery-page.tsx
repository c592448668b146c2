import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { api } from '../api/client.ts';
import { type Delivery, deliveryQuery } from '../api/queries.ts';
import { Failure } from '../parts/failure.tsx';
import { useProviderNames, useScopeName } from '../parts/provider-names.ts';
import { StateBadge } from '../parts/state-badge.tsx';
import { Time } from '../parts/time.tsx';
import { useChange } from '../parts/use-change.ts';
import { may, useWorkspace } from '../shell/world.ts';
import { texts } from '../texts.ts';
import { DeliveryProblems } from './delivery-problems.tsx';

export function DeliveryPage() {
  const workspace = useWorkspace();
  const { deliveryId = '' } = useParams({ strict: false });
  const { payload, at } = useSearch({ strict: false }) as Record<string, string>;
  const workspaceId = workspace?.id ?? '';
  const { data, error, isPending } = useQuery(deliveryQuery(workspaceId, deliveryId));
  if (isPending) return <p role="status">{texts.loading}</p>;
  if (error) return <Failure error={error} needs="viewer" />;
  return (
    <div className="stack">
      <header className="page-head">
        <div>
          <h1>{texts.deliveries.one(deliveryId)}</h1>
          <Link to="/deliveries">{texts.deliveries.all}</Link>
        </div>
        <Actions delivery={data} workspaceId={workspaceId} />
      </header>
      <div className="two">
        <section className="card">
          <DeliveryFacts delivery={data} />
        </section>
        <DeliveryProblems delivery={data} />
      </div>
      {payload && may(workspace, 'admin') && (
        <Payload workspaceId={workspaceId} deliveryId={deliveryId} pointer={at ?? ''} />
      )}
    </div>
  );
}

type ActionsProps = { readonly delivery: Delivery; readonly workspaceId: string };

function Actions({ delivery: { delivery_id, state }, workspaceId: workspace_id }: ActionsProps) {
  const workspace = useWorkspace();
  const acting = useChange(deliveryQuery(workspace_id, delivery_id).queryKey);
  const act = (action: 'retry' | 'release') => {
    const params = { path: { delivery_id }, query: { workspace_id } };
    acting.change(() => api.POST(`/v1/lineage/deliveries/{delivery_id}/${action}`, { params }));
  };
  const navigate = useNavigate();
  const open = () =>
    void navigate({ to: '/deliveries/$deliveryId', params: { deliveryId: delivery_id }, search: { payload: 'yes' } });
  return (
    <div className="field-row">
      {state === 'failed' && may(workspace, 'editor') && (
        <button type="button" className="primary" onClick={() => act('retry')}>
          {texts.deliveries.retry}
        </button>
      )}
      {state === 'held' && may(workspace, 'admin') && (
        <button type="button" className="primary" onClick={() => act('release')}>
          {texts.deliveries.release}
        </button>
      )}
      {may(workspace, 'admin') && (
        <button type="button" onClick={open}>
          {texts.deliveries.payload}
        </button>
      )}
      {acting.error && <Failure error={acting.error} />}
    </div>
  );
}

function DeliveryFacts({ delivery }: { readonly delivery: Delivery }) {
  const provider = useProviderNames(delivery.workspace_id).get(delivery.provider_instance_id ?? '') ?? null;
  const scopeName = useScopeName();
  return (
    <dl className="facts">
      {factsOf(delivery, provider, delivery.scope_key && scopeName(delivery.scope_key))
        .filter(([, value]) => value !== null)
        .map(([name, value]) => (
          <div key={name} className="fact">
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

const { facts, headings } = texts.deliveries;

const factsOf = (
  { failure, ...delivery }: Delivery,
  provider: string | null,
  scope: string | null,
): (readonly [string, ReactNode])[] => [
  [headings.state, <StateBadge key="state" state={delivery.state} />],
  [facts.failure, failure && `${failure.code}: ${failure.message}`],
  [headings.kind, delivery.kind.replaceAll('_', ' ')],
  [
    headings.provider,
    provider && (
      <Link key="provider" to="/providers">
        {provider}
      </Link>
    ),
  ],
  [headings.received, <Time key="received" at={delivery.received_at} />],
  [facts.completed, <Time key="completed" at={delivery.completed_at} />],
  [facts.attempts, delivery.attempts],
  [headings.items, delivery.item_count],
  [facts.projected, delivery.projected_item_count],
  [facts.duplicates, delivery.duplicate_count],
  [facts.scope, scope],
  [facts.completeness, delivery.completeness],
  [facts.retracted, delivery.retracted_evidence_count],
];

type PayloadProps = {
  readonly workspaceId: string;
  readonly deliveryId: string;
  /** JSON pointer to what is to be shown; empty: all of it. */
  readonly pointer: string;
};

/** More than anyone reads; a browser would be slow. */
const shownCharacters = 200_000;

/** The bytes as they were received, or the part that a pointer names. */
function Payload({ workspaceId, deliveryId, pointer }: PayloadProps) {
  const { data, error, isPending } = useQuery({
    queryKey: ['payload', workspaceId, deliveryId],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => {
      const params = { path: { delivery_id: deliveryId }, query: { workspace_id: workspaceId } };
      const { data: text } = await api.GET('/v1/lineage/deliveries/{delivery_id}/payload', {
        params,
        parseAs: 'text',
        signal,
      });
      return String(text);
    },
  });
  if (isPending) return <p role="status">{texts.loading}</p>;
  if (error) return <Failure error={error} />;
  const text = partOf(data, pointer);
  return (
    <section className="card">
      <h2>{texts.deliveries.payloadTitle}</h2>
      {pointer && <p className="ref">{pointer}</p>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard. */}
      <pre tabIndex={0}>
        <code>{text.slice(0, shownCharacters)}</code>
      </pre>
      {text.length > shownCharacters && <p className="dim">{texts.deliveries.payloadCut}</p>}
    </section>
  );
}

function partOf(text: string, pointer: string): string {
  try {
    let part: unknown = JSON.parse(text);
    for (const key of pointer.split('/').slice(1))
      part = (part as Record<string, unknown>)[key.replaceAll('~1', '/').replaceAll('~0', '~')];
    // A pointer that leads nowhere shows all of it.
    return part === undefined ? text : JSON.stringify(part, null, 2);
  } catch {
    return text;
  }
}

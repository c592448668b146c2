import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { api } from '../api/client.ts';
import { type Delivery, deliveryQuery, providersQuery } from '../api/queries.ts';
import { Failure } from '../parts/failure.tsx';
import { StateBadge } from '../parts/state-badge.tsx';
import { Time } from '../parts/time.tsx';
import { may, useWorkspace } from '../shell/world.ts';
import { texts } from '../texts.ts';
import { Payload } from './payload.tsx';

/** What became of one delivery. */
export function DeliveryPage() {
  const workspace = useWorkspace();
  const { deliveryId = '' } = useParams({ strict: false });
  const { payload, at } = useSearch({ strict: false }) as Record<string, string>;
  const workspaceId = workspace?.id ?? '';
  const { data, error, isPending, refetch } = useQuery(deliveryQuery(workspaceId, deliveryId));
  if (isPending) return <p role="status">{texts.loading}</p>;
  if (error) return <Failure error={error} needs="viewer" retry={refetch} />;
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
          <Facts delivery={data} />
        </section>
        <Trouble delivery={data} />
      </div>
      {payload && may(workspace, 'admin') && (
        <Payload workspaceId={workspaceId} deliveryId={deliveryId} pointer={at ?? ''} />
      )}
    </div>
  );
}

function Actions({ delivery, workspaceId }: { readonly delivery: Delivery; readonly workspaceId: string }) {
  const workspace = useWorkspace();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const params = { path: { delivery_id: delivery.delivery_id }, query: { workspace_id: workspaceId } };
  const acting = useMutation({
    mutationFn: (action: 'retry' | 'release') =>
      action === 'retry'
        ? api.POST('/v1/lineage/deliveries/{delivery_id}/retry', { params })
        : api.POST('/v1/lineage/deliveries/{delivery_id}/release', { params }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['delivery', workspaceId, delivery.delivery_id] }),
  });
  return (
    <div className="field-row">
      {delivery.state === 'failed' && may(workspace, 'editor') && (
        <button type="button" className="primary" onClick={() => acting.mutate('retry')}>
          {texts.deliveries.retry}
        </button>
      )}
      {delivery.state === 'held' && may(workspace, 'admin') && (
        <button type="button" className="primary" onClick={() => acting.mutate('release')}>
          {texts.deliveries.release}
        </button>
      )}
      {may(workspace, 'admin') && (
        <button
          type="button"
          onClick={() =>
            void navigate({
              to: '/deliveries/$deliveryId',
              params: { deliveryId: delivery.delivery_id },
              search: { payload: 'yes' },
            })
          }
        >
          {texts.deliveries.payload}
        </button>
      )}
      {acting.error && <Failure error={acting.error} />}
    </div>
  );
}

function Facts({ delivery }: { readonly delivery: Delivery }) {
  const { facts } = texts.deliveries;
  const { failure } = delivery;
  const providers = useQuery(providersQuery(delivery.workspace_id));
  const feed = providers.data?.items.find(({ id }) => id === delivery.provider_instance_id)?.display_name ?? null;
  const rows: readonly (readonly [string, ReactNode])[] = [
    [facts.state, <StateBadge key="state" state={delivery.state} />],
    [facts.failure, failure && `${failure.code}: ${failure.message}`],
    [facts.kind, delivery.kind.replaceAll('_', ' ')],
    [
      facts.provider,
      feed && (
        <Link key="feed" to="/providers">
          {feed}
        </Link>
      ),
    ],
    [facts.received, <Time key="received" at={delivery.received_at} />],
    [facts.completed, <Time key="completed" at={delivery.completed_at} />],
    [facts.attempts, delivery.attempts],
    [facts.items, delivery.item_count],
    [facts.projected, delivery.projected_item_count],
    [facts.duplicates, delivery.duplicate_count],
    [facts.scope, delivery.scope_key],
    [facts.completeness, delivery.completeness],
    [facts.retracted, delivery.retracted_evidence_count],
  ];
  return (
    <dl className="facts">
      {rows
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

/** The pointer to an item, with which its message begins; empty where the payload is one item, which is all of it. */
function placeOf({ index, message }: Delivery['quarantined'][number]): string {
  const [place = ''] = message.split(': ');
  const step = `/${index}`;
  return place.includes(step) ? place.slice(0, place.indexOf(step) + step.length) : '';
}

function Trouble({ delivery }: { readonly delivery: Delivery }) {
  const workspace = useWorkspace();
  const { quarantined, warnings, unresolved, delivery_id: deliveryId } = delivery;
  return (
    <section className="card">
      <h2>{texts.deliveries.quarantined}</h2>
      {quarantined.length === 0 && <p className="dim">{texts.deliveries.quarantinedNone}</p>}
      <ul className="plain">
        {quarantined.map((item) => (
          <li key={`${item.index} ${item.code}`}>
            {texts.deliveries.item(item.index)} <code>{item.code}</code> {item.message}{' '}
            {may(workspace, 'admin') && (
              <Link
                to="/deliveries/$deliveryId"
                params={{ deliveryId }}
                search={{ payload: 'yes', at: placeOf(item) }}
                aria-label={texts.deliveries.openItem(item.index)}
              >
                {texts.evidence.openPayload}
              </Link>
            )}
          </li>
        ))}
      </ul>
      {warnings.length > 0 && <h2>{texts.deliveries.warnings}</h2>}
      <ul className="plain">
        {warnings.map(({ code, message }) => (
          <li key={code + message}>
            <code>{code}</code> {message}
          </li>
        ))}
      </ul>
      {unresolved.length > 0 && <h2>{texts.deliveries.unresolved}</h2>}
      <ul className="plain">
        {unresolved.map(({ reason, count }) => (
          <li key={reason}>
            {count} × {reason.replaceAll('_', ' ')}
          </li>
        ))}
      </ul>
    </section>
  );
}

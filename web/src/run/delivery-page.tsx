import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { api } from '../api/client.ts';
import { type Delivery, deliveryQuery } from '../api/queries.ts';
import { Failure } from '../parts/failure.tsx';
import { useChange } from '../parts/use-change.ts';
import { may, useWorkspace } from '../shell/world.ts';
import { texts } from '../texts.ts';
import { DeliveryFacts } from './delivery-facts.tsx';
import { DeliveryProblems } from './delivery-problems.tsx';
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
  const acting = useChange<unknown>(['delivery', workspace_id, delivery_id]);
  const params = { path: { delivery_id }, query: { workspace_id } };
  const retry = () => acting.change(() => api.POST('/v1/lineage/deliveries/{delivery_id}/retry', { params }));
  const release = () => acting.change(() => api.POST('/v1/lineage/deliveries/{delivery_id}/release', { params }));
  return (
    <div className="field-row">
      {state === 'failed' && may(workspace, 'editor') && (
        <button type="button" className="primary" onClick={retry}>
          {texts.deliveries.retry}
        </button>
      )}
      {state === 'held' && may(workspace, 'admin') && (
        <button type="button" className="primary" onClick={release}>
          {texts.deliveries.release}
        </button>
      )}
      {may(workspace, 'admin') && <PayloadButton deliveryId={delivery_id} />}
      {acting.error && <Failure error={acting.error} />}
    </div>
  );
}

function PayloadButton({ deliveryId }: { readonly deliveryId: string }) {
  const navigate = useNavigate();
  const open = () =>
    void navigate({ to: '/deliveries/$deliveryId', params: { deliveryId }, search: { payload: 'yes' } });
  return (
    <button type="button" onClick={open}>
      {texts.deliveries.payload}
    </button>
  );
}

import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { deliveryStates } from '../../../shared/contract/vocabulary.ts';
import { type Delivery, type DeliveryState, deliveriesQuery } from '../api/queries.ts';
import { Choice } from '../parts/fields.tsx';
import { Listed } from '../parts/listed.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { StateCell } from '../parts/state-badge.tsx';
import { TimeCell } from '../parts/time.tsx';
import { useWorkspace } from '../shell/world.ts';
import { texts } from '../texts.ts';
import { useProviderNames } from './provider-names.ts';

export function DeliveriesPage() {
  const workspace = useWorkspace();
  const search = useSearch({ strict: false }) as Record<string, string>;
  const state = deliveryStates.find((one) => one === search['state']);
  const query = useInfiniteQuery(deliveriesQuery(workspace?.id ?? '', state ? { state } : {}));
  const deliveries = (query.data?.pages ?? []).flatMap(({ items }) => items);
  const providers = useProviderNames(workspace?.id ?? '');
  return (
    <>
      <PageHead title={texts.deliveries.title} lead={texts.deliveries.lead}>
        <StateChoice state={state} />
      </PageHead>
      <Listed query={query} of={texts.deliveries}>
        {deliveries.map((one) => (
          <DeliveryRow
            key={one.delivery_id}
            delivery={one}
            provider={providers.get(one.provider_instance_id ?? '') ?? null}
          />
        ))}
      </Listed>
      {query.hasNextPage && (
        <p>
          <button type="button" disabled={query.isFetchingNextPage} onClick={() => query.fetchNextPage()}>
            {texts.more}
          </button>
        </p>
      )}
    </>
  );
}

const stateNames = {
  '': texts.deliveries.any,
  ...(Object.fromEntries(deliveryStates.map((state) => [state, state.replaceAll('_', ' ')])) as Record<
    DeliveryState,
    string
  >),
};

function StateChoice({ state = '' }: { readonly state: DeliveryState | '' | undefined }) {
  const navigate = useNavigate();
  return (
    <Choice
      className="field"
      label={texts.deliveries.state}
      value={state}
      options={stateNames}
      choose={(chosen) => void navigate({ to: '/deliveries', search: { state: chosen } })}
    />
  );
}

const DeliveryRow = ({ delivery, provider }: { readonly delivery: Delivery; readonly provider: string | null }) => (
  <tr>
    <TimeCell at={delivery.received_at} />
    <td className="brief">{delivery.kind.replaceAll('_', ' ')}</td>
    <StateCell state={delivery.state} />
    <td className="brief">
      {delivery.projected_item_count} / {delivery.item_count}
    </td>
    <td>{provider}</td>
    <td className="brief">
      <Link to="/deliveries/$deliveryId" params={{ deliveryId: delivery.delivery_id }} className="ref">
        {delivery.delivery_id}
      </Link>
    </td>
  </tr>
);

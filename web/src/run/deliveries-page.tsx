import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { deliveryStates } from '../../../shared/contract/vocabulary.ts';
import { type Delivery, deliveriesQuery, providersQuery } from '../api/queries.ts';
import { Listed } from '../parts/listed.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { StateBadge } from '../parts/state-badge.tsx';
import { Time } from '../parts/time.tsx';
import { useWorkspace } from '../shell/world.ts';
import { texts } from '../texts.ts';

/** What came in, newest first. */
export function DeliveriesPage() {
  const workspace = useWorkspace();
  const search = useSearch({ strict: false }) as Record<string, string>;
  const state = deliveryStates.find((one) => one === search['state']);
  const navigate = useNavigate();
  const query = useInfiniteQuery(deliveriesQuery(workspace?.id ?? '', state ? { state } : {}));
  const providers = useQuery(providersQuery(workspace?.id ?? ''));
  const feeds = new Map((providers.data?.items ?? []).map(({ id, display_name }) => [id, display_name]));
  return (
    <>
      <PageHead title={texts.deliveries.title} lead={texts.deliveries.lead}>
        <label className="field">
          {texts.deliveries.state}
          <select
            value={state ?? ''}
            onChange={({ target }) => void navigate({ to: '/deliveries', search: { state: target.value } })}
          >
            <option value="">{texts.deliveries.any}</option>
            {deliveryStates.map((one) => (
              <option key={one} value={one}>
                {one.replaceAll('_', ' ')}
              </option>
            ))}
          </select>
        </label>
      </PageHead>
      <Listed
        query={query}
        title={texts.deliveries.title}
        headings={Object.values(texts.deliveries.headings)}
        empty={texts.deliveries.none}
        needs="viewer"
      >
        {(query.data?.pages ?? []).flatMap(({ items }) =>
          items.map((delivery) => (
            <Line
              key={delivery.delivery_id}
              delivery={delivery}
              feed={feeds.get(delivery.provider_instance_id ?? '') ?? null}
            />
          )),
        )}
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

const Line = ({ delivery, feed }: { readonly delivery: Delivery; readonly feed: string | null }) => (
  <tr>
    <td>
      <Time at={delivery.received_at} />
    </td>
    <td className="brief">{delivery.kind.replaceAll('_', ' ')}</td>
    <td>
      <StateBadge state={delivery.state} />
    </td>
    <td className="brief">
      {delivery.projected_item_count} / {delivery.item_count}
    </td>
    <td>{feed}</td>
    <td className="brief">
      <Link to="/deliveries/$deliveryId" params={{ deliveryId: delivery.delivery_id }} className="ref">
        {delivery.delivery_id}
      </Link>
    </td>
  </tr>
);

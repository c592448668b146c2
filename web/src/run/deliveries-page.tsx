import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { deliveryStates } from '../../../shared/contract/vocabulary.ts';
import { type Delivery, type DeliveryState, deliveriesQuery } from '../api/queries.ts';
import { Choice } from '../parts/fields.tsx';
import { Listed } from '../parts/listed.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { CopyButton } from '../parts/snippet.tsx';
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
        {alike(deliveries).map((run) => (
          <DeliveryRows
            key={run[0]?.delivery_id}
            deliveries={run}
            provider={providers.get(run[0]?.provider_instance_id ?? '') ?? null}
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

/** So many deliveries in a row that look alike are one row. */
const leastAlike = 3;

/** Deliveries with those beside them that have the same kind, state and provider. */
function alike(deliveries: readonly Delivery[]): Delivery[][] {
  const runs: Delivery[][] = [];
  for (const one of deliveries) {
    const run = runs.at(-1);
    const [first] = run ?? [];
    const isAlike =
      first?.kind === one.kind && first.state === one.state && first.provider_instance_id === one.provider_instance_id;
    if (run && isAlike) run.push(one);
    else runs.push([one]);
  }
  return runs.flatMap((run) => (run.length < leastAlike ? run.map((one) => [one]) : [run]));
}

type DeliveryRowsProps = { readonly deliveries: readonly Delivery[]; readonly provider: string | null };

/** A delivery, or several in one row that opens. */
function DeliveryRows({ deliveries, provider }: DeliveryRowsProps) {
  const [isOpen, setOpen] = useState(false);
  const [first] = deliveries;
  if (first === undefined) return null;
  const isMany = deliveries.length > 1;
  const sum = (of: 'projected_item_count' | 'item_count') => deliveries.reduce((total, one) => total + one[of], 0);
  const kind = first.kind.replaceAll('_', ' ');
  return (
    <>
      <tr>
        <TimeCell at={first.received_at} />
        <td className="brief">
          {isMany ? (
            <button type="button" className="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
              {texts.deliveries.similar(deliveries.length, kind)}
            </button>
          ) : (
            kind
          )}
        </td>
        <StateCell state={first.state} />
        <td className="brief">
          {sum('projected_item_count')} / {sum('item_count')}
        </td>
        <td>{provider}</td>
        <td className="brief">{!isMany && <DeliveryId id={first.delivery_id} />}</td>
      </tr>
      {isOpen && deliveries.map((one) => <DeliveryRows key={one.delivery_id} deliveries={[one]} provider={provider} />)}
    </>
  );
}

const DeliveryId = ({ id }: { readonly id: string }) => (
  <>
    <Link to="/deliveries/$deliveryId" params={{ deliveryId: id }} className="ref" title={id}>
      {id.slice(0, 8)}
    </Link>{' '}
    <CopyButton text={id} name={id.slice(0, 8)} />
  </>
);

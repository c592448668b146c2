import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { deliveryStates } from '../../../shared/contract/vocabulary.ts';
import { type Delivery, type DeliveryState, deliveriesQuery } from '../api/queries.ts';
import { Choice } from '../parts/fields.tsx';
import { Listed } from '../parts/listed.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { useProviderNames } from '../parts/provider-names.ts';
import { CopyButton } from '../parts/snippet.tsx';
import { StateCell } from '../parts/state-badge.tsx';
import { TimeCell } from '../parts/time.tsx';
import { useWorkspace } from '../shell/world.ts';
import { texts } from '../texts.ts';

export function DeliveriesPage() {
  const workspace = useWorkspace();
  const search = useSearch({ strict: false }) as Record<string, string>;
  const state = deliveryStates.find((one) => one === search['state']);
  const query = useInfiniteQuery(deliveriesQuery(workspace?.id ?? '', state ? { state } : {}));
  const pages = query.data?.pages;
  const providers = useProviderNames(workspace?.id ?? '');
  const runs = useMemo(() => {
    const all = alike((pages ?? []).flatMap(({ items }) => items));
    return all.map(({ first, deliveries }): Run => {
      return { first, deliveries, provider: providers.get(first.provider_instance_id ?? '') ?? null };
    });
  }, [pages, providers]);
  return (
    <>
      <PageHead title={texts.deliveries.title} lead={texts.deliveries.lead}>
        <StateChoice state={state} />
      </PageHead>
      <Listed
        query={query}
        of={texts.deliveries}
        items={runs}
        sortBy={sortBy}
        row={({ first, deliveries, provider }) => (
          <DeliveryRows key={first.delivery_id} deliveries={deliveries} provider={provider} />
        )}
      />
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

/** Deliveries in one row. */
type Run = { readonly first: Delivery; readonly deliveries: readonly Delivery[]; readonly provider: string | null };

const sortBy = {
  received: ({ first }: Run) => first.received_at,
  kind: ({ first }: Run) => first.kind,
  state: ({ first }: Run) => first.state,
  items: ({ deliveries }: Run) => deliveries.reduce((sum, { item_count }) => sum + item_count, 0),
  provider: ({ provider }: Run) => provider,
};

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
      label={texts.deliveries.headings.state}
      value={state}
      options={stateNames}
      choose={(chosen) => void navigate({ to: '/deliveries', search: { state: chosen } })}
    />
  );
}

/** So many deliveries in a row that look alike are one row. */
const leastAlike = 3;

/** Deliveries with those beside them that have the same kind, state and provider. */
function alike(deliveries: readonly Delivery[]): { readonly first: Delivery; readonly deliveries: Delivery[] }[] {
  const runs: { readonly first: Delivery; readonly deliveries: Delivery[] }[] = [];
  for (const one of deliveries) {
    const run = runs.at(-1);
    const { kind, state, provider_instance_id: provider } = run?.first ?? {};
    if (run && kind === one.kind && state === one.state && provider === one.provider_instance_id)
      run.deliveries.push(one);
    else runs.push({ first: one, deliveries: [one] });
  }
  return runs.flatMap((run) =>
    run.deliveries.length < leastAlike ? run.deliveries.map((one) => ({ first: one, deliveries: [one] })) : [run],
  );
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

import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Delivery } from '../api/queries.ts';
import { StateBadge } from '../parts/state-badge.tsx';
import { Time } from '../parts/time.tsx';
import { texts } from '../texts.ts';
import { useProviderNames } from './provider-names.ts';

/** What is known of a delivery, by name; what is null is left out. */
export function DeliveryFacts({ delivery }: { readonly delivery: Delivery }) {
  const provider = useProviderNames(delivery.workspace_id).get(delivery.provider_instance_id ?? '') ?? null;
  return (
    <dl className="facts">
      {factsOf(delivery, provider)
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

const { facts } = texts.deliveries;

const factsOf = ({ failure, ...delivery }: Delivery, provider: string | null): (readonly [string, ReactNode])[] => [
  [facts.state, <StateBadge key="state" state={delivery.state} />],
  [facts.failure, failure && `${failure.code}: ${failure.message}`],
  [facts.kind, delivery.kind.replaceAll('_', ' ')],
  [
    facts.provider,
    provider && (
      <Link key="provider" to="/providers">
        {provider}
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

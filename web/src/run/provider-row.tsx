import type { Delivery, Provider } from '../api/queries.ts';
import { StateBadge } from '../parts/state-badge.tsx';
import { Time } from '../parts/time.tsx';
import { useWorkspace } from '../shell/world.ts';
import { texts } from '../texts.ts';
import { ProviderHealth } from './provider-health.tsx';

export type SettableStatus = 'active' | 'paused';

type ProviderRowProps = {
  readonly provider: Provider;
  readonly deliveries: readonly Delivery[];
  /** Null for who may not. */
  readonly set: ((status: SettableStatus) => void) | null;
};

/** A provider, how it does, and what is open of it. */
export const ProviderRow = ({ provider, deliveries, set }: ProviderRowProps) => (
  <tr>
    <ProviderName provider={provider} />
    <td>
      <StateBadge state={provider.status} />
    </td>
    <td>
      <ProviderHealth deliveries={deliveries} name={provider.display_name} />
    </td>
    <td>
      <Time at={provider.last_received_at} />
    </td>
    <td>
      <Time at={provider.last_error_at} />
    </td>
    <td>{provider.backlog_count}</td>
    <td>
      {provider.invalid_item_count} / {provider.unresolved_asset_count}
    </td>
    <td>{provider.open_gap_count}</td>
    {set && (
      <td>
        <PauseButton provider={provider} set={set} />
      </td>
    )}
  </tr>
);

function ProviderName({ provider: { display_name, provider_type, connector_id } }: { readonly provider: Provider }) {
  const workspace = useWorkspace();
  const connector = workspace?.connectors.find(({ id }) => id === connector_id)?.name;
  return (
    <th scope="row">
      {display_name}{' '}
      <span className="row-note">{[provider_type.replaceAll('_', ' '), connector].filter(Boolean).join(' · ')}</span>
    </th>
  );
}

type PauseButtonProps = { readonly provider: Provider; readonly set: (status: SettableStatus) => void };

function PauseButton({ provider: { status, display_name }, set }: PauseButtonProps) {
  const isRunning = status === 'active' || status === 'error';
  const label = isRunning ? texts.providers.pause : texts.providers.resume;
  return (
    <button type="button" aria-label={`${label} ${display_name}`} onClick={() => set(isRunning ? 'paused' : 'active')}>
      {label}
    </button>
  );
}

import { useQuery } from '@tanstack/react-query';
import { evidenceClasses, feedTypes } from '../../../shared/contract/vocabulary.ts';
import { api } from '../api/client.ts';
import {
  type Delivery,
  type Provider,
  providerKeysQuery,
  providersQuery,
  type RegisteredKey,
  recentDeliveriesQuery,
} from '../api/queries.ts';
import { healthDays, ProviderHealth } from '../parts/day-bars.tsx';
import { Failure } from '../parts/failure.tsx';
import { OptionField, Suggestions, TextField } from '../parts/fields.tsx';
import { Listed } from '../parts/listed.tsx';
import { NewEntry } from '../parts/modal.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { useProviderNames } from '../parts/provider-names.ts';
import { StateCell } from '../parts/state-badge.tsx';
import { ago, TimeCell } from '../parts/time.tsx';
import { UndoableButton } from '../parts/undoable-button.tsx';
import { useChange } from '../parts/use-change.ts';
import { may, useWorkspace } from '../shell/world.ts';
import { texts } from '../texts.ts';

const sortBy = {
  name: ({ display_name }: Provider) => display_name,
  status: ({ status }: Provider) => status,
  received: ({ last_received_at }: Provider) => last_received_at,
  error: ({ last_error_at }: Provider) => last_error_at,
  backlog: ({ backlog_count }: Provider) => backlog_count,
  trouble: ({ invalid_item_count, unresolved_asset_count }: Provider) => invalid_item_count + unresolved_asset_count,
  gaps: ({ open_gap_count }: Provider) => open_gap_count,
};

const keySortBy = {
  key: ({ provider_key }: RegisteredKey) => provider_key,
  type: ({ provider_type }: RegisteredKey) => provider_type,
  class: (one: RegisteredKey) => one.class,
  name: ({ display_name }: RegisteredKey) => display_name,
};

export function ProvidersPage() {
  const workspace = useWorkspace();
  const workspaceId = workspace?.id ?? '';
  const query = useQuery({ ...providersQuery(workspaceId), refetchInterval: 15_000 });
  const recent = useQuery(recentDeliveriesQuery(workspaceId, healthDays));
  const names = useProviderNames(workspaceId);
  const items = (query.data?.items ?? []).map((one) => ({ ...one, display_name: names.get(one.id) ?? '' }));
  const isAdmin = may(workspace, 'admin');
  const { set, error } = useStatus(workspaceId);
  const { action: _, ...others } = texts.providers.headings;
  return (
    <>
      <PageHead title={texts.providers.title} lead={texts.providers.lead}>
        {!isAdmin && <p>{texts.providers.adminOnly}</p>}
      </PageHead>
      {error && <Failure error={error} />}
      <Listed
        query={query}
        of={isAdmin ? texts.providers : { ...texts.providers, headings: others }}
        items={items}
        sortBy={sortBy}
        row={(provider) => (
          <ProviderRow
            key={provider.id}
            provider={provider}
            deliveries={(recent.data?.items ?? []).filter((one) => one.provider_instance_id === provider.id)}
            set={isAdmin ? (status) => set(provider.id, status) : null}
          />
        )}
      />
      {recent.data?.since && <p className="dim">{texts.providers.healthSince(ago(recent.data.since))}</p>}
      <ProviderKeys workspaceId={workspaceId} isAdmin={isAdmin} />
    </>
  );
}

function useStatus(workspace_id: string) {
  const { change, error } = useChange(['providers', workspace_id]);
  const set = (provider_instance_id: string, status: SettableStatus) =>
    change(() =>
      api.PATCH('/v1/lineage/providers/{provider_instance_id}', {
        params: { path: { provider_instance_id } },
        body: { workspace_id, status },
      }),
    );
  return { set, error };
}

type SettableStatus = 'active' | 'paused';

type ProviderRowProps = {
  readonly provider: Provider;
  readonly deliveries: readonly Delivery[];
  /** Null for who may not. */
  readonly set: ((status: SettableStatus) => void) | null;
};

/** A provider, how it does, and what is open of it. */
const ProviderRow = ({ provider, deliveries, set }: ProviderRowProps) => (
  <tr>
    <ProviderName provider={provider} />
    <StateCell state={provider.status} />
    <td>
      <ProviderHealth deliveries={deliveries} name={provider.display_name} />
    </td>
    <TimeCell at={provider.last_received_at} />
    <TimeCell at={provider.last_error_at} />
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

type ProviderKeysProps = { readonly workspaceId: string; readonly isAdmin: boolean };

/** What kind of source each registered key is, and for an admin a form to register one. */
function ProviderKeys({ workspaceId: workspace_id, isAdmin }: ProviderKeysProps) {
  const of = texts.providers.keys;
  const query = useQuery(providerKeysQuery(workspace_id));
  const { change, submit, error } = useChange(['providers', workspace_id]);
  const path = '/v1/lineage/provider-keys/{provider_instance_id}';
  const remove = (provider_instance_id: string) =>
    change(() => api.DELETE(path, { params: { path: { provider_instance_id }, query: { workspace_id } } }));
  return (
    <section className="stack further" aria-label={of.title}>
      <header className="page-head">
        <div>
          <h2>{of.title}</h2>
          <p>{of.lead}</p>
        </div>
        {isAdmin && (
          <NewEntry
            title={of.new}
            form={(close) => <RegisterKey submit={(request) => submit(request, close)} error={error} />}
          />
        )}
      </header>
      <Listed
        query={query}
        of={of}
        items={query.data?.items ?? []}
        sortBy={keySortBy}
        row={({ id, provider_key, provider_type, class: evidenceClass, display_name }) => (
          <tr key={id}>
            <th scope="row">{provider_key}</th>
            <td>{provider_type.replaceAll('_', ' ')}</td>
            <td>{evidenceClass.replaceAll('_', ' ')}</td>
            <td>{display_name}</td>
            <td>{isAdmin && <UndoableButton label={of.remove} name={provider_key} act={() => remove(id)} />}</td>
          </tr>
        )}
      />
      {error && <Failure error={error} />}
    </section>
  );
}

type RegisterKeyProps = Pick<ReturnType<typeof useChange<unknown>>, 'submit' | 'error'>;

function RegisterKey({ submit, error }: RegisterKeyProps) {
  const workspace = useWorkspace();
  const of = texts.providers.keys;
  const connectors = workspace?.connectors ?? [];
  const register = (form: FormData) => {
    const field = (name: string) => String(form.get(name));
    const evidenceClass = evidenceClasses.find((one) => one === field('class'));
    return api.POST('/v1/lineage/provider-keys', {
      body: {
        workspace_id: workspace?.id ?? '',
        connector_id: connectors.find(({ name }) => name === field('connector'))?.id ?? '',
        provider_key: field('key'),
        provider_type: field('type'),
        ...(evidenceClass && { class: evidenceClass }),
        ...(field('name') && { display_name: field('name') }),
      },
    });
  };
  return (
    <form className="fields" onSubmit={submit(register)}>
      <TextField className="field" label={of.headings.key} name="key" required maxLength={500} />
      <OptionField
        className="field"
        label={texts.connector}
        name="connector"
        options={connectors.map(({ name }) => name)}
      />
      <TextField className="field" label={of.headings.type} name="type" list="feed-types" required maxLength={63} />
      <Suggestions id="feed-types" values={feedTypes} />
      <OptionField className="field" label={of.class} name="class" options={['', ...evidenceClasses]} />
      <TextField className="field" label={of.headings.name} name="name" maxLength={200} />
      <button type="submit" className="primary">
        {of.register}
      </button>
      {error && <Failure error={error} />}
    </form>
  );
}

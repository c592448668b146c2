import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { api } from '../api/client.ts';
import { type Attention, attentionQuery } from '../api/run-queries.ts';
import { Failure } from '../parts/failure.tsx';
import { OptionField, TextField } from '../parts/fields.tsx';
import { NewEntry } from '../parts/modal.tsx';
import { PageHead, PageLink } from '../parts/page-head.tsx';
import { StateBadge } from '../parts/state-badge.tsx';
import { Time } from '../parts/time.tsx';
import { useChange } from '../parts/use-change.ts';
import { may, type Role, useWorkspace } from '../shell/world.ts';
import { texts } from '../texts.ts';

export function AccessPage() {
  const workspace = useWorkspace();
  const workspace_id = workspace?.id ?? '';
  const { role } = useSearch({ strict: false }) as Record<string, string | undefined>;
  const { data, error, isPending } = useQuery(attentionQuery(workspace_id));
  const deciding = useChange(['attention', workspace_id]);
  const decide = (access_request_id: string, decision: 'approve' | 'deny') => {
    const params = { path: { access_request_id }, query: { workspace_id } };
    deciding.change(() => api.POST(`/v1/access/requests/{access_request_id}/${decision}`, { params, body: {} }));
  };
  return (
    <div className="stack">
      <PageHead title={texts.access.title} lead={texts.access.lead}>
        {data && (
          <NewEntry
            title={texts.access.ask}
            startsOpen={role !== undefined}
            form={() => <AccessRequestForm workspaceId={workspace_id} role={role} />}
          />
        )}
      </PageHead>
      {isPending && <p role="status">{texts.loading}</p>}
      {error && <Failure error={error} needs="viewer" />}
      {deciding.error && <Failure error={deciding.error} />}
      {data?.items.length === 0 && <p className="empty">{texts.access.none}</p>}
      {data?.items.map((item) => (
        <AttentionItem key={item.event_id} item={item} decide={(decision) => decide(item.id, decision)} />
      ))}
    </div>
  );
}

type AttentionItemProps = {
  readonly item: Attention;
  readonly decide: (decision: 'approve' | 'deny') => void;
};

/** Something that waits for this person. An admin decides on access requests here. */
function AttentionItem({ item, decide }: AttentionItemProps) {
  const workspace = useWorkspace();
  const { kind, href, title, description, requester, severity, timestamp } = item;
  return (
    <article className="card">
      <h2>{title}</h2>
      <p className="dim">
        <StateBadge state={kind === 'access_request' ? 'open' : severity} /> {requester} <Time at={timestamp} />
      </p>
      {description && <p>{description}</p>}
      {kind !== 'access_request' && <PageLink href={href}>{texts.access.look}</PageLink>}
      {kind === 'access_request' && may(workspace, 'admin') && (
        <p className="field-row">
          <button type="button" className="primary" onClick={() => decide('approve')}>
            {texts.access.approve}
          </button>
          <button type="button" onClick={() => decide('deny')}>
            {texts.access.deny}
          </button>
        </p>
      )}
    </article>
  );
}

const target: readonly Role[] = ['editor', 'admin'];

type AccessRequestFormProps = { readonly workspaceId: string; readonly role: string | undefined };

function AccessRequestForm({ workspaceId, role }: AccessRequestFormProps) {
  const asking = useChange(['attention', workspaceId]);
  const connectors = useWorkspace()?.connectors ?? [];
  const ask = (form: FormData) =>
    api.POST('/v1/access/requests', {
      body: {
        workspace_id: workspaceId,
        connector_id: connectors.find(({ name }) => name === form.get('connector'))?.id ?? '',
        role: target.find((role) => role === form.get('role')) ?? 'editor',
        reason: String(form.get('reason')),
      },
    });
  return (
    <form className="fields" onSubmit={asking.submit(ask)}>
      <div className="field-row">
        <OptionField label={texts.connector} name="connector" options={connectors.map(({ name }) => name)} />
        <OptionField label={texts.access.role} name="role" options={target} defaultValue={role} />
      </div>
      <TextField label={texts.access.reason} name="reason" required maxLength={500} />
      <button type="submit" className="primary" disabled={asking.isPending}>
        {texts.access.send}
      </button>
      {asking.isSuccess && <p role="status">{texts.access.sent}</p>}
      {asking.error && <Failure error={asking.error} needs="viewer" />}
    </form>
  );
}

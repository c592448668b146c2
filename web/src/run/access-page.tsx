import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { api } from '../api/client.ts';
import { attentionQuery } from '../api/run-queries.ts';
import { ConnectorField } from '../parts/connector-choice.tsx';
import { Failure } from '../parts/failure.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { PageLink } from '../parts/page-link.tsx';
import { StateBadge } from '../parts/state-badge.tsx';
import { Time } from '../parts/time.tsx';
import { may, type Role, useWorkspace } from '../shell/world.ts';
import { texts } from '../texts.ts';

/** Who asked for what, and how to ask. */
export function AccessPage() {
  const workspace = useWorkspace();
  const workspace_id = workspace?.id ?? '';
  const queries = useQueryClient();
  const { data, error, isPending, refetch } = useQuery(attentionQuery(workspace_id));
  const deciding = useMutation({
    mutationFn: ({ id, decision }: { readonly id: string; readonly decision: 'approve' | 'deny' }) => {
      const asked = { params: { path: { access_request_id: id }, query: { workspace_id } }, body: {} };
      return decision === 'approve'
        ? api.POST('/v1/access/requests/{access_request_id}/approve', asked)
        : api.POST('/v1/access/requests/{access_request_id}/deny', asked);
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['attention', workspace_id] }),
  });
  return (
    <div className="stack">
      <PageHead title={texts.access.title} lead={texts.access.lead} />
      {isPending && <p role="status">{texts.loading}</p>}
      {error && <Failure error={error} needs="viewer" retry={refetch} />}
      {deciding.error && <Failure error={deciding.error} />}
      {data?.items.length === 0 && <p className="empty">{texts.access.none}</p>}
      {data?.items.map(({ id, event_id, kind, href, title, description, requester, severity, timestamp }) => (
        <article key={event_id} className="card">
          <h2>{title}</h2>
          <p className="dim">
            <StateBadge state={severity} /> {requester} <Time at={timestamp} />
          </p>
          {description && <p>{description}</p>}
          {kind !== 'access_request' && <PageLink href={href}>{texts.access.look}</PageLink>}
          {kind === 'access_request' && may(workspace, 'admin') && (
            <p className="field-row">
              <button type="button" className="primary" onClick={() => deciding.mutate({ id, decision: 'approve' })}>
                {texts.access.approve}
              </button>
              <button type="button" onClick={() => deciding.mutate({ id, decision: 'deny' })}>
                {texts.access.deny}
              </button>
            </p>
          )}
        </article>
      ))}
      {data && <Ask workspaceId={workspace_id} />}
    </div>
  );
}

const wanted: readonly Role[] = ['editor', 'admin'];

function Ask({ workspaceId }: { readonly workspaceId: string }) {
  const queries = useQueryClient();
  const asking = useMutation({
    mutationFn: (form: FormData) =>
      api.POST('/v1/access/requests', {
        body: {
          workspace_id: workspaceId,
          connector_id: String(form.get('connector')),
          role: wanted.find((role) => role === form.get('role')) ?? 'editor',
          reason: String(form.get('reason')),
        },
      }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['attention', workspaceId] }),
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    asking.mutate(new FormData(event.currentTarget));
  };
  return (
    <form className="card fields" onSubmit={submit}>
      <h2>{texts.access.ask}</h2>
      <div className="field-row">
        <ConnectorField />
        <label>
          {texts.access.role}
          <select name="role">
            {wanted.map((role) => (
              <option key={role}>{role}</option>
            ))}
          </select>
        </label>
      </div>
      <label>
        {texts.access.reason}
        <input name="reason" type="text" required maxLength={500} />
      </label>
      <button type="submit" className="primary" disabled={asking.isPending}>
        {texts.access.send}
      </button>
      {asking.isSuccess && <p role="status">{texts.access.sent}</p>}
      {asking.error && <Failure error={asking.error} needs="viewer" />}
    </form>
  );
}

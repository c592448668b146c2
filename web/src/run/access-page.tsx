import { useQuery } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { attentionQuery } from '../api/run-queries.ts';
import { Failure } from '../parts/failure.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { useChange } from '../parts/use-change.ts';
import { useWorkspace } from '../shell/world.ts';
import { texts } from '../texts.ts';
import { AccessRequestForm } from './access-request-form.tsx';
import { AttentionItem } from './attention-item.tsx';

/** Who asked for what, and how to ask. */
export function AccessPage() {
  const workspace = useWorkspace();
  const workspace_id = workspace?.id ?? '';
  const { data, error, isPending, refetch } = useQuery(attentionQuery(workspace_id));
  const deciding = useChange<unknown>(['attention', workspace_id]);
  const decide = (access_request_id: string, decision: 'approve' | 'deny') => {
    const asked = { params: { path: { access_request_id }, query: { workspace_id } }, body: {} };
    deciding.change(() =>
      decision === 'approve'
        ? api.POST('/v1/access/requests/{access_request_id}/approve', asked)
        : api.POST('/v1/access/requests/{access_request_id}/deny', asked),
    );
  };
  return (
    <div className="stack">
      <PageHead title={texts.access.title} lead={texts.access.lead} />
      {isPending && <p role="status">{texts.loading}</p>}
      {error && <Failure error={error} needs="viewer" retry={refetch} />}
      {deciding.error && <Failure error={deciding.error} />}
      {data?.items.length === 0 && <p className="empty">{texts.access.none}</p>}
      {data?.items.map((item) => (
        <AttentionItem key={item.event_id} item={item} decide={(decision) => decide(item.id, decision)} />
      ))}
      {data && <AccessRequestForm workspaceId={workspace_id} />}
    </div>
  );
}

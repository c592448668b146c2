import { useQuery } from '@tanstack/react-query';
import { policyQuery } from '../api/queries.ts';
import { ConnectorChoice, useConnector } from '../parts/connector-choice.tsx';
import { Failure } from '../parts/failure.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { useWorkspace } from '../shell/world.ts';
import { texts } from '../texts.ts';
import { PolicyEditor } from './policy-editor.tsx';

/** What evidence counts for a connector: looked at, tried out, and changed. */
export function PolicyPage() {
  const workspace = useWorkspace();
  const connector = useConnector(workspace);
  const { data, error, isPending, refetch } = useQuery(policyQuery(workspace?.id ?? '', connector));
  if (workspace === null) return null;
  return (
    <>
      <PageHead title={texts.policy.title} lead={texts.policy.lead}>
        <ConnectorChoice workspace={workspace} page="/policy" chosen={connector} />
      </PageHead>
      {isPending && <p role="status">{texts.loading}</p>}
      {error && <Failure error={error} retry={refetch} />}
      {data && <PolicyEditor key={`${connector} ${data.revision}`} policy={data} />}
    </>
  );
}

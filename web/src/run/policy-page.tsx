import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, contentOf } from '../api/client.ts';
import { type Policy, policyQuery } from '../api/queries.ts';
import type { PolicyDraft } from '../api/run-queries.ts';
import { ConnectorChoice, useConnector } from '../parts/connector-choice.tsx';
import { Failure } from '../parts/failure.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { useWorkspace } from '../shell/world.ts';
import { texts } from '../texts.ts';
import { PolicyFields } from './policy-fields.tsx';
import { PolicyPreview } from './policy-preview.tsx';
import { PolicyRevisions } from './policy-revisions.tsx';
import { PolicyWeights } from './policy-weights.tsx';

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
      {data && <Editor key={`${connector} ${data.revision}`} policy={data} />}
    </>
  );
}

function Editor({ policy }: { readonly policy: Policy }) {
  const [draft, setDraft] = useState<PolicyDraft>({ filters: policy.filters, fusion_weights: policy.fusion_weights });
  const [previewed, preview] = useState<PolicyDraft | null>(null);
  /** Fields hold what is written themselves: what is loaded needs new ones. */
  const [generation, setGeneration] = useState(0);
  const { workspace_id, connector_id, revision } = policy;
  const change = (next: PolicyDraft) => {
    setDraft(next);
    preview(null);
  };
  const saving = useSaving(policy, draft);
  return (
    <div className="two">
      <form
        className="card fields"
        onSubmit={(event) => {
          event.preventDefault();
          saving.mutate();
        }}
      >
        <InForce policy={policy} />
        <PolicyFields
          key={`filters ${generation}`}
          filters={draft.filters}
          change={(filters) => change({ ...draft, filters })}
        />
        <PolicyWeights
          weights={draft.fusion_weights}
          change={(fusion_weights) => change({ ...draft, fusion_weights })}
        />
        <div className="field-row">
          <button type="button" onClick={(event) => event.currentTarget.form?.reportValidity() && preview(draft)}>
            {texts.policy.preview}
          </button>
          <button type="submit" className="primary" disabled={saving.isPending}>
            {texts.save}
          </button>
        </div>
        {saving.error && <Failure error={saving.error} />}
      </form>
      <div className="stack">
        <PolicyPreview workspaceId={workspace_id} connectorId={connector_id} revision={revision} draft={previewed} />
        <PolicyRevisions
          policy={policy}
          load={(loaded) => {
            change(loaded);
            setGeneration(generation + 1);
          }}
        />
      </div>
    </div>
  );
}

function useSaving({ workspace_id, connector_id, revision }: Policy, draft: PolicyDraft) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () =>
      contentOf(
        api.PUT('/v1/connectors/{connector_id}/lineage-policy', {
          params: { path: { connector_id } },
          body: { workspace_id, ...draft, expected_revision: revision },
        }),
      ),
    onSuccess: () => queries.invalidateQueries(),
  });
}

const InForce = ({ policy: { revision, repair } }: { readonly policy: Policy }) => (
  <p>
    <strong>{texts.policy.revision(revision)}</strong>{' '}
    <span className="dim">
      {revision > 0 && texts.policy.repair(repair.state, repair.evidence_checked, repair.evidence_total)}
    </span>
  </p>
);

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { api, contentOf } from '../api/client.ts';
import type { Policy } from '../api/queries.ts';
import type { PolicyDraft } from '../api/run-queries.ts';
import { Failure } from '../parts/failure.tsx';
import { texts } from '../texts.ts';
import { PolicyFields } from './policy-fields.tsx';
import { PolicyPreview } from './policy-preview.tsx';
import { PolicyRevisions } from './policy-revisions.tsx';
import { PolicyWeights } from './policy-weights.tsx';

/** A policy as a draft, with what it would change and the revisions that it can be made of. */
export function PolicyEditor({ policy }: { readonly policy: Policy }) {
  const [draft, setDraft] = useState<PolicyDraft>({ filters: policy.filters, fusion_weights: policy.fusion_weights });
  const [previewed, preview] = useState<PolicyDraft | null>(null);
  /** Fields hold what is written themselves: what is loaded needs new ones. */
  const [generation, setGeneration] = useState(0);
  const { workspace_id, connector_id, revision } = policy;
  const change = (next: PolicyDraft) => {
    setDraft(next);
    preview(null);
  };
  const load = (revised: PolicyDraft) => {
    change(revised);
    setGeneration(generation + 1);
  };
  return (
    <div className="two">
      <PolicyForm policy={policy} draft={draft} preview={() => preview(draft)}>
        <PolicyFields key={generation} filters={draft.filters} change={(filters) => change({ ...draft, filters })} />
        <PolicyWeights
          weights={draft.fusion_weights}
          change={(fusion_weights) => change({ ...draft, fusion_weights })}
        />
      </PolicyForm>
      <div className="stack">
        <PolicyPreview workspaceId={workspace_id} connectorId={connector_id} revision={revision} draft={previewed} />
        <PolicyRevisions policy={policy} load={load} />
      </div>
    </div>
  );
}

type PolicyFormProps = {
  readonly policy: Policy;
  readonly draft: PolicyDraft;
  readonly preview: () => void;
  readonly children: ReactNode;
};

function PolicyForm({ policy, draft, preview, children }: PolicyFormProps) {
  const saving = useSaving(policy, draft);
  const save = (event: FormEvent) => {
    event.preventDefault();
    saving.mutate();
  };
  return (
    <form className="card fields" onSubmit={save}>
      <InForce policy={policy} />
      {children}
      <div className="field-row">
        <button type="button" onClick={({ currentTarget }) => currentTarget.form?.reportValidity() && preview()}>
          {texts.policy.preview}
        </button>
        <button type="submit" className="primary" disabled={saving.isPending}>
          {texts.save}
        </button>
      </div>
      {saving.error && <Failure error={saving.error} />}
    </form>
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

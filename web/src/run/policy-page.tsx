import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, contentOf } from '../api/client.ts';
import { type Policy, policyQuery, revisionsQuery } from '../api/queries.ts';
import { ConnectorChoice, useConnector } from '../parts/connector-choice.tsx';
import { Failure } from '../parts/failure.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { Time } from '../parts/time.tsx';
import { useWorkspace } from '../shell/world.ts';
import { texts } from '../texts.ts';
import { PolicyFields } from './policy-fields.tsx';
import { type Preview, previewPolicy } from './policy-preview.ts';

type Filters = Policy['filters'];

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
  const [filters, setFilters] = useState<Filters>(policy.filters);
  /** Fields hold what is written themselves: what is loaded needs new ones. */
  const [generation, setGeneration] = useState(0);
  const { workspace_id, connector_id } = policy;
  const queries = useQueryClient();
  const previewing = useMutation({
    mutationFn: () => previewPolicy(queries, workspace_id, connector_id, filters),
  });
  const saving = useMutation({
    mutationFn: () =>
      contentOf(
        api.PUT('/v1/connectors/{connector_id}/lineage-policy', {
          params: { path: { connector_id } },
          body: { workspace_id, filters, expected_revision: policy.revision },
        }),
      ),
    onSuccess: () => queries.invalidateQueries(),
  });
  const { repair } = policy;
  return (
    <div className="two">
      <form
        className="card fields"
        onSubmit={(event) => {
          event.preventDefault();
          saving.mutate();
        }}
      >
        <p>
          <strong>{texts.policy.revision(policy.revision)}</strong>{' '}
          <span className="dim">
            {policy.revision > 0 && texts.policy.repair(repair.state, repair.evidence_checked, repair.evidence_total)}
          </span>
        </p>
        <PolicyFields
          key={generation}
          filters={filters}
          change={(next) => {
            setFilters(next);
            previewing.reset();
          }}
        />
        <div className="field-row">
          <button type="button" disabled={previewing.isPending} onClick={() => previewing.mutate()}>
            {texts.policy.preview}
          </button>
          <button type="submit" className="primary" disabled={saving.isPending}>
            {texts.save}
          </button>
        </div>
        {saving.error && <Failure error={saving.error} />}
      </form>
      <div className="stack">
        <section className="card" aria-label={texts.policy.previewTitle}>
          <h2>{texts.policy.previewTitle}</h2>
          {previewing.isPending && <p role="status">{texts.policy.previewing}</p>}
          {previewing.error && <Failure error={previewing.error} />}
          {previewing.data && <Previewed preview={previewing.data} />}
          {previewing.isIdle && <p className="dim">{texts.policy.previewHow}</p>}
        </section>
        <Revisions
          workspaceId={workspace_id}
          connectorId={connector_id}
          load={(loaded) => {
            setFilters(loaded);
            setGeneration(generation + 1);
            previewing.reset();
          }}
        />
      </div>
    </div>
  );
}

function Previewed({ preview: { hidden, shown, edges, relations } }: { readonly preview: Preview }) {
  return (
    <div role="status">
      {hidden.length + shown.length === 0 && <p>{texts.policy.previewNone}</p>}
      {[
        { title: texts.policy.wouldHide(hidden.length), list: hidden },
        { title: texts.policy.wouldShow(shown.length), list: shown },
      ]
        .filter(({ list }) => list.length > 0)
        .map(({ title, list }) => (
          <div key={title}>
            <h3>{title}</h3>
            <ul className="plain edges-list">
              {list.map(({ upstream, downstream }) => (
                <li key={`${upstream} ${downstream}`} className="ref">
                  {upstream} → {downstream}
                </li>
              ))}
            </ul>
          </div>
        ))}
      <p className="dim">{texts.policy.previewSample(edges, relations)}</p>
    </div>
  );
}

type RevisionsProps = {
  readonly workspaceId: string;
  readonly connectorId: string;
  readonly load: (filters: Filters) => void;
};

function Revisions({ workspaceId, connectorId, load }: RevisionsProps) {
  const { data, error } = useQuery(revisionsQuery(workspaceId, connectorId));
  return (
    <section className="card">
      <h2>{texts.policy.revisions}</h2>
      {error && <Failure error={error} />}
      {data?.items.length === 0 && <p className="dim">{texts.policy.revisionsNone}</p>}
      <ul className="plain">
        {data?.items.map(({ revision, created_at, created_by, filters }) => (
          <li key={revision} className="field-row">
            <strong>{revision}</strong>
            <span className="dim">
              <Time at={created_at} /> {created_by && texts.policy.by(created_by)}
            </span>
            <button type="button" onClick={() => load(filters)}>
              {texts.policy.load}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

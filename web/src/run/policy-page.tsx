import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useEffect, useState } from 'react';
import { ApiError, api, contentOf } from '../api/client.ts';
import { type Policy, policyQuery, revisionsQuery } from '../api/queries.ts';
import type { PolicyDraft } from '../api/run-queries.ts';
import { ConnectorChoice, useConnector } from '../parts/connector-choice.tsx';
import { Failure } from '../parts/failure.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { focusPage } from '../parts/shortcut.ts';
import { Time } from '../parts/time.tsx';
import { useWorkspace } from '../shell/world.ts';
import { texts } from '../texts.ts';
import { PolicyFields } from './policy-fields.tsx';
import { PolicyPreview } from './policy-preview.tsx';

/** What evidence counts for a connector: looked at, tried out, and changed. */
export function PolicyPage() {
  const workspace = useWorkspace();
  const connector = useConnector(workspace);
  const { data, error, isPending } = useQuery(policyQuery(workspace?.id ?? '', connector));
  const [saved, setSaved] = useState<Saved | null>(null);
  if (workspace === null) return null;
  return (
    <>
      <PageHead title={texts.policy.title} lead={texts.policy.lead}>
        <ConnectorChoice workspace={workspace} page="/policy" chosen={connector} />
      </PageHead>
      {isPending && <p role="status">{texts.loading}</p>}
      {error && <Failure error={error} />}
      {saved?.after.connector_id === connector && (
        <UndoSave key={saved.after.revision} saved={saved} done={() => setSaved(null)} />
      )}
      {data && <PolicyEditor key={`${connector} ${data.revision}`} policy={data} saved={setSaved} />}
    </>
  );
}

/** The policy that a save replaced, and the one that it made. */
type Saved = { readonly before: Policy; readonly after: Policy };

/** Saves the policy of before again, as a revision of its own, unless somebody else has saved one since. */
function UndoSave({ saved: { before, after }, done }: { readonly saved: Saved; readonly done: () => void }) {
  const undoing = useSaving(after, done);
  const { error } = undoing;
  const isConflict = error instanceof ApiError && error.code === 'conflict';
  return (
    <div className="field-row" role="status">
      {isConflict ? texts.policy.undoConflict(after.revision) : texts.policy.saved(after.revision)}
      {!isConflict && (
        <button type="button" disabled={undoing.isPending} onClick={() => undoing.mutate(inPlaceOf(after, before))}>
          {texts.policy.undo}
        </button>
      )}
      {error && !isConflict && <Failure error={error} />}
    </div>
  );
}

/** A draft that replaces a policy. Of a type without a weight of its own JSON sends null, which removes it. */
function inPlaceOf(policy: Policy, { filters, fusion_weights }: PolicyDraft): PolicyDraft {
  const unset = Object.keys(policy.fusion_weights).map((type) => [type, Number.NaN]);
  return { filters, fusion_weights: { ...Object.fromEntries(unset), ...fusion_weights } };
}

type PolicyEditorProps = { readonly policy: Policy; readonly saved: (saved: Saved) => void };

function PolicyEditor({ policy, saved }: PolicyEditorProps) {
  const [draft, setDraft] = useState<PolicyDraft>({ filters: policy.filters, fusion_weights: policy.fusion_weights });
  const [previewed, preview] = useState<PolicyDraft | null>(null);
  useEffect(() => {
    const isChanged = draft.filters !== policy.filters || draft.fusion_weights !== policy.fusion_weights;
    if (!isChanged || !isComplete(draft)) return;
    const timer = setTimeout(() => preview(draft), pauseMs);
    return () => clearTimeout(timer);
  }, [draft, policy]);
  /** Fields hold what is written themselves: what is loaded needs new ones. */
  const [generation, setGeneration] = useState(0);
  const { workspace_id, connector_id, revision } = policy;
  const change = (next: PolicyDraft) => {
    setDraft(next);
    preview(null);
  };
  const load = (revised: PolicyDraft) => {
    change(inPlaceOf(policy, revised));
    setGeneration(generation + 1);
  };
  return (
    <div className="two">
      <PolicyForm {...{ policy, draft, saved }} preview={() => preview(draft)}>
        <PolicyFields
          key={generation}
          connector={connector_id}
          filters={draft.filters}
          change={(filters) => change({ ...draft, filters })}
        />
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

/** The pause in writing after which a draft is previewed. */
const pauseMs = 600;

/** Whether no class lacks its weight and none is beyond its bounds. A type without a weight is NaN, which JSON sends as null. */
const isComplete = ({ fusion_weights }: PolicyDraft): boolean =>
  Object.entries(fusion_weights).every(([name, weight]) => (weight >= 0 && weight <= 1) || (!isClass(name) && !weight));

type PolicyFormProps = {
  readonly policy: Policy;
  readonly draft: PolicyDraft;
  readonly saved: (saved: Saved) => void;
  readonly preview: () => void;
  readonly children: ReactNode;
};

function PolicyForm({ policy, draft, saved, preview, children }: PolicyFormProps) {
  const saving = useSaving(policy, (after) => saved({ before: policy, after }));
  const save = (event: FormEvent) => {
    event.preventDefault();
    saving.mutate(draft);
  };
  return (
    <form
      className="card fields"
      onSubmit={save}
      onKeyDown={({ key, ctrlKey, metaKey, currentTarget }) =>
        key === 'Enter' && (ctrlKey || metaKey) && currentTarget.requestSubmit()
      }
    >
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

function useSaving({ workspace_id, connector_id, revision }: Policy, done: (after: Policy) => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (draft: PolicyDraft) =>
      contentOf(
        api.PUT('/v1/connectors/{connector_id}/lineage-policy', {
          params: { path: { connector_id } },
          body: { workspace_id, ...draft, expected_revision: revision },
        }),
      ),
    onSuccess: (after) => {
      done(after);
      // Fields of the new revision replace the one that had the focus.
      focusPage();
      return queries.invalidateQueries();
    },
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

type Weights = PolicyDraft['fusion_weights'];
type PolicyWeightsProps = { readonly weights: Weights; readonly change: (weights: Weights) => void };

const sources = ['declared', 'openlineage', 'catalog', 'query_log'] as const satisfies readonly (keyof Weights)[];

const isClass = (name: string): name is (typeof sources)[number] => sources.some((source) => source === name);

/** Empty if nothing, or no number, is in the field. */
const weightIn = (weights: Readonly<Record<string, number>>, name: string) => {
  const weight = weights[name] ?? Number.NaN;
  return Number.isNaN(weight) ? '' : weight;
};

const PolicyWeights = ({ weights, change }: PolicyWeightsProps) => (
  // Weights of one's own are in sight, and so is one that is not valid.
  <details
    open={Object.keys(weights).some((name) => !isClass(name))}
    onInvalidCapture={({ currentTarget }) => {
      currentTarget.open = true;
    }}
  >
    <summary>{texts.policy.weights}</summary>
    <div className="field-row">
      {[...sources, ...Object.keys(weights).filter((name) => !isClass(name))].map((source) => (
        <label key={source}>
          {isClass(source) ? texts.policy.weightOf[source] : source}
          <input
            type="number"
            required={isClass(source)}
            placeholder={texts.policy.weightOfClass}
            min={0}
            max={1}
            step="any"
            value={weightIn(weights, source)}
            onChange={({ target }) => change({ ...weights, [source]: target.valueAsNumber })}
          />
        </label>
      ))}
    </div>
  </details>
);

type PolicyRevisionsProps = {
  readonly policy: Policy;
  readonly load: (draft: PolicyDraft) => void;
};

function PolicyRevisions({ policy, load }: PolicyRevisionsProps) {
  const { data, error } = useQuery(revisionsQuery(policy.workspace_id, policy.connector_id));
  return (
    <section className="card" aria-label={texts.policy.revisions}>
      <h2>{texts.policy.revisions}</h2>
      {error && <Failure error={error} />}
      {data?.items.length === 0 && <p className="dim">{texts.policy.revisionsNone}</p>}
      <ol className="plain" reversed>
        {data?.items.map(({ revision, created_at, created_by, filters, fusion_weights }) => (
          <li key={revision} className="field-row">
            <strong>{texts.policy.revisionName(revision)}</strong>
            <span className="dim">
              <Time at={created_at} /> {created_by && texts.policy.by(created_by)}
            </span>
            <button type="button" onClick={() => load({ filters, fusion_weights })}>
              {texts.policy.loadRevision(revision)}
            </button>
          </li>
        ))}
      </ol>
    </section>
  );
}

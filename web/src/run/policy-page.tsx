import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useEffect, useMemo, useState } from 'react';
import { api, contentOf } from '../api/client.ts';
import { type Policy, policyQuery, revisionsQuery } from '../api/queries.ts';
import { type PolicyDraft, previewQuery } from '../api/run-queries.ts';
import { ChangedGraph, drawnChanges } from '../changes/changed-graph.tsx';
import { ConnectorChoice, useConnector } from '../parts/connector-choice.tsx';
import { percent } from '../parts/day-bars.tsx';
import { Failure } from '../parts/failure.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { Time } from '../parts/time.tsx';
import { useWorkspace } from '../shell/world.ts';
import { texts } from '../texts.ts';
import { PolicyFields } from './policy-fields.tsx';

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

function PolicyEditor({ policy }: { readonly policy: Policy }) {
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
    const unset = Object.keys(policy.fusion_weights).map((type) => [type, Number.NaN]);
    change({ ...revised, fusion_weights: { ...Object.fromEntries(unset), ...revised.fusion_weights } });
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

/** The pause in writing after which a draft is previewed. */
const pauseMs = 600;

/** Whether no class lacks its weight and none is beyond its bounds. A type without a weight is NaN, which JSON sends as null. */
const isComplete = ({ fusion_weights }: PolicyDraft): boolean =>
  Object.entries(fusion_weights).every(([name, weight]) => (weight >= 0 && weight <= 1) || (!isClass(name) && !weight));

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
  const { data, error, refetch } = useQuery(revisionsQuery(policy.workspace_id, policy.connector_id));
  return (
    <section className="card" aria-label={texts.policy.revisions}>
      <h2>{texts.policy.revisions}</h2>
      {error && <Failure error={error} retry={refetch} />}
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

type PolicyPreviewProps = {
  readonly workspaceId: string;
  readonly connectorId: string;
  readonly revision: number;
  /** What is looked at; null before that was requested. */
  readonly draft: PolicyDraft | null;
};

/** What a policy would change before it is saved, a part of the graph at a time. */
function PolicyPreview({ workspaceId, connectorId, revision, draft }: PolicyPreviewProps) {
  const { data, error, isFetching, hasNextPage, fetchNextPage, refetch } = useInfiniteQuery(
    previewQuery(workspaceId, connectorId, revision, draft),
  );
  return (
    <section className="card" aria-label={texts.policy.previewTitle} aria-busy={isFetching}>
      <h2>{texts.policy.previewTitle}</h2>
      {draft === null && <p className="dim">{texts.policy.previewHow}</p>}
      {data && <Changes pages={data.pages} connector={connectorId} />}
      {isFetching && <p role="status">{texts.policy.previewing}</p>}
      {error && <Failure error={error} retry={refetch} />}
      {hasNextPage && !isFetching && (
        <p>
          <button type="button" onClick={() => void fetchNextPage()}>
            {texts.policy.previewFurther}
          </button>
        </p>
      )}
    </section>
  );
}

type Page = Awaited<ReturnType<NonNullable<ReturnType<typeof previewQuery>['queryFn']>>>;
type Counted = 'hidden' | 'shown' | 'weighed' | 'unlisted' | 'edges_compared';

/** How the picture draws an edge that would be hidden, shown or weighed. */
const marks = { hidden: 'removed', shown: 'added', weighed: 'changed' } as const;
const kinds = ['hidden', 'shown', 'weighed'] as const;

/** What a draft would change: the edges as a picture, then each with its reason. */
function Changes({ pages, connector }: { readonly pages: readonly Page[]; readonly connector: string }) {
  const sum = (name: Counted) => pages.reduce((total, page) => total + page[name], 0);
  const items = useMemo(() => pages.flatMap((page) => page.items), [pages]);
  const draw = useMemo(() => {
    const edges = items.map(({ upstream, downstream, change, before, after }) => ({
      ...{ upstream, downstream, change: marks[change] },
      confidence: (change === 'hidden' ? before : after).confidence,
    }));
    return (open: readonly string[]) => drawnChanges({ edges }, open);
  }, [items]);
  const changed = kinds.filter((change) => sum(change) > 0);
  return (
    <div role="status">
      {items.length > 0 && (
        <ChangedGraph
          connector={connector}
          draw={draw}
          caption={changed.map((one) => texts.policy.would[one](sum(one)))}
        />
      )}
      {changed.length === 0 && <p>{texts.policy.previewNone}</p>}
      {changed.map((change) => (
        <div key={change}>
          <h3>
            <span className="mark-line" data-mark={marks[change]} /> {texts.policy.would[change](sum(change))}
          </h3>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard. */}
          <ul tabIndex={0} className="plain edges-list" aria-label={texts.policy.would[change](sum(change))}>
            {items
              .filter((item) => item.change === change)
              .map((item) => (
                <li key={`${item.upstream} ${item.downstream}`}>
                  <span className="ref">
                    {item.upstream} → {item.downstream}
                  </span>{' '}
                  <span className="dim">{consequence(item)}</span>
                </li>
              ))}
          </ul>
        </div>
      ))}
      {sum('unlisted') > 0 && <p>{texts.policy.unlisted(sum('unlisted'))}</p>}
      <p className="dim">{texts.policy.previewed(sum('edges_compared'), pages.at(-1)?.next_cursor !== null)}</p>
    </div>
  );
}

/** Why an edge would be hidden, else how its confidence would change. */
function consequence({ change, before, after, dispositions }: Page['items'][number]): string {
  if (change === 'hidden') return dispositions.map((one) => one.replaceAll('_', ' ')).join(', ');
  return texts.policy.confidence(percent(before.confidence), percent(after.confidence));
}

import { useQuery } from '@tanstack/react-query';
import { type Policy, revisionsQuery } from '../api/queries.ts';
import type { PolicyDraft } from '../api/run-queries.ts';
import { Failure } from '../parts/failure.tsx';
import { Time } from '../parts/time.tsx';
import { texts } from '../texts.ts';

type PolicyRevisionsProps = {
  readonly policy: Policy;
  readonly load: (draft: PolicyDraft) => void;
};

/** Every policy that was ever in force, newest first, to be loaded again. */
export function PolicyRevisions({ policy, load }: PolicyRevisionsProps) {
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
            <button
              type="button"
              aria-label={texts.policy.loadRevision(revision)}
              onClick={() => load({ filters, fusion_weights })}
            >
              {texts.policy.load}
            </button>
          </li>
        ))}
      </ol>
    </section>
  );
}

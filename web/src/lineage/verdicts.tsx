import { useQuery } from '@tanstack/react-query';
import { type Verdict, verdicts, verdictWords } from '../../../shared/contract/vocabulary.ts';
import { type Explanation, policyQuery } from '../api/queries.ts';
import { percent } from '../parts/day-bars.tsx';
import { StateBadge } from '../parts/state-badge.tsx';
import { useWorkspace } from '../shell/world.ts';
import { texts } from '../texts.ts';
import type { Address, Change } from './address.ts';
import type { EdgeOfAnswer, Shown } from './answer.ts';

/** How the picture draws edges of a verdict, beside the words for it. */
const VerdictLine = ({ verdict }: { readonly verdict: Verdict }) => (
  <span className="verdict-line" data-verdict={verdict}>
    {verdictWords[verdict]}
  </span>
);

const countOf = (edges: readonly EdgeOfAnswer[], verdict: Verdict): number =>
  edges.filter((edge) => edge.verdict === verdict).length;

/** The verdicts of some edges with their counts, in words. */
export const countedVerdicts = (edges: readonly EdgeOfAnswer[]): string =>
  verdicts
    .filter((verdict) => countOf(edges, verdict) > 0)
    .map((verdict) => `${countOf(edges, verdict).toLocaleString()} ${verdictWords[verdict]}`)
    .join(', ');

type EdgesPanelProps = { readonly shown: Shown; readonly address: Address; readonly change: Change };

/** What declarations and runs say of the edges, and which of them are shown: none checked, all are. */
export const EdgesPanel = ({ shown, address, change }: EdgesPanelProps) => (
  <fieldset className="panel edges-panel">
    <legend className="panel-title">{texts.lineage.edges.title}</legend>
    <p className="dim">{texts.lineage.edges.how}</p>
    {verdicts.map((verdict) => (
      <label key={verdict} className="check">
        <input
          type="checkbox"
          aria-label={verdictWords[verdict]}
          checked={address.verdict.includes(verdict)}
          onChange={({ target }) => {
            const others = address.verdict.filter((one) => one !== verdict);
            change({ verdict: target.checked ? [...others, verdict] : others });
          }}
        />
        <VerdictLine verdict={verdict} />
        <b>{countOf(shown.all.edges, verdict).toLocaleString()}</b>
      </label>
    ))}
    <label className="check">
      <input
        type="checkbox"
        checked={address.stale}
        onChange={({ target }) => change({ stale: target.checked, edge: null })}
      />
      {texts.lineage.showStale}
    </label>
    {shown.paths.length > 0 && <p className="dim ref">{texts.lineage.edges.glyphs}</p>}
    {shown.edges.length > 0 && address.view === 'graph' && <p className="hint">{texts.evidence.choose}</p>}
  </fieldset>
);

type ConfidenceProps = { readonly explanation: Explanation; readonly connector: string };

/** How far an edge is to be trusted, and what would change that. */
export const Confidence = ({ explanation, connector }: ConfidenceProps) => {
  const { confidence, status, verdict, verdict_reason: reason } = explanation;
  return (
    <>
      <div className="confidence">
        <Ring share={confidence} />
        <p>
          <strong>{texts.evidence.confidence(percent(confidence))}</strong> {status && <StateBadge state={status} />}
          <br />
          {verdict && <VerdictLine verdict={verdict} />}
        </p>
      </div>
      {verdict && (
        <p>
          {texts.evidence.verdicts[reason ?? verdict]}{' '}
          <Raise confidence={confidence} verdict={verdict} connector={connector} />
        </p>
      )}
    </>
  );
};

type RaiseProps = { readonly confidence: number; readonly verdict: Verdict; readonly connector: string };

/** How much more the edge would be trusted if the other kind of source had it too, with the weights of the policy. */
function Raise({ confidence, verdict, connector }: RaiseProps) {
  const workspace = useWorkspace();
  const { data } = useQuery({ ...policyQuery(workspace?.id ?? '', connector), retry: false });
  if (data === undefined || verdict === 'confirmed') return null;
  const { declared, openlineage } = data.fusion_weights;
  const other = verdict === 'declared_only' ? openlineage : declared;
  const raised = percent(1 - (1 - confidence) * (1 - other));
  return verdict === 'declared_only'
    ? texts.evidence.runWouldRaise(raised)
    : texts.evidence.declarationWouldRaise(raised);
}

/** A share of one as a part of a ring. */
const Ring = ({ share }: { readonly share: number }) => (
  <svg viewBox="0 0 48 48" width="48" height="48" aria-hidden="true">
    <circle cx="24" cy="24" r="20" />
    <circle
      cx="24"
      cy="24"
      r="20"
      pathLength={100}
      strokeDasharray={`${100 * share} 100`}
      transform="rotate(-90 24 24)"
    />
  </svg>
);

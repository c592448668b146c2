import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { type Explanation, explainQuery } from '../api/queries.ts';
import { Failure } from '../parts/failure.tsx';
import { percent } from '../parts/percent.ts';
import { StateBadge } from '../parts/state-badge.tsx';
import { useWorkspace } from '../shell/world.ts';
import { texts } from '../texts.ts';
import type { Address, Change } from './address.ts';
import { PieceOfEvidence } from './piece-of-evidence.tsx';
import './evidence.css';

type Ends = { readonly upstream: string; readonly downstream: string };
type EvidenceProps = { readonly address: Address; readonly edge: Ends; readonly change: Change };

/** Who says that an edge is there, and how they know. */
export function Evidence({ address, edge, change }: EvidenceProps) {
  const workspace = useWorkspace();
  const id = useId();
  const { data, error, isPending, refetch } = useQuery(
    explainQuery(workspace?.id ?? '', address.connector, edge, address.as_of ?? undefined),
  );
  return (
    <section className="card evidence" aria-labelledby={id}>
      <div className="evidence-head">
        <h2 id={id}>{texts.evidence.title}</h2>
        <button type="button" className="quiet" onClick={() => change({ edge: null })}>
          {texts.close}
        </button>
      </div>
      <p className="ref evidence-edge">
        {edge.upstream} <span aria-hidden="true">→</span> {edge.downstream}
      </p>
      {isPending && <p role="status">{texts.loading}</p>}
      {error && <Failure error={error} needs="viewer" retry={refetch} />}
      {data && <Pieces explanation={data} edge={edge} />}
    </section>
  );
}

function Pieces({ explanation, edge }: { readonly explanation: Explanation; readonly edge: Ends }) {
  if (!explanation.found) return <p>{texts.evidence.none}</p>;
  return (
    <>
      <p>
        {explanation.status && <StateBadge state={explanation.status} />}{' '}
        <strong>{texts.evidence.confidence(percent(explanation.confidence))}</strong>{' '}
        <span className="dim">{texts.evidence.how}</span>
      </p>
      <ul className="plain pieces">
        {explanation.evidence.map((piece) => (
          <PieceOfEvidence
            key={`${piece.provider_instance_id} ${piece.scope_key}`}
            piece={piece}
            upstream={edge.upstream}
          />
        ))}
      </ul>
      {explanation.truncated && <p>{texts.evidence.truncated}</p>}
    </>
  );
}

import './evidence.css';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { type Explanation, explainQuery } from '../api/queries.ts';
import { percent } from '../parts/day-bars.tsx';
import { Failure } from '../parts/failure.tsx';
import { Ref } from '../parts/layer.tsx';
import { StateBadge } from '../parts/state-badge.tsx';
import { Time } from '../parts/time.tsx';
import { may, useWorkspace } from '../shell/world.ts';
import { texts } from '../texts.ts';
import type { Address, Change } from './address.ts';
import { SqlStatement } from './sql-statement.tsx';

type Ends = { readonly upstream: string; readonly downstream: string };
type EvidenceProps = { readonly address: Address; readonly edge: Ends; readonly change: Change };

export function Evidence({ address, edge, change }: EvidenceProps) {
  const workspace = useWorkspace();
  const id = useId();
  const { data, error, isPending, refetch } = useQuery(
    explainQuery(workspace?.id ?? '', address.connector, edge, address.as_of ?? undefined),
  );
  return (
    <section className="evidence" aria-labelledby={id}>
      <div className="evidence-head">
        <h2 id={id}>{texts.evidence.title}</h2>
        <button type="button" className="quiet" onClick={() => change({ edge: null })}>
          {texts.close}
        </button>
      </div>
      <p className="evidence-edge">
        <Ref of={edge.upstream} />
        <span>
          <span aria-hidden="true">→ </span>
          <Ref of={edge.downstream} />
        </span>
      </p>
      {isPending && <p role="status">{texts.loading}</p>}
      {error && <Failure error={error} needs="viewer" retry={refetch} />}
      {data && <Pieces explanation={data} edge={edge} columnsInQuestion={address.column} />}
    </section>
  );
}

type PiecesProps = {
  readonly explanation: Explanation;
  readonly edge: Ends;
  readonly columnsInQuestion: readonly string[];
};

function Pieces({ explanation, edge, columnsInQuestion }: PiecesProps) {
  if (!explanation.found) return <p>{texts.evidence.none}</p>;
  return (
    <>
      <div className="confidence">
        <Ring share={explanation.confidence} />
        <p>
          <strong>{texts.evidence.confidence(percent(explanation.confidence))}</strong>{' '}
          {explanation.status && <StateBadge state={explanation.status} />}
          <br />
          <span className="dim">{texts.evidence.how}</span>
        </p>
      </div>
      <ul className="plain pieces">
        {explanation.evidence.map((piece) => (
          <PieceOfEvidence
            key={`${piece.provider_instance_id} ${piece.scope_key}`}
            piece={piece}
            upstream={edge.upstream}
            columnsInQuestion={columnsInQuestion}
          />
        ))}
      </ul>
      {explanation.truncated && <p>{texts.evidence.truncated}</p>}
    </>
  );
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

type Piece = Explanation['evidence'][number];
type PieceOfEvidenceProps = {
  readonly piece: Piece;
  readonly upstream: string;
  readonly columnsInQuestion: readonly string[];
};

const PieceOfEvidence = ({ piece, upstream, columnsInQuestion }: PieceOfEvidenceProps) => (
  <li className="piece" data-counts={piece.disposition === 'admitted'}>
    <p>
      <strong>{piece.provider_type.replaceAll('_', ' ')}</strong> <StateBadge state={piece.disposition} />{' '}
      <span className="dim">
        {texts.evidence.observed} <Time at={piece.observed_at} />
      </span>
    </p>
    <p>{piece.why.message}</p>
    <Origin piece={piece} />
    <Columns piece={piece} columnsInQuestion={columnsInQuestion} />
    {piece.sql && <SqlStatement sql={piece.sql.text} upstream={[upstream, piece.named_as.upstream]} />}
    {piece.sql?.truncated && <p className="dim">{texts.evidence.sqlCut}</p>}
    <Details piece={piece} />
  </li>
);

type Within = { readonly piece: Piece };

/** What only somebody needs who looks into the service itself. */
const Details = ({ piece: { weight, producer, statement_kind, principal, why, scope_key, said_by } }: Within) => (
  <details>
    <summary>{texts.evidence.details}</summary>
    <dl className="facts">
      <Fact name={texts.evidence.weight} value={percent(weight)} />
      <Fact name={texts.evidence.producer} value={producer && `${producer.namespace} / ${producer.name}`} />
      <Fact name={texts.evidence.statement} value={statement_kind} />
      <Fact name={texts.evidence.principal} value={principal} />
      <Fact name={texts.evidence.rule} value={why.rule} />
      <Fact name={texts.evidence.scope} value={scope_key} />
      <Fact
        name={texts.evidence.place}
        value={said_by.map(({ kind, pointer, name }) => `${name ?? kind.replaceAll('_', ' ')} ${pointer}`).join(', ')}
      />
    </dl>
  </details>
);

const Fact = ({ name, value }: { readonly name: string; readonly value: string | null }) =>
  value ? (
    <>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </>
  ) : null;

const Origin = ({ piece }: Within) => (
  <p>
    {piece.delivery === null ? (
      <span className="dim">{texts.evidence.noDelivery}</span>
    ) : (
      <Link to="/deliveries/$deliveryId" params={{ deliveryId: piece.delivery.delivery_id }}>
        {texts.evidence.delivery} <code>{piece.delivery.delivery_id.slice(0, 8)}</code>
      </Link>
    )}{' '}
    {piece.delivery && <Place piece={piece} />}
  </p>
);

/** Where in the original bytes it stands; only admins may open them. */
function Place({ piece: { delivery, said_by } }: Within) {
  const workspace = useWorkspace();
  if (delivery === null || !may(workspace, 'admin')) return null;
  return (
    <Link
      to="/deliveries/$deliveryId"
      params={{ deliveryId: delivery.delivery_id }}
      search={{ payload: 'yes', at: said_by[0]?.pointer ?? delivery.payload.pointer }}
    >
      {texts.evidence.openPayload}
    </Link>
  );
}

type MapsProps = Within & { readonly columnsInQuestion: readonly string[] };

const Columns = ({ piece: { columns, columns_unresolved }, columnsInQuestion }: MapsProps) => (
  <>
    {columns.length > 0 ? (
      <ColumnMap columns={columns} columnsInQuestion={columnsInQuestion} />
    ) : (
      <p className="dim">{texts.evidence.wholeTable}</p>
    )}
    {columns_unresolved.map(({ column, reason }) => (
      <p key={`${column} ${reason}`} className="dim">
        {column ?? texts.lineage.everyColumn}: {reason.replaceAll('_', ' ')}
      </p>
    ))}
  </>
);

/** The number of columns to show at first, beginning with the requested ones. */
const mapped = 8;

type ColumnMapProps = { readonly columns: Piece['columns']; readonly columnsInQuestion: readonly string[] };

function ColumnMap({ columns, columnsInQuestion }: ColumnMapProps) {
  const [isWhole, setWhole] = useState(false);
  const isRequested = ({ upstream, downstream }: Piece['columns'][number]) =>
    columnsInQuestion.includes(upstream) || (downstream !== null && columnsInQuestion.includes(downstream));
  const sorted = columns.toSorted((a, b) => Number(isRequested(b)) - Number(isRequested(a)));
  const shown = isWhole ? sorted : sorted.slice(0, mapped);
  return (
    <>
      <table className="column-maps" aria-label={texts.columns(columns.length)}>
        <tbody>
          {shown.map((column) => (
            <tr
              key={`${column.upstream} ${column.downstream} ${column.type} ${column.subtype}`}
              data-in-question={isRequested(column)}
            >
              <td className="ref">{column.upstream}</td>
              <td>→</td>
              <td>
                <span className="ref">{column.downstream ?? texts.lineage.everyColumn}</span>{' '}
                <span className="dim">{howOf(column)}</span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {shown.length < columns.length && (
        <button type="button" className="quiet" onClick={() => setWhole(true)}>
          {texts.evidence.allColumns(columns.length)}
        </button>
      )}
    </>
  );
}

/** How a column gets there, unless it is only passed on. */
const howOf = ({ type, subtype, masking }: Piece['columns'][number]): string =>
  [
    type === 'INDIRECT' && texts.evidence.influences,
    subtype?.toLowerCase().replaceAll('_', ' '),
    masking && texts.evidence.masking,
  ]
    .filter(Boolean)
    .join(', ');

import './evidence.css';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useId } from 'react';
import { type Explanation, explainQuery } from '../api/queries.ts';
import { percent } from '../parts/day-bars.tsx';
import { Failure } from '../parts/failure.tsx';
import { StateBadge } from '../parts/state-badge.tsx';
import { Time } from '../parts/time.tsx';
import { may, useWorkspace } from '../shell/world.ts';
import { texts } from '../texts.ts';
import type { Address, Change } from './address.ts';
import { SqlStatement } from './sql-statement.tsx';

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

type Piece = Explanation['evidence'][number];
type PieceOfEvidenceProps = { readonly piece: Piece; readonly upstream: string };

/** One source's evidence for an edge, with its weight and payload. */
const PieceOfEvidence = ({ piece, upstream }: PieceOfEvidenceProps) => (
  <li className="piece" data-counts={piece.disposition === 'admitted'}>
    <p>
      <strong>{piece.provider_type.replaceAll('_', ' ')}</strong> <StateBadge state={piece.disposition} />{' '}
      <span className="dim">
        {texts.evidence.observed} <Time at={piece.observed_at} />
      </span>
    </p>
    <p>{piece.why.message}</p>
    <Facts piece={piece} />
    <Origin piece={piece} />
    <Columns piece={piece} />
    {piece.sql && <SqlStatement sql={piece.sql.text} upstream={[upstream, piece.named_as.upstream]} />}
    {piece.sql?.truncated && <p className="dim">{texts.evidence.sqlCut}</p>}
  </li>
);

type Within = { readonly piece: Piece };

const Facts = ({ piece: { weight, producer, statement_kind, principal, why, scope_key } }: Within) => (
  <dl className="facts">
    <Fact name={texts.evidence.weight} value={percent(weight)} />
    <Fact name={texts.evidence.producer} value={producer && `${producer.namespace} / ${producer.name}`} />
    <Fact name={texts.evidence.statement} value={statement_kind} />
    <Fact name={texts.evidence.principal} value={principal} />
    <Fact name={texts.evidence.rule} value={why.rule} />
    <Fact name={texts.evidence.scope} value={scope_key} />
  </dl>
);

const Fact = ({ name, value }: { readonly name: string; readonly value: string | null }) =>
  value ? (
    <>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </>
  ) : null;

/** The delivery that stated it, and where in its bytes. */
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
  const places = said_by.map(({ kind, pointer, name }) => `${name ?? kind.replaceAll('_', ' ')} ${pointer}`).join(', ');
  return (
    <>
      <span className="dim ref">{places}</span>{' '}
      {delivery && may(workspace, 'admin') && (
        <Link
          to="/deliveries/$deliveryId"
          params={{ deliveryId: delivery.delivery_id }}
          search={{ payload: 'yes', at: said_by[0]?.pointer ?? delivery.payload.pointer }}
        >
          {texts.evidence.openPayload}
        </Link>
      )}
    </>
  );
}

const Columns = ({ piece: { columns, columns_unresolved } }: Within) => (
  <>
    {columns.length > 0 ? <ColumnMaps columns={columns} /> : <p className="dim">{texts.evidence.wholeTable}</p>}
    {columns_unresolved.map(({ column, reason }) => (
      <p key={`${column} ${reason}`} className="dim">
        {column ?? texts.lineage.everyColumn}: {reason.replaceAll('_', ' ')}
      </p>
    ))}
  </>
);

function ColumnMaps({ columns }: { readonly columns: Piece['columns'] }) {
  return (
    <details>
      <summary>{texts.columns(columns.length)}</summary>
      <ul className="plain column-maps">
        {columns.map(({ upstream, downstream, type, subtype, masking }) => (
          <li key={`${upstream} ${downstream} ${type} ${subtype}`}>
            <span className="ref">
              {upstream} → {downstream ?? texts.lineage.everyColumn}
            </span>{' '}
            <span className="dim">
              {type.toLowerCase()}
              {subtype && ` · ${subtype.toLowerCase().replaceAll('_', ' ')}`}
            </span>{' '}
            {masking && <span className="badge">{texts.evidence.masking}</span>}
          </li>
        ))}
      </ul>
    </details>
  );
}

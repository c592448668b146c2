import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useId } from 'react';
import { type Explanation, explainQuery } from '../api/queries.ts';
import { Failure } from '../parts/failure.tsx';
import { percent } from '../parts/percent.ts';
import { StateBadge } from '../parts/state-badge.tsx';
import { Time } from '../parts/time.tsx';
import { may, useWorkspace } from '../shell/world.ts';
import { texts } from '../texts.ts';
import type { Address, Change } from './address.ts';
import { SqlStatement } from './sql-statement.tsx';
import './evidence.css';

type Piece = Explanation['evidence'][number];
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
          <PieceOfEvidence key={`${piece.provider_instance_id} ${piece.scope_key}`} piece={piece} edge={edge} />
        ))}
      </ul>
      {explanation.truncated && <p>{texts.evidence.truncated}</p>}
    </>
  );
}

function PieceOfEvidence({ piece, edge }: { readonly piece: Piece; readonly edge: Ends }) {
  const { delivery, sql, why, columns } = piece;
  return (
    <li className="piece" data-counts={piece.disposition === 'admitted'}>
      <p>
        <strong>{piece.provider_type.replaceAll('_', ' ')}</strong> <StateBadge state={piece.disposition} />{' '}
        <span className="dim">
          {texts.evidence.observed} <Time at={piece.observed_at} />
        </span>
      </p>
      <p>{why.message}</p>
      <dl className="facts">
        <Fact name={texts.evidence.weight} value={percent(piece.weight)} />
        <Fact
          name={texts.evidence.producer}
          value={piece.producer && `${piece.producer.namespace} / ${piece.producer.name}`}
        />
        <Fact name={texts.evidence.statement} value={piece.statement_kind} />
        <Fact name={texts.evidence.principal} value={piece.principal} />
        <Fact name={texts.evidence.rule} value={why.rule} />
        <Fact name={texts.evidence.scope} value={piece.scope_key} />
      </dl>
      <p>
        {delivery === null ? (
          <span className="dim">{texts.evidence.noDelivery}</span>
        ) : (
          <Link to="/deliveries/$deliveryId" params={{ deliveryId: delivery.delivery_id }}>
            {texts.evidence.delivery} <code>{delivery.delivery_id.slice(0, 8)}</code>
          </Link>
        )}{' '}
        {delivery && <Place piece={piece} />}
      </p>
      {columns.length > 0 ? <Columns columns={columns} /> : <p className="dim">{texts.evidence.wholeTable}</p>}
      {piece.columns_unresolved.map(({ column, reason }) => (
        <p key={`${column} ${reason}`} className="dim">
          {column ?? texts.lineage.everyColumn}: {reason.replaceAll('_', ' ')}
        </p>
      ))}
      {sql && <SqlStatement sql={sql.text} upstream={[edge.upstream, piece.named_as.upstream]} />}
      {sql?.truncated && <p className="dim">{texts.evidence.sqlCut}</p>}
    </li>
  );
}

const Fact = ({ name, value }: { readonly name: string; readonly value: string | null }) =>
  value ? (
    <>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </>
  ) : null;

/** Where in the original bytes it stands; only admins may open them. */
function Place({ piece: { delivery, said_by } }: { readonly piece: Piece }) {
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

function Columns({ columns }: { readonly columns: Piece['columns'] }) {
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

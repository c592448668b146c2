import './evidence.css';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { verdictWords } from '../../../shared/contract/vocabulary.ts';
import { type Explanation, explainQuery } from '../api/queries.ts';
import { percent } from '../parts/day-bars.tsx';
import { Failure } from '../parts/failure.tsx';
import { Ref } from '../parts/layer.tsx';
import { useScopeName } from '../parts/provider-names.ts';
import { useShortcut } from '../parts/shortcut.ts';
import { StateBadge } from '../parts/state-badge.tsx';
import { Time } from '../parts/time.tsx';
import { may, useWorkspace } from '../shell/world.ts';
import { texts } from '../texts.ts';
import type { Address, Change } from './address.ts';
import type { EdgeOfAnswer } from './answer.ts';
import { SqlStatement } from './sql-statement.tsx';
import { Confidence } from './verdicts.tsx';

type Ends = { readonly upstream: string; readonly downstream: string };
type EvidenceProps = {
  readonly address: Address;
  readonly edge: Ends;
  /** The edges of the answer, one after the other. */
  readonly edges: readonly EdgeOfAnswer[];
  readonly change: Change;
};

export function Evidence({ address, edge, edges, change }: EvidenceProps) {
  const workspace = useWorkspace();
  const id = useId();
  const { data, error, isPending } = useQuery(
    explainQuery(workspace?.id ?? '', address.connector, edge, address.as_of ?? undefined),
  );
  const at = edges.findIndex(
    ({ upstream, downstream }) => upstream === edge.upstream && downstream === edge.downstream,
  );
  const step = (by: number) => {
    const next = edges.at((at + by) % edges.length);
    if (next) change({ edge: { upstream: next.upstream, downstream: next.downstream } });
  };
  const close = () => change({ edge: null });
  useShortcut('Escape', close);
  useShortcut('n', () => step(1));
  useShortcut('p', () => step(-1));
  return (
    <section className="evidence" aria-labelledby={id}>
      <div className="evidence-head">
        <h2 id={id}>{texts.evidence.title}</h2>
        <button type="button" className="quiet" onClick={close}>
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
      {error && <Failure error={error} needs="viewer" />}
      {data && (
        <Pieces
          explanation={data}
          edge={edge}
          connector={address.connector}
          mappings={edges[at]?.columns ?? []}
          columnsInQuestion={address.column}
        />
      )}
    </section>
  );
}

type MapsProps = {
  /** The mappings of the edge, with a verdict each; none if the answer lacks the edge. */
  readonly mappings: EdgeOfAnswer['columns'];
  readonly columnsInQuestion: readonly string[];
};
type PiecesProps = MapsProps & { readonly explanation: Explanation; readonly edge: Ends; readonly connector: string };

function Pieces({ explanation, edge, connector, ...maps }: PiecesProps) {
  if (!explanation.found) return <p>{texts.evidence.none}</p>;
  return (
    <>
      <Confidence explanation={explanation} connector={connector} />
      <ul className="plain">
        {explanation.evidence.map((piece) => (
          <PieceOfEvidence
            key={`${piece.provider_instance_id} ${piece.scope_key}`}
            piece={piece}
            upstream={edge.upstream}
            {...maps}
          />
        ))}
      </ul>
      {explanation.truncated && <p>{texts.evidence.truncated}</p>}
    </>
  );
}

type Piece = Explanation['evidence'][number];
type PieceOfEvidenceProps = MapsProps & { readonly piece: Piece; readonly upstream: string };

const PieceOfEvidence = ({ piece, upstream, ...maps }: PieceOfEvidenceProps) => (
  <li className="piece" data-counts={isAdmitted(piece)}>
    <p>
      <strong>{piece.provider_type.replaceAll('_', ' ')}</strong>{' '}
      <StateBadge state={isAdmitted(piece) ? 'counts' : 'does_not_count'} />{' '}
      <span className="dim">
        {texts.evidence.observed} <Time at={piece.observed_at} />
      </span>
    </p>
    <p>{isAdmitted(piece) ? texts.evidence.counts : piece.why.message}</p>
    <dl className="facts">
      <Fact name={texts.evidence.saidBy} value={saidBy(piece)} />
      <Fact name={texts.evidence.producer} value={piece.producer?.name} />
      <Fact name={texts.evidence.statement} value={piece.statement_kind?.replaceAll('_', ' ')} />
      <dt>{texts.evidence.origin}</dt>
      <dd>
        <Origin piece={piece} />
      </dd>
    </dl>
    <Columns piece={piece} {...maps} />
    {piece.sql && <SqlStatement sql={piece.sql.text} upstream={[upstream, piece.named_as.upstream]} />}
    {piece.sql?.truncated && <p className="dim">{texts.evidence.sqlCut}</p>}
    <Details piece={piece} />
  </li>
);

type Within = { readonly piece: Piece };

/** What only somebody needs who looks into the service itself. */
const Details = ({ piece: { weight, disposition, producer, principal, why, scope_key, said_by } }: Within) => (
  <details>
    <summary>{texts.evidence.details}</summary>
    <dl className="facts">
      <Fact name={texts.evidence.weight} value={percent(weight)} />
      <Fact name={texts.evidence.disposition} value={disposition.replaceAll('_', ' ')} />
      <Fact name={texts.evidence.namespace} value={producer?.namespace} />
      <Fact name={texts.evidence.principal} value={principal} />
      <Fact name={texts.evidence.rule} value={why.rule} />
      <Fact name={texts.evidence.scope} value={useScopeName()(scope_key)} />
      <Fact name={texts.evidence.place} value={said_by.map(({ pointer }) => pointer).join(', ')} />
    </dl>
  </details>
);

const Fact = ({ name, value }: { readonly name: string; readonly value: string | null | undefined }) =>
  value ? (
    <>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </>
  ) : null;

const isAdmitted = ({ disposition }: Piece): boolean => disposition === 'admitted';

/** The parts of the delivery that state the edge, in words. */
const saidBy = ({ said_by }: Piece): string =>
  [...new Set(said_by.map(({ kind }) => texts.evidence.parts[kind]))].join(', ');

/** The delivery, and where in its bytes it stands; only admins may open those. */
function Origin({ piece: { delivery, said_by } }: Within) {
  const workspace = useWorkspace();
  if (delivery === null) return <span className="dim">{texts.evidence.noDelivery}</span>;
  const { delivery_id, payload } = delivery;
  const link = { to: '/deliveries/$deliveryId', params: { deliveryId: delivery_id } } as const;
  return (
    <>
      <Link {...link}>
        {texts.evidence.delivery} <code>{delivery_id.slice(0, 8)}</code>
      </Link>
      {typeof payload.item_index === 'number' && ` · ${texts.evidence.item(payload.item_index + 1)}`}
      {may(workspace, 'admin') && ' · '}
      {may(workspace, 'admin') && (
        <Link {...link} search={{ payload: 'yes', at: said_by[0]?.pointer ?? payload.pointer }}>
          {texts.deliveries.payload}
        </Link>
      )}
    </>
  );
}

const Columns = ({ piece: { columns, columns_unresolved }, ...maps }: Within & MapsProps) => (
  <>
    {columns.length > 0 ? (
      <ColumnMap columns={columns} {...maps} />
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

function ColumnMap({ columns, mappings, columnsInQuestion }: MapsProps & { readonly columns: Piece['columns'] }) {
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
                <span className="dim">{[howOf(column), verdictOf(column, mappings)].filter(Boolean).join(', ')}</span>
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

/** What declarations and runs say of a mapping. */
function verdictOf(column: Piece['columns'][number], mappings: MapsProps['mappings']): string {
  const own = mappings.find((one) => one.upstream === column.upstream && one.downstream === column.downstream);
  return own?.verdict ? verdictWords[own.verdict] : '';
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

import { Link, useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useMemo } from 'react';
import type { Diff } from '../api/queries.ts';
import { type Address, written } from '../lineage/address.ts';
import type { EdgeOfAnswer, Shown } from '../lineage/answer.ts';
import type { Marks } from '../lineage/flow-elements.ts';
import type { Picture } from '../lineage/groups.ts';
import { TableHead } from '../parts/listed.tsx';
import { StateBadge } from '../parts/state-badge.tsx';
import { texts } from '../texts.ts';

const Graph = lazy(() => import('../lineage/graph.tsx').then((module) => ({ default: module.Graph })));

/** More than this is no picture any more; the tables list all. */
const drawable = 400;

/** What differs, how bad it is, and what it breaks. */
export function DiffAnswer({ diff, connector }: { readonly diff: Diff; readonly connector: string }) {
  const { summary, grade } = diff;
  if (diff.not_evaluated)
    return (
      <section className="card diff-summary" role="status">
        <p className="grade">
          <StateBadge state={grade} />
        </p>
        <p>{diff.not_evaluated.message}</p>
      </section>
    );
  const isSame = diff.relations.length + diff.edges.length + diff.columns.length === 0;
  const all = [
    [texts.changes.relations, summary.relations],
    [texts.changes.edges, summary.edges],
    [texts.changes.columns, summary.columns],
  ] as const;
  return (
    <>
      <section className="card diff-summary" role="status">
        <p className="grade">
          <StateBadge state={grade} />
        </p>
        {all.map(([name, { added, removed, changed }]) => (
          <p key={name}>
            <strong>{name}</strong> {texts.changes.counts(added, removed, changed)}
          </p>
        ))}
        {diff.truncated.unlisted > 0 && <p>{texts.changes.truncated(diff.truncated.unlisted)}</p>}
        {diff.precision.reasons.map(({ relation_ref, reason }) => (
          <p key={relation_ref + reason}>{texts.leavesOut.reason(relation_ref, reason.replaceAll('_', ' '))}</p>
        ))}
      </section>
      {isSame ? <p className="empty">{texts.changes.nothing}</p> : <Parts diff={diff} connector={connector} />}
    </>
  );
}

function Parts({ diff, connector }: { readonly diff: Diff; readonly connector: string }) {
  const { shown, picture, marks } = useMemo(() => diffPicture(diff), [diff]);
  const address = useMemo(() => addressOf(connector), [connector]);
  const navigate = useNavigate();
  return (
    <>
      {picture.relations.length > 0 && picture.relations.length <= drawable && (
        <Suspense fallback={<p role="status">{texts.loading}</p>}>
          <Graph
            shown={shown}
            picture={picture}
            marks={marks}
            address={address}
            undo={null}
            change={({ edge }) =>
              void navigate({
                to: '/lineage',
                search: written({ ...address, relation: edge?.downstream ?? '', edge: edge ?? null }),
              })
            }
          />
        </Suspense>
      )}
      <Relations diff={diff} connector={connector} />
      <Columns diff={diff} />
    </>
  );
}

const headings = [texts.lineage.headings.relation, texts.changes.title, texts.changes.reasons, texts.changes.breaks];

function Relations({ diff, connector }: { readonly diff: Diff; readonly connector: string }) {
  if (diff.relations.length === 0) return null;
  return (
    <section>
      <h2>{texts.changes.relations}</h2>
      <div className="table-frame">
        <table aria-label={texts.changes.relations}>
          <TableHead headings={headings} />
          <tbody>
            {diff.relations.map(({ relation_ref, change, grade, reasons, model, breaks }) => (
              <tr key={relation_ref}>
                <th scope="row">
                  <Link to="/lineage" search={{ connector, relation: relation_ref }} className="ref">
                    {relation_ref}
                  </Link>
                </th>
                <td>
                  <StateBadge state={change} /> <StateBadge state={grade} />
                </td>
                <td>
                  {reasons.map((reason) => reason.replaceAll('_', ' ')).join(', ')}
                  <Clauses model={model} />
                </td>
                <td>
                  <Broken breaks={breaks} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

/** What the model's statement and settings say differently, as both versions write it. */
function Clauses({ model }: { readonly model: Diff['relations'][number]['model'] }) {
  if (model === null) return null;
  const clauses = [
    ...model.differences.map(({ kind, before, after }) => ({ name: kind.replaceAll('_', ' '), before, after })),
    ...model.settings,
  ].filter(({ before, after }) => before !== null || after !== null);
  return (
    <>
      {model.not_compared && <p>{model.not_compared.replaceAll('_', ' ')}</p>}
      <ul className="plain">
        {clauses.map(({ name, before, after }) => (
          <li key={`${name} ${before} ${after}`} title={name}>
            {before !== null && <del className="ref">{before}</del>}{' '}
            {after !== null && <ins className="ref">{after}</ins>}
          </li>
        ))}
      </ul>
    </>
  );
}

function Columns({ diff }: { readonly diff: Diff }) {
  if (diff.columns.length === 0) return null;
  return (
    <section>
      <h2>{texts.changes.columns}</h2>
      <div className="table-frame">
        <table aria-label={texts.changes.columns}>
          <TableHead headings={[texts.lineage.headings.relation, texts.changes.title, texts.changes.breaks]} />
          <tbody>
            {diff.columns.map(({ relation_ref, column, change, grade, breaks }) => (
              <tr key={`${relation_ref} ${column}`}>
                <th scope="row" className="ref">
                  {relation_ref}.{column}
                </th>
                <td>
                  <StateBadge state={change} /> <StateBadge state={grade} />
                </td>
                <td>
                  <Broken breaks={breaks} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function Broken({ breaks }: { readonly breaks: Diff['relations'][number]['breaks'] }) {
  if (breaks.length === 0) return <span className="dim">{texts.changes.breaksNone}</span>;
  return (
    <details>
      <summary>{texts.relations(breaks.length)}</summary>
      <ul className="plain">
        {breaks.map(({ relation_ref, grade, columns }) => (
          <li key={relation_ref}>
            <StateBadge state={grade} /> <span className="ref">{relation_ref}</span>{' '}
            <span className="dim">{columns.join(', ')}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}

/** The changes as the explorer draws lineage: what came, went and changed, and the ends of changed edges. */
function diffPicture(diff: Diff): { readonly shown: Shown; readonly picture: Picture; readonly marks: Marks } {
  const edges = diff.edges.map(edgeOf);
  const relations = new Set([
    ...diff.relations.map(({ relation_ref }) => relation_ref),
    ...diff.edges.flatMap(({ upstream, downstream }) => [upstream, downstream]),
  ]);
  const columns = Map.groupBy(diff.columns, ({ relation_ref }) => relation_ref);
  return {
    shown: { root: '', rows: [], edges, paths: [], hidden: 0, answers: [] },
    picture: {
      relations: [...relations].map((relation) => ({
        id: relation,
        relation,
        row: null,
        columns: (columns.get(relation) ?? []).map(({ column }) => column),
      })),
      groups: [],
      lines: edges.map((edge) => ({
        id: `${edge.upstream}\n${edge.downstream}`,
        source: edge.upstream,
        target: edge.downstream,
        edges: [edge],
      })),
    },
    marks: {
      relations: new Map(diff.relations.map(({ relation_ref, change }) => [relation_ref, change])),
      edges: new Map(diff.edges.map(({ upstream, downstream, change }) => [`${upstream}\n${downstream}`, change])),
    },
  };
}

const edgeOf = ({ upstream, downstream }: Diff['edges'][number]): EdgeOfAnswer => ({
  upstream,
  downstream,
  status: 'active',
  dispositions: [],
  confidence: 1,
  columns: [],
  evidence: [],
});

/** As if the explorer were asked for nothing: a link from the picture leads to the relation that it names. */
const addressOf = (connector: string): Address => ({
  connector,
  relation: '',
  column: [],
  direction: 'both',
  depth: null,
  as_of: null,
  view: 'graph',
  stale: false,
  up: [],
  down: [],
  hide: [],
  open: [],
  edge: null,
  to: null,
});

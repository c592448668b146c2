import './selected-relation.css';
import { useQueries, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { X } from 'lucide-react';
import { useId } from 'react';
import { lastPartsMatcher } from '../../../shared/contract/glob.ts';
import { nameOf } from '../../../shared/contract/layers.ts';
import { explainQuery, relationQuery } from '../api/queries.ts';
import { checkResultsQuery, checksQuery } from '../api/run-queries.ts';
import { LayerIcon, useLayerOf } from '../parts/layer.tsx';
import { Skeleton } from '../parts/leaves-out.tsx';
import { useShortcut } from '../parts/shortcut.ts';
import { CopyButton } from '../parts/snippet.tsx';
import { StateBadge } from '../parts/state-badge.tsx';
import { Time } from '../parts/time.tsx';
import { texts } from '../texts.ts';
import { type Address, askedAbout, type Change, written } from './address.ts';
import type { ColumnPath, Row, Shown } from './answer.ts';
import { type Link as ChainLink, chainBetween } from './chain.ts';

type SelectedProps = {
  readonly workspaceId: string;
  readonly shown: Shown;
  readonly address: Address;
  readonly row: Row;
  readonly change: Change;
};

/** The relation that was clicked: how it hangs on the root, who makes it, and what holds it to rules. */
export function SelectedRelation({ workspaceId, shown, address, row, change }: SelectedProps) {
  const id = useId();
  const { relation, direction, depth } = row;
  const connector = row.connector ?? address.connector;
  const layerOf = useLayerOf();
  const close = () => change({ selected: null });
  useShortcut('Escape', () => address.edge === null && close());
  return (
    <section className="selected" aria-labelledby={id}>
      <div className="selected-head">
        <LayerIcon layer={layerOf(relation, connector)} />
        <div>
          <h2 id={id} title={relation}>
            {nameOf(relation)}
          </h2>
          <p className="dim ref">{relation.slice(0, -nameOf(relation).length)}</p>
          <p className="dim">
            {texts.lineage.steps(depth, direction)} · {row.kind}
          </p>
        </div>
        <button type="button" className="quiet" aria-label={texts.selected.close(nameOf(shown.root))} onClick={close}>
          <X size={16} aria-hidden="true" />
        </button>
      </div>
      <p className="selected-actions">
        <Link
          className="button primary"
          to="/lineage"
          search={written({ ...address, ...askedAbout(connector, relation), ...allBelow })}
        >
          {texts.selected.fromHere}
        </Link>
        <button type="button" onClick={() => change({ hide: [...address.hide, relation], selected: null })}>
          {texts.lineage.hide}
        </button>
        <CopyButton text={relation} label={texts.selected.copy} />
      </p>
      <Why shown={shown} columns={address.column} row={row} />
      <Reached workspaceId={workspaceId} connector={connector} row={row} paths={shown.paths} />
      <Made workspaceId={workspaceId} address={address} connector={connector} relation={relation} />
      <Checks workspaceId={workspaceId} relation={relation} />
    </section>
  );
}

const allBelow = { direction: 'downstream', depth: null, schema: null, verdict: [] } as const;

type WhyProps = Pick<SelectedProps, 'shown' | 'row'> & { readonly columns: readonly string[] };

/** The chain of expressions between the root and the relation. */
function Why({ shown, columns, row }: WhyProps) {
  const chain = chainBetween(shown, columns, row.relation);
  if (chain.length === 0) return null;
  return (
    <>
      <h3>{row.direction === 'upstream' ? texts.selected.whyFeeds : texts.selected.why}</h3>
      <ol className="chain">
        {chain.map(({ relation, column, by }, index) => (
          <li key={`${relation} ${column}`}>
            {index > 0 && <How by={by} />}
            <span title={relation}>
              {nameOf(relation)}
              {column !== null && <b>.{column}</b>}
            </span>
          </li>
        ))}
      </ol>
    </>
  );
}

const How = ({ by }: Pick<ChainLink, 'by'>) => (
  <span className="chain-how" data-change={by?.change}>
    {by?.expression ? <code>{by.expression}</code> : howOf(by)}
  </span>
);

/** What happens to a column on its way, in words. */
const howOf = (path: ColumnPath | null): string => {
  if (path === null) return texts.selected.reads;
  if (path.downstream.column === null) return texts.evidence.influences;
  return path.change ? texts.selected.changes[path.change] : texts.selected.reads;
};

type ReachedProps = {
  readonly workspaceId: string;
  readonly connector: string;
  readonly row: Row;
  readonly paths: readonly ColumnPath[];
};

/** The columns that the question reaches, of all that the relation has. */
function Reached({ workspaceId, connector, row: { relation, columns, direction }, paths }: ReachedProps) {
  const { data } = useQuery(relationQuery(workspaceId, connector, relation));
  if (columns.length === 0) return null;
  const own = paths.filter(({ downstream }) => downstream.relation_ref === relation);
  return (
    <>
      <h3>
        {texts.selected.columns}{' '}
        <span className="dim">{data && texts.start.figures.of(columns.length, data.columns.length)}</span>
      </h3>
      <ul className="plain selected-columns">
        {columns.map((column) => (
          <li key={column}>
            <span className="ref">{column === '*' ? texts.lineage.everyColumn : column}</span>
            {direction === 'downstream' && (
              <span className="dim">{howOf(own.find(({ downstream }) => downstream.column === column) ?? null)}</span>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

type MadeProps = {
  readonly workspaceId: string;
  readonly address: Address;
  readonly connector: string;
  readonly relation: string;
};

/** What makes the relation, by the newest evidence of what it reads, and who reads it. */
function Made({ workspaceId, address, connector, relation }: MadeProps) {
  const { data } = useQuery(relationQuery(workspaceId, connector, relation, address.as_of ?? undefined));
  const edge = data?.edges.find(({ downstream }) => downstream === data.relation_ref);
  const { data: explained } = useQuery({
    ...explainQuery(workspaceId, connector, edge ?? { upstream: '', downstream: '' }, address.as_of ?? undefined),
    enabled: edge !== undefined,
  });
  const isKnown = explained !== undefined || (data !== undefined && edge === undefined);
  const pieces = (explained?.evidence ?? []).toSorted((a, b) => (a.observed_at < b.observed_at ? 1 : -1));
  const run = pieces.find(({ provider_type }) => !isDeclared(provider_type));
  const model = pieces.find(({ provider_type }) => isDeclared(provider_type));
  return (
    <dl className="facts">
      <dt>{texts.selected.lastRun}</dt>
      <dd>
        {run && (
          <>
            <Time at={run.observed_at} /> {texts.selected.by(run.producer?.name ?? run.provider_type)}
          </>
        )}
        {!run && (isKnown ? <span className="dim">{texts.selected.noRun}</span> : <Skeleton />)}
      </dd>
      {model && (
        <>
          <dt>{texts.evidence.producer}</dt>
          <dd>
            <span className="ref">{model.producer?.name}</span>{' '}
            <span className="dim">
              {model.provider_type.replaceAll('_', ' ')}, <Time at={model.observed_at} />
            </span>
          </dd>
        </>
      )}
      <dt>{texts.selected.readers}</dt>
      <dd>{data ? texts.relations(data.downstream_count) : <Skeleton />}</dd>
    </dl>
  );
}

/** Projects and catalogs state what should be; everything else saw it happen. */
const isDeclared = (provider: string): boolean => /^(dbt|sqlmesh|datahub)_?/.test(provider);

/** The checks that are about the relation, with what they found last. */
function Checks({ workspaceId, relation }: { readonly workspaceId: string; readonly relation: string }) {
  const { data } = useQuery(checksQuery(workspaceId));
  const own = (data?.agent_checks ?? []).filter(({ enabled, scope }) => enabled && lastPartsMatcher(scope)(relation));
  const results = useQueries({ queries: own.map(({ id }) => checkResultsQuery(workspaceId, id)) });
  if (data === undefined) return null;
  return (
    <>
      <h3>{texts.checks.title}</h3>
      {own.length === 0 && <p className="dim">{texts.selected.noChecks}</p>}
      <ul className="plain selected-columns">
        {own.map(({ id, name }, index) => {
          const [last] = results[index]?.data?.items ?? [];
          const found = last?.violations.filter(({ relation_ref }) => relation_ref === relation) ?? [];
          return (
            <li key={id}>
              <Link to="/checks">{name}</Link>
              {last && (
                <StateBadge state={last.state === 'failed' && found.length === 0 ? 'passed here' : last.state} />
              )}
              {found.map(({ message }) => (
                <span key={message} className="selected-violation">
                  {message}
                </span>
              ))}
            </li>
          );
        })}
      </ul>
    </>
  );
}

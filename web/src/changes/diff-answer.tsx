import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useMemo, useState } from 'react';
import { headlineOf, limitLines } from '../../../shared/contract/claim-words.ts';
import { type Diff, impactQuery } from '../api/queries.ts';
import { visibleAnswer } from '../lineage/answer.ts';
import { pictureOf } from '../lineage/groups.ts';
import { CsvLink } from '../parts/csv-link.tsx';
import { fullName, Ref } from '../parts/layer.tsx';
import { LeavesOut } from '../parts/leaves-out.tsx';
import { DataTable } from '../parts/listed.tsx';
import { CopyButton } from '../parts/snippet.tsx';
import { StateBadge, StateCell } from '../parts/state-badge.tsx';
import { Prose, Time } from '../parts/time.tsx';
import { texts } from '../texts.ts';
import { ChangeList, changesOf, countsOf, type ListedChange, sections, worst } from './change-list.tsx';
import { ChangedGraph, type Drawn, drawnChanges } from './changed-graph.tsx';
import { SqlSides } from './sql-sides.tsx';
import { WhoToTell } from './who-to-tell.tsx';

type DiffAnswerProps = {
  /** Null while there is none. */
  readonly diff: Diff | null;
  readonly workspaceId: string;
  readonly connector: string;
  /** The form at the top of the list. It keeps its input and its focus when the answer comes. */
  readonly children: ReactNode;
};

export function DiffAnswer({ diff, workspaceId, connector, children }: DiffAnswerProps) {
  const lists = useMemo(() => diff && changesOf(diff), [diff]);
  const changes = lists ? [...lists.goes, ...lists.means, ...lists.comes] : [];
  const [key, choose] = useState<string | null>(null);
  const chosen =
    changes.find((change) => change.key === key) ?? changes.find(({ breaks }) => breaks.length > 0) ?? null;
  const list = { chosen: chosen?.key ?? null, choose: (change: ListedChange) => choose(change.key) };
  return (
    <>
      <aside className="difflist" aria-label={texts.changes.title}>
        {children}
        {diff && <Verdict diff={diff} changes={changes} />}
        {lists &&
          sections.map((section) => (
            <ChangeList key={section} title={texts.changes.lists[section]} changes={lists[section]} {...list} />
          ))}
        {diff?.owners && <WhoToTell diff={diff} owners={diff.owners} />}
      </aside>
      {diff && changes.length > 0 && (
        <ChosenChange key={chosen?.key} diff={diff} change={chosen} workspaceId={workspaceId} connector={connector} />
      )}
    </>
  );
}

type VerdictProps = { readonly diff: Diff; readonly changes: readonly ListedChange[] };

function Verdict({ diff, changes }: VerdictProps) {
  const { summary, grade } = diff;
  if (diff.not_evaluated)
    return (
      <section className="banner" role="status" data-grade={grade}>
        <StateBadge state={grade} />
        <p>
          <Prose text={diff.not_evaluated.message} />
        </p>
      </section>
    );
  // What only adds breaks nothing; it is no verdict on what was there, for there was nothing.
  const isImport = summary.relations.removed + summary.relations.changed + summary.columns.removed === 0;
  const whole = grade === 'not_evaluated' ? grade : worst([grade, ...changes.map((change) => change.grade)]);
  const counts = (['relations', 'edges', 'columns'] as const)
    .map((kind) => texts.changes.counted(kind, summary[kind]))
    .filter((text) => text !== '');
  return (
    <section className="banner" role="status" data-grade={isImport && whole === 'safe' ? 'added' : whole}>
      {isImport && whole === 'safe' ? null : <StateBadge state={whole} />}
      <p>
        <b>{headlineOf(diff)}</b>
      </p>
      <LeavesOut claim={diff.claim} />
      {counts.length > 0 && <p className="dim">{counts.join('; ')}.</p>}
      {diff.kept ? (
        <p className="dim">
          {texts.changes.compared} <Time at={diff.from.as_of} />.{' '}
          {texts.changes.kept(new Date(diff.kept.until).toLocaleDateString())}
        </p>
      ) : (
        <p className="dim">
          {texts.changes.since} <Time at={diff.from.as_of} /> {texts.changes.until} <Time at={diff.to.as_of} />.
        </p>
      )}
      <CopyButton label={texts.copyComment} text={() => commentOf(diff)} />
    </section>
  );
}

/** The comparison as the check of a pull request reports it. */
async function commentOf(diff: Diff): Promise<string> {
  const { diffReport } = await import('../../../shared/domain/lineage/report/diff-report.ts');
  return diffReport(diff, { heading: `### Lineage: ${diff.grade.replaceAll('_', ' ')}\n\n${headlineOf(diff)}` });
}

type ChosenChangeProps = {
  readonly diff: Diff;
  readonly change: ListedChange | null;
  readonly workspaceId: string;
  readonly connector: string;
};

/** The graph of the relations that a change breaks, above their list; without breaking changes, the graph of all. */
function ChosenChange({ diff, change, workspaceId, connector }: ChosenChangeProps) {
  const broken = useBroken(workspaceId, connector, change);
  const model = diff.relations.find(({ relation_ref }) => relation_ref === change?.relation)?.model;
  const draw = useMemo(() => broken ?? ((open: readonly string[]) => drawnChanges(diff, open)), [broken, diff]);
  return (
    <>
      <header className="explorer-head change-head">
        {change && (
          <p>
            <Link to="/lineage" search={{ connector, relation: change.relation }}>
              <Ref of={fullName(change)} />
            </Link>{' '}
            <StateBadge state={change.change} /> {texts.changes.effect(countsOf(change.breaks))}
          </p>
        )}
        {model && change?.column === null && <Clauses model={model} />}
      </header>
      <ChangedGraph
        connector={connector}
        draw={draw}
        caption={[
          ...(change && broken ? [`${fullName(change)}: ${texts.changes.effect(countsOf(change.breaks))}.`] : []),
          headlineOf(diff),
          ...limitLines(diff.claim),
        ]}
      />
      {change && (model?.sql || change.breaks.length > 0) && (
        <div className="affected">
          {model?.sql && <SqlSides sql={model.sql} />}
          {change.breaks.length > 0 && <Affected change={change} connector={connector} />}
        </div>
      )}
    </>
  );
}

/** How to draw what a change breaks, as the live graph has it; null if it breaks nothing or that is still to come. */
function useBroken(workspace_id: string, connector_id: string, change: ListedChange | null) {
  const isRequested = change !== null && change.breaks.length > 0;
  const depth = change?.breaks.reduce((most, one) => Math.max(most, one.depth), 1) ?? 1;
  const { data } = useQuery({
    ...impactQuery({
      ...{ workspace_id, connector_id, relation_ref: change?.relation ?? '', direction: 'downstream' },
      ...(change?.column && { column_ref: [change.column] }),
      max_depth: Math.min(10, depth),
      max_nodes: 500,
    }),
    enabled: isRequested,
    retry: false,
  });
  return useMemo(() => {
    if (!isRequested || data === undefined) return null;
    const shown = visibleAnswer(data, [], { hide: [], verdict: [] });
    const marks = {
      relations: new Map([
        ...change.breaks.map(
          ({ relation_ref, grade }) => [relation_ref, grade === 'breaking' ? 'breaks' : 'may_break'] as const,
        ),
        [shown.root, 'changed'] as const,
      ]),
      edges: new Map<string, string>(),
    };
    return (open: readonly string[]): Drawn => ({
      shown,
      marks,
      picture: pictureOf(shown, open, new Set([shown.root])),
    });
  }, [isRequested, data, change]);
}

const { headings } = texts.lineage;

const affectedHeadings = [headings.relation, texts.changes.breaks, headings.columns, headings.depth];

type AffectedProps = { readonly change: ListedChange; readonly connector: string };

function Affected({ change: { key, breaks }, connector }: AffectedProps) {
  const rows = breaks.toSorted((a, b) => a.depth - b.depth);
  const lines = rows.map((row) => [
    row.relation_ref,
    texts.changes.graded[row.grade],
    row.columns.join(', '),
    String(row.depth),
  ]);
  return (
    <>
      <CsvLink
        title={texts.changes.affected(rows.length)}
        name={key.replace('\n', '.')}
        lines={[affectedHeadings, ...lines]}
      />
      <DataTable title={texts.changes.breaks} headings={affectedHeadings}>
        {rows.map(({ relation_ref, grade, columns, depth }) => (
          <tr key={relation_ref}>
            <th scope="row">
              <Link to="/lineage" search={{ connector, relation: relation_ref }}>
                <Ref of={relation_ref} />
              </Link>
            </th>
            <StateCell state={texts.changes.graded[grade]} />
            <td className="ref">{columns.join(', ')}</td>
            <td>{depth}</td>
          </tr>
        ))}
      </DataTable>
    </>
  );
}

/** What the model's statement and settings say differently, as both versions write it. */
function Clauses({ model }: { readonly model: NonNullable<Diff['relations'][number]['model']> }) {
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

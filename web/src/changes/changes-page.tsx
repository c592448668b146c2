import '../lineage/lineage.css';
import './changes.css';
import { Tab, TabList, TabPanel, TabProvider } from '@ariakit/react';
import { type UseQueryResult, useMutation, useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type DragEvent, type FormEvent, useState } from 'react';
import { joinedClaim } from '../../../shared/contract/claim-words.ts';
import { comparisonQuery, type Diff, diffQuery, providersQuery, type Workspace } from '../api/queries.ts';
import { ConnectorChoice } from '../parts/connector-choice.tsx';
import { Failure } from '../parts/failure.tsx';
import { Choice, TextField } from '../parts/fields.tsx';
import { Presets } from '../parts/presets.tsx';
import { daysAgo, readTime, written } from '../parts/time.tsx';
import { useWorkspace } from '../shell/world.ts';
import { texts } from '../texts.ts';
import { type Branch, compareBranch, readBranch } from './compare-branch.ts';
import { DiffAnswer } from './diff-answer.tsx';

export function ChangesPage() {
  const workspace = useWorkspace();
  return workspace && <Changes workspace={workspace} />;
}

function Changes({ workspace }: { readonly workspace: Workspace }) {
  const search = useSearch({ strict: false }) as Record<string, string | undefined>;
  const { connector = '', comparison } = search;
  const [yesterday] = useState(() => daysAgo(1));
  const from = readTime(search['from'] ?? '') ?? yesterday;
  const to = readTime(search['to'] ?? '') ?? undefined;
  const compared = workspace.connectors.map(({ id }) => id).filter((id) => connector === '' || id === connector);
  const times = useQueries({
    // A comparison of times that nobody sees is not made.
    queries: comparison === undefined ? compared.map((id) => diffQuery(workspace.id, id, from, to)) : [],
    combine: joined,
  });
  const home = useProjectHome(workspace, connector);
  const navigate = useNavigate();
  const client = useQueryClient();
  const branch = useMutation({
    mutationFn: (dropped: Branch) => compareBranch(workspace.id, home ?? '', dropped),
    onSuccess: (diff) => {
      const id = diff.kept?.comparison_id ?? '';
      client.setQueryData(comparisonQuery(workspace.id, id).queryKey, diff);
      void navigate({ to: '/changes', search: { connector: diff.connector_id, comparison: id } });
    },
  });
  const kept = useQuery({ ...comparisonQuery(workspace.id, comparison ?? ''), enabled: comparison !== undefined });
  const shown = branch.isPending || branch.isError ? branch : comparison === undefined ? times : kept;
  const answer = home === null ? null : (shown.data ?? null);
  const requested = (
    <>
      <h1>{texts.changes.title}</h1>
      <TabProvider defaultSelectedId={search['from'] === undefined ? 'branch' : 'times'}>
        <TabList aria-label={texts.changes.kinds} className="tabs">
          <Tab id="branch">{texts.changes.aBranch}</Tab>
          <Tab
            id="times"
            onClick={() => {
              branch.reset();
              void navigate({ to: '/changes', search: (before) => ({ ...before, comparison: undefined }) });
            }}
          >
            {texts.changes.twoTimes}
          </Tab>
        </TabList>
        <TabPanel tabId="branch" focusable={false}>
          {home !== null && (
            <BranchDrop drop={branch.mutate} shown={comparison && (branch.variables?.name ?? texts.changes.aBranch)} />
          )}
        </TabPanel>
        <TabPanel tabId="times" focusable={false}>
          <Presets workspaceId={workspace.id} connector={home ?? ''} />
          <TimesForm key={`${from} ${to}`} from={from} to={to} />
        </TabPanel>
      </TabProvider>
      <ConnectorChoice workspace={workspace} page="/changes" chosen={connector} all />
    </>
  );
  return (
    <div className="canvas-page changes-page" aria-busy={shown.isPending}>
      <DiffAnswer
        diff={answer}
        workspaceId={workspace.id}
        connector={comparison ? (answer?.connector_id ?? '') : (home ?? '')}
      >
        {requested}
        {!answer && shown.isPending && <p role="status">{texts.loading}</p>}
        {!answer && shown.error && <Failure error={shown.error} needs="viewer" />}
      </DiffAnswer>
    </div>
  );
}

function joined(results: UseQueryResult<Diff>[]) {
  const all = results.flatMap(({ data }) => data ?? []);
  const diffs = all.filter((diff) => diff.not_evaluated?.reason !== 'no_base');
  return {
    isPending: results.some(({ isPending }) => isPending),
    error: results.find(({ error }) => error)?.error ?? null,
    // A connector without a graph says nothing about the others.
    data: all.length === results.length ? joinDiffs(diffs.length > 0 ? diffs : all) : undefined,
  };
}

/** The chosen connector, else the one whose project is delivered; null until that is known. */
function useProjectHome(workspace: Workspace, chosen: string): string | null {
  const { data, isPending } = useQuery({ ...providersQuery(workspace.id), enabled: chosen === '' });
  if (chosen !== '') return chosen;
  if (isPending) return null;
  const projects = (data?.items ?? []).filter(({ provider_type }) => /^(dbt|sqlmesh)_/.test(provider_type));
  return projects.find(({ connector_id }) => connector_id)?.connector_id ?? workspace.connectors[0]?.id ?? '';
}

const grades = ['safe', 'risky', 'breaking'] as const;

/** The changes of several connectors as one list; duplicates are listed once. Undefined if there are none. */
function joinDiffs(diffs: readonly Diff[]): Diff | undefined {
  const [first, ...others] = diffs;
  if (first === undefined || others.length === 0) return first;
  const relations = once(diffs, 'relations', ({ relation_ref }) => relation_ref);
  const edges = once(diffs, 'edges', ({ upstream, downstream }) => `${upstream}\n${downstream}`);
  const columns = once(diffs, 'columns', ({ relation_ref, column }) => `${relation_ref}\n${column}`);
  const graded = (grade: (typeof grades)[number]) => sum(diffs, ({ summary }) => summary.grades[grade]);
  return {
    ...first,
    relations,
    edges,
    columns,
    grade: grades.findLast((grade) => diffs.some((diff) => diff.grade === grade)) ?? 'not_evaluated',
    claim: joinedClaim([first.claim, ...others.map(({ claim }) => claim)]),
    summary: {
      ...{ relations: counted(relations), edges: counted(edges), columns: counted(columns) },
      grades: { safe: graded('safe'), risky: graded('risky'), breaking: graded('breaking') },
    },
    precision: { reasons: diffs.flatMap(({ precision }) => precision.reasons) },
    truncated: {
      any: diffs.some(({ truncated }) => truncated.any),
      by_requests: diffs.some(({ truncated }) => truncated.by_requests),
      by_bytes: diffs.some(({ truncated }) => truncated.by_bytes),
      unlisted: sum(diffs, ({ truncated }) => truncated.unlisted),
      unwalked: sum(diffs, ({ truncated }) => truncated.unwalked),
    },
  };
}

const once = <Key extends 'relations' | 'edges' | 'columns'>(
  diffs: readonly Diff[],
  list: Key,
  keyOf: (one: Diff[Key][number]) => string,
): Diff[Key] =>
  [
    ...new Map(diffs.flatMap((diff) => (diff[list] as Diff[Key][number][]).map((one) => [keyOf(one), one]))).values(),
  ] as Diff[Key];

const sum = (diffs: readonly Diff[], of: (diff: Diff) => number): number =>
  diffs.reduce((total, diff) => total + of(diff), 0);

function counted(list: readonly { readonly change: 'added' | 'removed' | 'changed' }[]) {
  const count = (change: string) => list.filter((one) => one.change === change).length;
  return { added: count('added'), removed: count('removed'), changed: count('changed') };
}

function TimesForm({ from, to }: { readonly from: string; readonly to: string | undefined }) {
  const navigate = useNavigate();
  const [isWrong, setWrong] = useState(false);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const times = timesOf(new FormData(event.currentTarget));
    setWrong(times === null);
    if (times !== null) void navigate({ to: '/changes', search: (before) => ({ ...before, ...times }) });
  };
  return (
    <form className="fields" onSubmit={submit}>
      <div className="field-row">
        <TextField label={texts.changes.from} name="from" defaultValue={written(from)} title={texts.asOf.hint} />
        <TextField
          label={texts.changes.to}
          name="to"
          defaultValue={to === undefined ? '' : written(to)}
          placeholder={texts.asOf.now}
          title={texts.asOf.hint}
        />
        <button type="submit" className="primary">
          {texts.changes.compare}
        </button>
      </div>
      {isWrong && (
        <p role="alert" className="field-error">
          {texts.asOf.invalid}
        </p>
      )}
    </form>
  );
}

/** Null where one of them is no time. */
function timesOf(form: FormData): { readonly from: string; readonly to: string | undefined } | null {
  const [first, last] = [String(form.get('from')), String(form.get('to'))];
  const [from, to] = [readTime(first), readTime(last)];
  return from === null || (last.trim() !== '' && to === null) ? null : { from, to: to ?? undefined };
}

const problems = { no_json: texts.changes.invalidFile, unknown: texts.changes.unknownFile } as const;

type Matching = Pick<Branch, 'projectId' | 'matchBy'>;

type BranchDropProps = {
  readonly drop: (branch: Branch) => void;
  /** The file of the branch that is shown, if one is. */
  readonly shown: string | undefined;
};

function BranchDrop({ drop, shown }: BranchDropProps) {
  const [problem, setProblem] = useState<keyof typeof problems | null>(null);
  const [matching, setMatching] = useState<Matching>({ projectId: '', matchBy: 'auto' });
  const take = async (file: File | undefined) => {
    if (file === undefined) return;
    const read = await readBranch(file);
    setProblem(typeof read === 'string' ? read : null);
    if (typeof read !== 'string') drop({ ...read, name: file.name, ...matching });
  };
  const dropTarget = useDropTarget(take);
  return (
    <div className="drop" {...dropTarget}>
      <label className="field">
        <span>
          <strong>{shown === undefined ? texts.changes.drop : texts.changes.branch(shown)}</strong>{' '}
          {shown !== undefined && texts.changes.replace} {texts.changes.choose}
        </span>
        <input type="file" accept=".json,application/json" onChange={({ target }) => take(target.files?.[0])} />
      </label>
      <details>
        <summary>{texts.changes.options}</summary>
        <div className="field-row">
          <TextField
            className="field"
            label={texts.changes.projectId}
            value={matching.projectId}
            onChange={({ target }) => setMatching({ ...matching, projectId: target.value })}
          />
          <Choice
            className="field"
            label={texts.changes.matchBy}
            value={matching.matchBy}
            options={matches}
            choose={(matchBy) => setMatching({ ...matching, matchBy })}
          />
        </div>
      </details>
      {problem && (
        <p role="alert" className="field-error">
          {problems[problem]}
        </p>
      )}
    </div>
  );
}

/** What makes an element take a file that is dragged onto it; the file field does the same by the keyboard. */
function useDropTarget(take: (file: File | undefined) => Promise<void>) {
  const [isOver, setOver] = useState(false);
  return {
    'data-over': isOver,
    onDragOver: (event: DragEvent) => {
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      event.preventDefault();
      setOver(false);
      void take(event.dataTransfer.files[0]);
    },
  };
}

const matches = {
  auto: texts.changes.matchAuto,
  relation: texts.changes.matchRelation,
  model: texts.changes.matchModel,
};

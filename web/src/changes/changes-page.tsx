import { type UseQueryResult, useMutation, useQueries, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { type Diff, diffQuery, providersQuery, type Workspace } from '../api/queries.ts';
import { ConnectorChoice } from '../parts/connector-choice.tsx';
import { Failure } from '../parts/failure.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { readTime, written } from '../parts/time.tsx';
import { useWorkspace } from '../shell/world.ts';
import { texts } from '../texts.ts';
import { BranchDrop } from './branch-drop.tsx';
import { type Branch, compareBranch } from './compare-branch.ts';
import { DiffAnswer } from './diff-answer.tsx';
import { joinDiffs } from './join-diffs.ts';
import './changes.css';

const dayMs = 86_400_000;

/** What changed between two times, or what a branch would change. */
export function ChangesPage() {
  const workspace = useWorkspace();
  const { connector = '' } = useSearch({ strict: false }) as Record<string, string>;
  if (workspace === null) return null;
  return (
    <>
      <PageHead title={texts.changes.title} lead={texts.changes.lead}>
        <ConnectorChoice workspace={workspace} page="/changes" chosen={connector} all />
      </PageHead>
      <Changes key={connector} workspace={workspace} connector={connector} />
    </>
  );
}

function Changes({ workspace, connector }: { readonly workspace: Workspace; readonly connector: string }) {
  const search = useSearch({ strict: false }) as Record<string, string | undefined>;
  // To the hour, so that the question stays the same while one looks.
  const [yesterday] = useState(() => new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000 - dayMs).toISOString());
  const from = readTime(search['from'] ?? '') ?? yesterday;
  const to = readTime(search['to'] ?? '') ?? undefined;
  const compared = workspace.connectors.map(({ id }) => id).filter((id) => connector === '' || id === connector);
  const times = useQueries({
    queries: compared.map((id) => diffQuery(workspace.id, id, from, to)),
    combine: joined,
  });
  const home = useProjectHome(workspace, connector);
  const branch = useMutation({ mutationFn: (dropped: Branch) => compareBranch(workspace.id, home ?? '', dropped) });
  const isBranch = branch.isPending || branch.isError || branch.isSuccess;
  const shown = isBranch ? branch : times;
  return (
    <div className="stack">
      <div className="two">
        <Times key={`${from} ${to}`} from={from} to={to} />
        {home !== null && <BranchDrop drop={branch.mutate} />}
      </div>
      {isBranch && (
        <p className="field-row">
          {branch.variables && <strong>{texts.changes.branch(branch.variables.name)}</strong>}
          <button type="button" onClick={branch.reset}>
            {texts.changes.backToTimes}
          </button>
        </p>
      )}
      {shown.isPending && <p role="status">{texts.loading}</p>}
      {shown.error && <Failure error={shown.error} needs="viewer" />}
      {shown.data && home !== null && <DiffAnswer diff={shown.data} connector={home} />}
    </div>
  );
}

function joined(results: UseQueryResult<Diff>[]) {
  const diffs = results.flatMap(({ data }) => data ?? []);
  return {
    isPending: results.some(({ isPending }) => isPending),
    error: results.find(({ error }) => error)?.error ?? null,
    data: diffs.length === results.length ? joinDiffs(diffs) : undefined,
  };
}

/**
 * The connector that a branch's project belongs to: the chosen one, else the one whose project is delivered; null until
 * that is known.
 */
function useProjectHome(workspace: Workspace, chosen: string): string | null {
  const { data, isPending } = useQuery({ ...providersQuery(workspace.id), enabled: chosen === '' });
  if (chosen !== '') return chosen;
  if (isPending) return null;
  const projects = (data?.items ?? []).filter(({ provider_type }) => /^(dbt|sqlmesh)_/.test(provider_type));
  return projects.find(({ connector_id }) => connector_id)?.connector_id ?? workspace.connectors[0]?.id ?? '';
}

/** The two times, as they are written into the address. */
function Times({ from, to }: { readonly from: string; readonly to: string | undefined }) {
  const navigate = useNavigate();
  const [wrong, setWrong] = useState(false);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const [first, last] = [String(form.get('from')), String(form.get('to'))];
    const times = { from: readTime(first) ?? undefined, to: readTime(last) ?? undefined };
    const isWrong = times.from === undefined || (last.trim() !== '' && times.to === undefined);
    setWrong(isWrong);
    if (!isWrong) void navigate({ to: '/changes', search: (before) => ({ ...before, ...times }) });
  };
  return (
    <form className="card fields" onSubmit={submit}>
      <div className="field-row">
        <label>
          {texts.changes.from}
          <input type="text" name="from" defaultValue={written(from)} title={texts.asOf.hint} />
        </label>
        <label>
          {texts.changes.to}
          <input
            type="text"
            name="to"
            defaultValue={to === undefined ? '' : written(to)}
            placeholder={texts.asOf.now}
            title={texts.asOf.hint}
          />
        </label>
        <button type="submit" className="primary">
          {texts.changes.compare}
        </button>
      </div>
      {wrong && (
        <p role="alert" className="field-error">
          {texts.asOf.invalid}
        </p>
      )}
    </form>
  );
}

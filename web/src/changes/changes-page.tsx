import { type UseQueryResult, useMutation, useQueries, useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { type Diff, diffQuery, providersQuery, type Workspace } from '../api/queries.ts';
import { ConnectorChoice } from '../parts/connector-choice.tsx';
import { Failure } from '../parts/failure.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { readTime } from '../parts/time.tsx';
import { useWorkspace } from '../shell/world.ts';
import { texts } from '../texts.ts';
import { BranchDrop } from './branch-drop.tsx';
import { type Branch, compareBranch } from './compare-branch.ts';
import { DiffAnswer } from './diff-answer.tsx';
import { joinDiffs } from './join-diffs.ts';
import { TimesForm } from './times-form.tsx';
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
        <TimesForm key={`${from} ${to}`} from={from} to={to} />
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

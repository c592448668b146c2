import type { LineageDiff } from '../../../../contract/diff.ts';
import type { ConnectorId } from '../../../../contract/ids.ts';
import { compare } from '../../../base/collections.ts';
import { zeroOrder } from '../../graph/order.ts';
import { dbtScope } from '../../ingest/scope-names.ts';
import type { ModelProject } from '../../sources/models/model-project.ts';
import type { GraphQuery } from '../../traversal/graph-view.ts';
import type { LiveProject, LiveScope } from './live-scope.ts';
import type { Matching, NoMatch } from './match-branch.ts';

export type NotEvaluated = NonNullable<LineageDiff['not_evaluated']>;

type ReadFiles = LineageDiff['files'];

/** Projects and files that are named: more is no help. */
const named = 20;

type Sides = {
  readonly branch: ModelProject;
  readonly live: LiveProject;
  readonly files: ReadFiles;
  readonly matching: Matching | NoMatch;
};

/** Why a branch cannot be compared with the live lineage; null if it can (C-DIFF-8). */
export async function notEvaluated(
  query: GraphQuery,
  place: { readonly connectorId: ConnectorId; readonly scopeKey: string },
  { head }: Pick<LiveScope, 'head'>,
  { branch, live, files, matching }: Sides,
): Promise<NotEvaluated | null> {
  const isFound = head !== null && head.order !== zeroOrder;
  if (files && isFound) return files.every(({ problem }) => problem !== null) ? filesNotCompared(files) : null;
  const unmatched = typeof matching === 'string' ? matching : null;
  const reason = files ? 'no_base' : (reasonOf(isFound, branch, live) ?? unmatched);
  if (reason === null) return null;
  const isDbt = branch.root === '/manifest';
  const projects = reason === 'no_base' || reason === 'other_project' ? await pushedProjects(query, place) : [];
  return {
    reason,
    message: messageOf(reason, { isDbt, project: projectOf(place.scopeKey), projects, branch, live }),
    linked_projects: projects,
  };
}

function reasonOf(
  isFound: boolean,
  branch: ModelProject,
  live: LiveProject,
): Exclude<NotEvaluated['reason'], 'files_not_compared' | 'evidence_waits'> | null {
  if (branch.models.every(({ isModel }) => !isModel)) return 'no_models';
  if (isUncompiled([branch])) return 'not_compiled';
  if (!isFound) return 'no_base';
  return isUncompiled(live.projects) && live.unread === null ? 'base_not_compiled' : null;
}

const uncompiled: ReadonlySet<string | null> = new Set(['compiled_code_unavailable', 'rendered_sql_unavailable']);

/** Of a compiled project one statement at least is known. */
function isUncompiled(projects: readonly ModelProject[]): boolean {
  const statements = projects.flatMap(({ models }) => models.flatMap(({ statement }) => statement));
  const missing = statements.filter((one) => one.kind === 'none' && uncompiled.has(one.reason));
  return missing.length > 0 && statements.every(({ kind }) => kind === 'none');
}

async function pushedProjects(
  { reader, context }: GraphQuery,
  { connectorId }: { readonly connectorId: ConnectorId },
): Promise<string[]> {
  const projects = (await projectScopes({ reader, context }, connectorId)).map(({ project }) => project);
  return [...new Set(projects)].sort(compare).slice(0, named);
}

async function projectScopes({ reader, context }: GraphQuery, connectorId: ConnectorId) {
  const heads = await reader.scopes.ofConnector(context.graph, connectorId, 200);
  return heads.flatMap(({ scopeKey, order }) => {
    const project = order === zeroOrder ? null : projectOf(scopeKey);
    return project === null ? [] : [{ scopeKey, project }];
  });
}

/** The scope of the connector's only project, or of the only one with an id, in any environment; else of none. */
export async function scopeOfProject(query: GraphQuery, connectorId: ConnectorId, id: string | undefined) {
  const scopes = await projectScopes(query, connectorId);
  const [only, ...others] = scopes.filter(
    ({ project }) => id === undefined || project === id || project.startsWith(`${id}:`),
  );
  return only && others.length === 0 ? only.scopeKey : `connector:${connectorId}:${dbtScope(id ?? '')}`;
}

const fileProblems: Readonly<Record<NonNullable<NonNullable<ReadFiles>[number]['problem']>, string>> = {
  project_unread: 'the pushed project is not kept or too large, so pass the whole manifest',
  no_model: 'it matches no model of the project',
  ambiguous: 'it matches several models, so pass the name of the relation',
  no_statement: 'the pushed project has no SQL of this model',
  template: 'it is a template, so pass the compiled SQL of target/compiled',
  not_understood: 'its SQL is not understood',
};

/** Of a comparison that found nothing bad, why that proves nothing; null if all files were compared. */
export function filesNotCompared(files: ReadFiles): NotEvaluated | null {
  const found = (files ?? []).flatMap(({ path, problem }) => (problem ? [`${path}: ${fileProblems[problem]}.`] : []));
  if (found.length === 0) return null;
  const message = `${found.length} of ${files?.length} files were not compared. ${found.slice(0, named).join(' ')}`;
  return { reason: 'files_not_compared', message, linked_projects: [] };
}

/** The project of a scope key, without the environment that SQLMesh adds. */
function projectOf(scopeKey: string): string | null {
  const [, , kind, ...name] = scopeKey.split(':');
  return kind === 'dbt-project' || kind === 'sqlmesh-project' ? name.join(':') : null;
}

type BranchProject = Pick<Sides, 'branch' | 'live'> & {
  readonly isDbt: boolean;
  readonly project: string | null;
  readonly projects: readonly string[];
};

function messageOf(
  reason: Exclude<NotEvaluated['reason'], 'files_not_compared' | 'evidence_waits'>,
  { isDbt, project, projects, branch, live }: BranchProject,
): string {
  const document = isDbt ? 'manifest' : 'project';
  switch (reason) {
    case 'no_models':
      return `The ${document} has no models. Check that it is the right file.`;
    case 'not_compiled':
      return isDbt
        ? 'The manifest is not compiled. Run `dbt compile` and try again.'
        : 'The project is not rendered. Export it with its rendered SQL and try again.';
    case 'base_not_compiled':
      return isDbt
        ? 'The manifest that was pushed is not compiled. Run `dbt compile` before `tributary push dbt`, then try again.'
        : 'The project that was pushed is not rendered. Push it with its rendered SQL, then try again.';
    case 'other_project':
      return `The ${document} is of the project ${branch.name}, and the live one is ${live.projects.at(-1)?.name}. Choose the live project of the branch.`;
    case 'nothing_in_common':
      return `No model of the ${document} has the id or the relation of a live model, so there is nothing to compare.`;
    case 'no_base': {
      const others =
        projects.length > 0 ? `Pushed projects: ${projects.join(', ')}.` : 'No project was pushed to this connector.';
      if (project === '') return `Choose the project with project_id. ${others}`;
      return `The project ${project ?? ''} was never pushed to this connector, so there is nothing to compare with. ${others}`;
    }
  }
}

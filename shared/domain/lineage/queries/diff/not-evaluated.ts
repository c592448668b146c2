import type { LineageDiff } from '../../../../contract/diff.ts';
import type { ConnectorId } from '../../../../contract/ids.ts';
import { compare } from '../../../base/collections.ts';
import { zeroOrder } from '../../graph/order.ts';
import type { ModelProject } from '../../sources/models/model-project.ts';
import type { GraphQuery } from '../../traversal/ports.ts';
import type { LiveProject, LiveScope } from './live-scope.ts';

type NotEvaluated = NonNullable<LineageDiff['not_evaluated']>;

/** Projects that are named: more is no help. */
const named = 20;

/** Why a branch cannot be compared with the live lineage; null if it can (C-DIFF-8). */
export async function notEvaluated(
  query: GraphQuery,
  place: { readonly connectorId: ConnectorId; readonly scopeKey: string },
  { head }: Pick<LiveScope, 'head'>,
  { branch, live }: { readonly branch: ModelProject; readonly live: LiveProject },
): Promise<NotEvaluated | null> {
  const reason = reasonOf(head !== null && head.order !== zeroOrder, branch, live);
  if (reason === null) return null;
  const isDbt = branch.root === '/manifest';
  const projects = reason === 'no_base' ? await pushedProjects(query, place) : [];
  return {
    reason,
    message: messageOf(reason, { isDbt, project: projectOf(place.scopeKey), projects }),
    linked_projects: projects,
  };
}

function reasonOf(isFound: boolean, branch: ModelProject, live: LiveProject): NotEvaluated['reason'] | null {
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
  const heads = await reader.scopes.ofConnector(context.graph, connectorId, 200);
  const projects = heads.flatMap(({ scopeKey, order }) => (order === zeroOrder ? [] : (projectOf(scopeKey) ?? [])));
  return [...new Set(projects)].sort(compare).slice(0, named);
}

/** The project of a scope key, without the environment that SQLMesh adds. */
function projectOf(scopeKey: string): string | null {
  const [, , kind, ...name] = scopeKey.split(':');
  return kind === 'dbt-project' || kind === 'sqlmesh-project' ? name.join(':') : null;
}

type BranchProject = { readonly isDbt: boolean; readonly project: string | null; readonly projects: readonly string[] };

function messageOf(reason: NotEvaluated['reason'], { isDbt, project, projects }: BranchProject): string {
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
    case 'no_base': {
      const others =
        projects.length > 0 ? `Pushed projects: ${projects.join(', ')}.` : 'No project was pushed to this connector.';
      return `The project ${project ?? ''} was never pushed to this connector, so there is nothing to compare with. ${others}`;
    }
  }
}

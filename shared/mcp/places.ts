import * as v from 'valibot';
import { allPages } from '../client/pages.ts';
import { routes } from '../contract/api/routes.ts';
import { ConnectorPage, WorkspacePage } from '../contract/workspaces.ts';
import type { ToolContext } from './tool.ts';

/** The arguments do not say which workspace or connector is meant, or one that is not there. */
export class UnknownPlace extends Error {
  override readonly name = 'UnknownPlace';
}

type Named = { readonly workspace?: string | undefined; readonly connector?: string | undefined };

/** The id of the workspace that a call means. Throws UnknownPlace with the names that there are. */
export async function workspaceOf({ api, workspace }: ToolContext, named: Named): Promise<string> {
  const requested = named.workspace ?? workspace;
  if (requested?.startsWith('ws_')) return requested;
  const { items } = v.parse(WorkspacePage, await allPages(api, routes.listWorkspaces, {}));
  return chosen(items, requested, 'workspace');
}

/** The ids of the workspace and the connector that a call means. Throws UnknownPlace. */
export async function placeOf(context: ToolContext, named: Named) {
  const workspace_id = await workspaceOf(context, named);
  const requested = named.connector ?? context.connector;
  if (requested?.startsWith('con_')) return { workspace_id, connector_id: requested };
  const { items } = v.parse(
    ConnectorPage,
    await allPages(context.api, routes.listConnectors, { query: { workspace_id } }),
  );
  return { workspace_id, connector_id: chosen(items, requested, 'connector') };
}

/** The same, without a connector if none is named. */
export async function placeOrWorkspaceOf(context: ToolContext, named: Named) {
  if ((named.connector ?? context.connector) !== undefined) return placeOf(context, named);
  return { workspace_id: await workspaceOf(context, named) };
}

/** The named connector, or the only one that knows the relation (C-IDENTITY-16). Throws UnknownPlace, ApiFailure. */
export async function placeOfRelation(
  context: ToolContext,
  named: Named,
  { relation_ref, as_of }: { readonly relation_ref: string; readonly as_of?: string | undefined },
) {
  const workspace_id = await workspaceOf(context, named);
  const query = { workspace_id };
  if ((named.connector ?? context.connector) !== undefined)
    return placeOf(context, { ...named, workspace: workspace_id });
  const { items } = v.parse(ConnectorPage, await allPages(context.api, routes.listConnectors, { query }));
  const [first, ...others] = items;
  if (first === undefined || others.length === 0)
    return { workspace_id, connector_id: chosen(items, undefined, 'connector') };
  const found = await context.api.ask(routes.getRelation, { query: { workspace_id, relation_ref, as_of } });
  return { workspace_id, connector_id: v.parse(Owned, found).connector_id ?? first.id };
}

const Owned = v.object({ connector_id: v.nullable(v.string()) });

type Item = { readonly id: string; readonly name: string };

function chosen(items: readonly Item[], requested: string | undefined, what: 'workspace' | 'connector'): string {
  const [only, ...others] = items;
  const found =
    requested === undefined && others.length === 0
      ? only
      : items.find(({ id, name }) => [id, name].includes(requested ?? ''));
  if (found) return found.id;
  const names =
    items
      .map(({ name }) => name)
      .sort()
      .join(', ') || 'none';
  throw new UnknownPlace(`Choose a ${what} with the argument "${what}". Available: ${names}.`);
}

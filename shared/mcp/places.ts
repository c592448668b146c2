import * as v from 'valibot';
import { requestItems } from '../client/api.ts';
import { routes } from '../contract/api/routes.ts';
import { NotUnderstood, type ToolContext } from './tool.ts';

export type Named = { readonly workspace?: string | undefined; readonly connector?: string | undefined };

/** The id of the workspace that a call means. Throws NotUnderstood with the names that there are. */
export async function workspaceOf({ api, workspace }: ToolContext, named: Named): Promise<string> {
  const requested = named.workspace ?? workspace;
  if (requested?.startsWith('ws_')) return requested;
  return chosen(await requestItems(api, routes.listWorkspaces), requested, 'workspace');
}

/** The workspace, and the connector if one is named: the routes find the only connector that knows a name. */
export async function placeOf(context: ToolContext, named: Named) {
  const workspace_id = await workspaceOf(context, named);
  const requested = named.connector ?? context.connector;
  if (requested === undefined) return { workspace_id };
  if (requested.startsWith('con_')) return { workspace_id, connector_id: requested };
  return { workspace_id, connector_id: chosen(await connectorsOf(context, workspace_id), requested, 'connector') };
}

/** With a connector in any case: the named one, the workspace's only one, or the only one of those that `select` leaves. */
export async function connectedPlaceOf(
  context: ToolContext,
  named: Named,
  select: (workspace_id: string, connectors: readonly Item[]) => Promise<readonly Item[]>,
) {
  const place = await placeOf(context, named);
  if ('connector_id' in place) return place;
  const { workspace_id } = place;
  const all = await connectorsOf(context, workspace_id);
  const likely = all.length > 1 ? await select(workspace_id, all) : all;
  return { workspace_id, connector_id: chosen(likely.length > 0 ? likely : all, undefined, 'connector') };
}

/** The named connector, or the only one that knows the relation (C-IDENTITY-17). Throws NotUnderstood, ApiFailure. */
export const placeOfRelation = (
  context: ToolContext,
  named: Named,
  { relation_ref, as_of }: { readonly relation_ref: string; readonly as_of?: string | undefined },
) =>
  connectedPlaceOf(context, named, async (workspace_id, connectors) => {
    const found = await context.api.ask(routes.getRelation, { query: { workspace_id, relation_ref, as_of } });
    const { connector_id } = v.parse(Owned, found);
    // A relation that no connector owns is the same one on each.
    return connector_id === null ? connectors.slice(0, 1) : connectors.filter(({ id }) => id === connector_id);
  });

const Owned = v.object({ connector_id: v.nullable(v.string()) });

const connectorsOf = ({ api }: ToolContext, workspace_id: string) =>
  requestItems(api, routes.listConnectors, { query: { workspace_id } });

type Item = { readonly id: string; readonly name: string };

function chosen(items: readonly Item[], requested: string | undefined, what: 'workspace' | 'connector'): string {
  const found = requested === undefined ? items : items.filter(({ id, name }) => [id, name].includes(requested));
  const [only, ...others] = found;
  if (only && others.length === 0) return only.id;
  const candidates = items.map(({ id, name }) => ({ id, name })).sort((a, b) => (a.name < b.name ? -1 : 1));
  const names = candidates.map(({ name }) => name).join(', ') || 'none';
  const code = found.length > 0 ? `ambiguous_${what}` : `unknown_${what}`;
  throw new NotUnderstood(code, `Choose a ${what} with the argument "${what}". Available: ${names}.`, candidates);
}

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
  const asked = named.workspace ?? workspace;
  if (asked?.startsWith('ws_')) return asked;
  const { items } = v.parse(WorkspacePage, await allPages(api, routes.listWorkspaces, {}));
  return chosen(items, asked, 'workspace');
}

/** The ids of the workspace and the connector that a call means. Throws UnknownPlace. */
export async function placeOf(context: ToolContext, named: Named) {
  const workspace_id = await workspaceOf(context, named);
  const asked = named.connector ?? context.connector;
  if (asked?.startsWith('con_')) return { workspace_id, connector_id: asked };
  const { items } = v.parse(
    ConnectorPage,
    await allPages(context.api, routes.listConnectors, { query: { workspace_id } }),
  );
  return { workspace_id, connector_id: chosen(items, asked, 'connector') };
}

type Item = { readonly id: string; readonly name: string };

function chosen(items: readonly Item[], asked: string | undefined, what: 'workspace' | 'connector'): string {
  const [only, ...others] = items;
  const found =
    asked === undefined && others.length === 0 ? only : items.find(({ id, name }) => [id, name].includes(asked ?? ''));
  if (found) return found.id;
  const names =
    items
      .map(({ name }) => name)
      .sort()
      .join(', ') || 'none';
  throw new UnknownPlace(`Say which ${what} is meant, as the argument "${what}". There are: ${names}.`);
}

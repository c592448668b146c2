import type { OpenGraph } from '../../generations/graph-record.ts';
import type { ClaimedEdge, EdgeDetail, EdgeInScope } from '../../graph/derivation.ts';
import { nodeId } from '../../graph/node.ts';
import type { GraphView } from '../../traversal/graph-view.ts';
import { detailsSeen } from '../../traversal/visible-details.ts';
import type { Neighbourhood } from './neighbourhood.ts';

export type NamedColumn = { readonly name: string; readonly scopes: ReadonlySet<EdgeInScope['scope']> };

/** The details of some claims as a view shows them. */
export const readDetails = async (view: GraphView<never, OpenGraph>, claims: readonly ClaimedEdge[]) =>
  claims.length === 0 ? [] : detailsSeen(view, claims, await view.readDetails(claims));

export function columnsNamed(
  { names }: Pick<Neighbourhood, 'names'>,
  details: readonly (EdgeInScope & { readonly detail: EdgeDetail })[],
): ReadonlyMap<string, NamedColumn> {
  const own = new Set(names.map(nodeId));
  const found = new Map<string, { name: string; scopes: Set<EdgeInScope['scope']> }>();
  for (const { from, to, scope, detail } of details)
    for (const { inputColumn, outputColumn } of detail.columns) {
      const columns = [own.has(from) ? inputColumn : null, own.has(to) ? outputColumn : null];
      for (const name of columns.filter((one) => one !== null)) {
        const known = found.get(name.toLowerCase()) ?? { name, scopes: new Set() };
        known.scopes.add(scope);
        found.set(name.toLowerCase(), known);
      }
    }
  return found;
}

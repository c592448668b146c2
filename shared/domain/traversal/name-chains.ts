import { noFacts } from '../graph/claim.ts';
import { nodeId } from '../graph/ids.ts';
import type { Urn } from '../graph/node.ts';
import type { ClaimsView } from './claims-view.ts';

/** Loads the names that aliases and renames lead to, until the end of every chain is known. */
export async function loadNameChains(view: Pick<ClaimsView, 'nodes'>, names: readonly Urn[]): Promise<void> {
  const seen = new Set<Urn>(names);
  let frontier: Urn[] = [...seen];
  while (frontier.length > 0) {
    const next = frontier
      .flatMap((urn) => {
        const facts = view.nodes.factsOf(urn);
        return facts && facts !== noFacts ? [...facts.aliasOf, ...facts.renamedTo.map((rename) => rename.urn)] : [];
      })
      .filter((urn) => !seen.has(urn));
    for (const urn of next) seen.add(urn);
    if (next.length > 0) await view.nodes.loadNames(next.map(nodeId));
    frontier = next;
  }
}

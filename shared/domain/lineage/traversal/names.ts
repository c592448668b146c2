import { sortedBy } from '../../base/collections.ts';
import { type NodeFacts, noFacts } from '../graph/claim.ts';
import { nodeId, nodeOf, type Urn } from '../graph/node.ts';
import type { Micros } from '../graph/order.ts';
import { parseNamespace } from '../names/namespace.ts';
import type { ClaimsView } from './node-view.ts';

/** Chains of renames longer than this are a mistake of the sources, or a circle. */
const maxChainLength = 8;

/** What is known of a node's names; undefined if the node has no page. */
type FactsOf = (urn: Urn) => NodeFacts | undefined;

/** The shown name: of an alias its canonical one, of a dataset renamed since `at` the new one (null: no renames). */
export function currentName(urn: Urn, at: Micros | null, factsOf: FactsOf): Urn {
  // Few names have any, and an answer asks for all of them.
  if ((factsOf(urn) ?? noFacts) === noFacts) return urn;
  let name = canonicalName(urn, factsOf);
  let moment = at;
  for (let step = 0; step < maxChainLength; step++) {
    const rename = moment === null ? undefined : firstRename(factsOf(name), moment);
    if (!rename || rename.urn === name) return name;
    name = canonicalName(rename.urn, factsOf);
    moment = rename.at;
  }
  return urn;
}

/** Follows aliases. In a circle the best name counts, so the order of arrival and the question do not decide. */
function canonicalName(urn: Urn, factsOf: FactsOf): Urn {
  const chain = [urn];
  for (;;) {
    const next = bestOf(factsOf(chain.at(-1) ?? urn)?.aliasOf ?? []);
    if (next === undefined) return chain.at(-1) ?? urn;
    const before = chain.indexOf(next);
    if (before >= 0) return bestOf(chain.slice(before)) ?? urn;
    chain.push(next);
  }
}

/** A relation of a connector before a dataset of none, a table before a path; of several the least. */
const bestOf = (names: readonly Urn[]): Urn | undefined =>
  names.length < 2 ? names[0] : sortedBy(names, rankOf, (urn) => urn)[0];

function rankOf(urn: Urn): number {
  const node = nodeOf(urn);
  if (node.kind === 'relation') return 0;
  if (node.kind !== 'dataset') return 1;
  const { style } = parseNamespace(node.namespace);
  return style === 'path' || style === 'object' ? 2 : 1;
}

function firstRename(facts: NodeFacts | undefined, at: Micros) {
  if (!facts) return undefined;
  return sortedBy(
    facts.renamedTo.filter((rename) => rename.at >= at),
    (one) => one.at,
    ({ urn }) => urn,
  )[0];
}

/** The other names under which claims of this node may stand: its aliases and what it was called before. */
export function alternativeNames(facts: NodeFacts | undefined): Urn[] {
  if (!facts) return [];
  return [...new Set([...facts.aliases, ...facts.renamedFrom.map(({ urn }) => urn)])];
}

/** Whether a DROP ended what was claimed of a node at that time. */
export function isDropped(facts: NodeFacts | undefined, at: Micros | null): boolean {
  return at !== null && facts !== undefined && facts.droppedAt !== null && at <= facts.droppedAt;
}

/** Loads nodes by their names, with every name that their aliases and renames lead to. */
export async function loadNames(view: Pick<ClaimsView, 'nodes'>, urns: readonly Urn[]): Promise<void> {
  await view.nodes.load(urns.map(nodeId));
  await loadNameChains(view, urns);
}

/** The present names of relations, by those under which they were found. */
export async function presentNames(
  view: Pick<ClaimsView, 'nodes'>,
  urns: readonly Urn[],
): Promise<ReadonlyMap<Urn, Urn>> {
  await loadNames(view, urns);
  return new Map(urns.map((urn) => [urn, currentName(urn, null, view.nodes.factsOf)]));
}

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

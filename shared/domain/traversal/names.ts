import type { NodeFacts } from '../graph/claim.ts';
import type { Urn } from '../graph/node.ts';
import type { Micros } from '../graph/order.ts';
import { sortedBy } from '../sorted-by.ts';

/** Chains longer than this are a mistake of the sources, or a circle. */
const maxChainLength = 8;

/** What is known of a node's names; undefined where the node has no page. */
type FactsOf = (urn: Urn) => NodeFacts | undefined;

/**
 * The name under which an edge that was claimed at `at` is shown: an alias is always its canonical name, a renamed
 * dataset its new one for what was seen before the rename. Declared claims (`at` null) follow aliases alone.
 */
export function currentName(urn: Urn, at: Micros | null, factsOf: FactsOf): Urn {
  let name = urn;
  let moment = at;
  for (let step = 0; step < maxChainLength; step++) {
    const facts = factsOf(name);
    const canonical = canonicalOf(facts);
    if (canonical !== null && canonical !== name) {
      name = canonical;
      continue;
    }
    const rename = moment === null ? undefined : firstRename(facts, moment);
    if (!rename || rename.urn === name) return name;
    name = rename.urn;
    moment = rename.at;
  }
  return urn;
}

/** Two sources may call one alias by two names: the least is taken, so that the order of arrival does not decide. */
function canonicalOf(facts: NodeFacts | undefined): Urn | null {
  if (!facts || facts.aliasOf.length === 0) return null;
  return [...facts.aliasOf].sort()[0] ?? null;
}

function firstRename(facts: NodeFacts | undefined, at: Micros) {
  return sortedBy(
    facts?.renamedTo.filter((rename) => rename.at >= at) ?? [],
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

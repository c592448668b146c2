import type { AgentCheckScope } from '../../contract/agent-checks.ts';
import { nodeOf, relationRefOf, type Urn } from '../graph/node.ts';
import { scopeGlobs } from '../policy/glob.ts';

/**
 * Whether a relation is in the scope of a check. A pattern matches a whole `relation_ref`, or its last parts: whoever
 * writes `public.*` does not think of the database.
 */
export function inScope({ include, exclude }: AgentCheckScope): (urn: Urn) => boolean {
  const [included, excluded] = [globsOf(include), globsOf(exclude)];
  return (urn) => {
    const ref = relationRefOf(nodeOf(urn));
    return !excluded(ref) && (include.length === 0 || included(ref));
  };
}

const globsOf = (patterns: readonly string[]) => scopeGlobs(patterns.flatMap((one) => [one, `*.${one}`]));

// What reads a relation and feeds none that is known, so that no edge tells of it (C-OPENLINEAGE-27, C-DATAHUB-4).
import { nodeOf, type ScopeId, type Urn } from '../graph/node.ts';
import { readWithoutOutput } from '../graph/schema.ts';
import { isExpired } from '../names/retention.ts';
import { type LiveSchema, liveSchemas } from './columns-view.ts';
import type { GraphView } from './graph-view.ts';

export type SilentReader = {
  readonly relation: Urn;
  /** Of the job's runs or design, or of the catalog that says so. */
  readonly scope: ScopeId;
  /** ISO time of the last reading. */
  readonly at: string;
};

/** Those of relations that a view has loaded, without jobs that report something else that they feed from them. */
export async function silentReaders(view: GraphView, relations: readonly Urn[]): Promise<SilentReader[]> {
  const isOver = ({ self, node, claim: { kind, scope }, at }: LiveSchema) =>
    kind === 'observed' &&
    (isExpired(view.context, view.asOf, nodeOf(self), at) ||
      view.nodes.firstPage('out', node)?.claims.some((one) => one.scope === scope));
  const found = await liveSchemas(view, relations, (schema) => schema === readWithoutOutput);
  return found.flatMap((one) => (isOver(one) ? [] : [{ relation: one.self, scope: one.claim.scope, at: one.at }]));
}

/** The scope keys of readers. */
export async function keysOf({ scopes }: Pick<GraphView, 'scopes'>, readers: readonly SilentReader[]) {
  await scopes.loadObservers(readers.map(({ scope }) => scope));
  return readers.map(({ scope }) => scopes.get(scope)?.head.scopeKey ?? '');
}

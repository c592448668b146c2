// What reads a relation and feeds none that is known, so that no edge shows it (C-OPENLINEAGE-27, C-DATAHUB-4).
import { findOrAdd } from '../../base/collections.ts';
import { type NodeId, nodeOf, type ScopeId, type Urn } from '../graph/node.ts';
import { readWithoutOutput } from '../graph/schema.ts';
import { isExpired } from '../names/retention.ts';
import { type LiveSchema, liveSchemas } from './columns-view.ts';
import { expand } from './expansion.ts';
import type { GraphView } from './graph-view.ts';

export type SilentReader = {
  readonly relation: Urn;
  /** Of the job's runs or design, or of the catalog that says so. */
  readonly scope: ScopeId;
  /** ISO time of the last reading. */
  readonly at: string;
};

/** Those of relations that a view has loaded, without jobs that report something else that they feed from them. */
export async function silentReaders(
  view: GraphView,
  relations: readonly Urn[],
  { isMadeAgain = false }: { /** Whether what was dropped since counts. */ readonly isMadeAgain?: boolean } = {},
): Promise<SilentReader[]> {
  const isWanted = (schema: NodeId) => schema === readWithoutOutput;
  const found = await liveSchemas(view, relations, { isWanted, isMadeAgain });
  const current = found.filter(
    ({ self, claim, at }) => claim.kind !== 'observed' || !isExpired(view.context, view.asOf, nodeOf(self), at),
  );
  const fed = await feedingScopes(view, current);
  return current.flatMap(({ self, claim: { kind, scope }, at }) =>
    kind === 'observed' && fed.get(self)?.has(scope) ? [] : [{ relation: self, scope, at }],
  );
}

/** Of each relation: what nobody found there counts as not fed. */
const mostNeighbours = 500;

/** The scopes that still say what relations feed: an output that is gone, or was not written lately, is none. */
async function feedingScopes(view: GraphView, readers: readonly LiveSchema[]) {
  const found = new Map<Urn, Set<ScopeId>>();
  if (readers.length === 0) return found;
  const nodes = [...new Set(readers.map(({ self }) => self))];
  const expansion = await expand(view, { side: 'out', nodes });
  for (const { self, other, claims } of (await expansion.next(mostNeighbours * nodes.length)) ?? [])
    for (const { scope, observedAt } of claims)
      if (other !== self && !isExpired(view.context, view.asOf, nodeOf(other), observedAt))
        findOrAdd(found, self, () => new Set()).add(scope);
  return found;
}

/** Relations that are dropped and made again one after the other. */
const longestChain = 8;

/**
 * What read relations, or what these fed, until a drop, and was not seen to read them since (C-OPENLINEAGE-14). Those of
 * relations that are only there while a job runs are found by their neighbours that are gone.
 */
export async function readersBeforeDrop(view: GraphView, relations: readonly Urn[]): Promise<ReadonlySet<Urn>> {
  const readers = new Set<Urn>();
  const wasDropped = (urn: Urn) => (view.nodes.factsOf(urn)?.droppedAt ?? null) !== null;
  const looked = new Set([...relations.filter(wasDropped), ...view.gone]);
  for (let nodes = [...looked], step = 0; nodes.length > 0 && step < longestChain; step++) {
    const expansion = await expand(view, { side: 'out', nodes, isBeforeDrop: true });
    for (const { other, claims } of (await expansion.next(mostNeighbours)) ?? [])
      if (claims.some(({ observedAt }) => !isExpired(view.context, view.asOf, nodeOf(other), observedAt)))
        readers.add(other);
    nodes = [...view.gone].filter((urn) => !looked.has(urn));
    for (const urn of nodes) looked.add(urn);
  }
  return readers;
}

/** The scope keys of readers. */
export async function keysOf({ scopes }: Pick<GraphView, 'scopes'>, readers: readonly SilentReader[]) {
  await scopes.loadObservers(readers.map(({ scope }) => scope));
  return readers.map(({ scope }) => scopes.get(scope)?.head.scopeKey ?? '');
}

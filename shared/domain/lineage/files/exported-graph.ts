// What a service exports, as the statements behind it: an edge was declared, observed, or both.
import * as v from 'valibot';
import { type Verdict, verdicts } from '../../../contract/vocabulary.ts';
import { urnOf } from '../graph/node.ts';
import { microsOfEventTime } from '../graph/order.ts';
import { scopeOfProvider } from '../graph/scope-store.ts';
import { edgeName } from '../projection/edges.ts';
import { usedNames } from '../projection/used-names.ts';
import type { Named } from '../sources/openlineage/event.ts';
import { verdictKey } from '../sources/openlineage/export.ts';
import type { SqlParser } from '../sql/types.ts';
import { type FileNames, openEvents, type ReadEvents } from './file-events.ts';
import type { FileScope } from './file-graph.ts';

/** The feed of the export, apart from that of the files' events. */
export const exportFeed = '00000000-0000-4000-8000-000000000001';

/** What its statements are named by, whose own sources an export does not tell. */
export const exportType = 'service';

/** @param exported of the profile `job` */
export async function openExport(
  names: FileNames,
  exported: ReadEvents,
  sqlParser: () => Promise<SqlParser>,
): Promise<FileScope[]> {
  const { scopes } = await openEvents(names, exported, sqlParser);
  const known = verdictsIn(names, exported);
  return scopes.flatMap((scope) => {
    const verdictOf = (edge: FileScope['edges'][number]) => known.get(edgeName(edge)) ?? 'declared_only';
    const observed = scope.edges.filter((edge) => verdictOf(edge) !== 'declared_only');
    const declared = scope.edges.filter((edge) => ['declared_only', 'confirmed'].includes(verdictOf(edge)));
    return [
      { ...scope, identity: { ...scope.identity, providerType: exportType }, edges: declared },
      ...(observed.length > 0 ? [observedIn(scope, observed)] : []),
    ];
  });
}

function observedIn(scope: FileScope, edges: FileScope['edges']): FileScope {
  const at = microsOfEventTime(scope.at);
  const identity = scopeOfProvider(exportFeed, 'observed', scope.identity.scopeKey);
  return {
    ...scope,
    identity: { ...identity, providerType: exportType },
    edges,
    observed: new Map(edges.map((edge) => [edgeName(edge), { first: at, last: at }])),
    declared: { relations: [], schemas: new Map() },
  };
}

const Judged = v.object({ [verdictKey]: v.object({ verdict: v.picklist(verdicts) }) });

/** The verdict of each edge, by its name (C-EXPORT-7). */
function verdictsIn({ connectors }: FileNames, { items }: ReadEvents): ReadonlyMap<string, Verdict> {
  const { resolve } = usedNames(connectors);
  const urnNamed = ({ namespace, name }: Named) => urnOf(resolve({ namespace, name, symlinks: [] }).node);
  const found = new Map<string, Verdict>();
  for (const { kind, event } of items) {
    if (kind !== 'JobEvent') continue;
    for (const { inputFacets, ...input } of event.inputs ?? []) {
      const judged = v.safeParse(Judged, inputFacets);
      if (!judged.success) continue;
      for (const output of event.outputs ?? [])
        found.set(edgeName({ from: urnNamed(input), to: urnNamed(output) }), judged.output[verdictKey].verdict);
    }
  }
  return found;
}

import { once } from '../../../base/caching.ts';
import { type Node, type Urn, urnOf } from '../../graph/node.ts';
import { bindingKey } from '../../names/namespace.ts';
import { lastPartOf } from '../../names/relation-ref.ts';
import { isOwnName } from '../../names/resolve-dataset.ts';
import type { Dataset, Named, Symlink } from './event.ts';
import type { UrnOf } from './input-mapping.ts';
import { isEphemeral } from './model-jobs.ts';

/** Which node a dataset is, and what other nodes are that same one. */
export type Resolve = (dataset: Named & { readonly symlinks: readonly Symlink[] }) => {
  readonly node: Node;
  readonly aliases: readonly Node[];
  readonly isPart?: true;
};

/** The nodes of an event's datasets; a facet that names a dataset of the event means it with its symlinks. */
export function namesOf(datasets: readonly Dataset[], resolve: Resolve, query = '') {
  const symlinks = new Map<string, readonly Symlink[]>();
  const inlined = new Set(datasets.filter(isEphemeral).map(nameOf));
  const known = new Map<string, Urn>();
  const aliases = new Map<Urn, Urn>();
  const parts = new Set<string>();
  for (const dataset of datasets) {
    const identifiers = dataset.facets?.symlinks?.identifiers;
    if (identifiers) symlinks.set(nameOf(dataset), [...(symlinks.get(nameOf(dataset)) ?? []), ...identifiers]);
  }
  const urnOfDataset: UrnOf = (dataset) => {
    const name = nameOf(dataset);
    const before = known.get(name);
    if (before !== undefined) return before;
    const { namespace, name: local } = dataset;
    if (inlined.has(name)) return urnOf({ kind: 'inlined', namespace, name: local });
    const { node, aliases: others, isPart } = resolve({ namespace, name: local, symlinks: symlinks.get(name) ?? [] });
    const urn = urnOf(node);
    known.set(name, urn);
    if (isPart) parts.add(name);
    for (const alias of others.map(urnOf)) if (alias !== urn) aliases.set(alias, urn);
    return urn;
  };
  // Resolved first, so that every alias is known whatever the facets name.
  datasets.forEach(urnOfDataset);
  const [own, ctes] = [new Map(datasets.map((one) => [nameOf(one), one])), once(() => cteNames(query))];
  const instances = new Set(datasets.map(({ namespace }) => bindingKey(namespace)));
  const lastPart = ({ name }: Named) => lastPartOf(name).toLowerCase();
  const byLastPart = once(() => Map.groupBy(own.values(), lastPart));
  return {
    urnOf: urnOfDataset,
    aliases: [...aliases].map(([alias, canonical]) => ({ alias, canonical })),
    isPart: (dataset: Named) => urnOfDataset(dataset) !== undefined && parts.has(nameOf(dataset)),
    /** The dataset of the event that a facet means by the end of its name, as the SQL parser of OpenLineage does. */
    meant: <Source extends Named>(source: Source): Source => {
      if (own.has(nameOf(source))) return source;
      const end = `.${source.name}`.toLowerCase();
      const instance = bindingKey(source.namespace);
      const [only, ...more] = (byLastPart().get(lastPart(source)) ?? []).filter(
        (one) => one.name.toLowerCase().endsWith(end) && bindingKey(one.namespace) === instance,
      );
      return only && more.length === 0 ? { ...source, namespace: only.namespace, name: only.name } : source;
    },
    /** Whether a facet names a dataset that the event left out. A statement's CTE is none, however it is qualified. */
    isLeftOut: (source: Named) =>
      !own.has(nameOf(source)) &&
      (isOwnName(source) || !instances.has(bindingKey(source.namespace))) &&
      !ctes().has(lastPartOf(source.name).toLowerCase()),
  };
}

export type Names = ReturnType<typeof namesOf>;

const cte = /\b(\w+)["`\]]?(?:\s*\([^()]*\))?\s+as\s*(?:(?:not\s+)?materialized\s*)?\(/gi;

/** The names that a statement may define in its WITH clause, in lower case. */
const cteNames = (query: string): ReadonlySet<string> =>
  new Set([...query.matchAll(cte)].map(([, name = '']) => name.toLowerCase()));

/** Of two names that are not the same never the same text. */
const nameOf = ({ namespace, name }: Named) => `${namespace.length} ${namespace}${name}`;

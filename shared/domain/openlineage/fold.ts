import type { Urn } from '../lineage/node.ts';
import type { Lifecycle, Statement } from './contribution.ts';
import type { Told } from './derive.ts';
import type { Source } from './source.ts';

/** What statements tell together: datasets and targets add up; of a facet of one dataset the newest holds. Oldest first. */
export function fold(statements: readonly [Statement, ...Statement[]]): Told {
  const canonical = canonicalNames(statements);
  const { lineage, columnLineage } = newestFacets(statements, canonical);
  const lifecycle = [...newestLifecycle(statements, canonical).values()];
  const newest = <Key extends 'statementKind' | 'principal'>(key: Key) =>
    statements.findLast((one) => one[key] !== null)?.[key] ?? null;
  return {
    producer: (statements.at(-1) ?? statements[0]).producer,
    inputs: new Set(statements.flatMap(({ inputs }) => inputs.map(canonical))),
    outputs: new Set(statements.flatMap(({ outputs }) => outputs.map(canonical))),
    targets: unitedTargets(statements, canonical),
    lineage,
    columnLineage,
    dropped: new Set(lifecycle.filter(({ change }) => change === 'DROP').map(({ node }) => node)),
    previous: new Map(
      lifecycle.flatMap(({ node, change, previous }) => (change === 'RENAME' && previous ? [[node, previous]] : [])),
    ),
    statementKind: newest('statementKind'),
    principal: newest('principal'),
  };
}

/** Every name that the statements know an alias of, as the newest of them calls it. */
export function canonicalNames(statements: readonly Statement[]): (urn: Urn) => Urn {
  const names = new Map(statements.flatMap(({ aliases }) => aliases.map(({ alias, canonical }) => [alias, canonical])));
  return (urn) => {
    const seen = new Set<Urn>();
    let name = urn;
    for (let next = names.get(name); next !== undefined && !seen.has(next); next = names.get(name)) {
      seen.add(name);
      name = next;
    }
    return name;
  };
}

/** The last change of each dataset, oldest statement first. */
export function newestLifecycle<S extends Statement>(
  statements: readonly S[],
  canonical: (urn: Urn) => Urn,
): Map<Urn, Lifecycle & { readonly statement: S }> {
  return new Map(
    statements.flatMap((statement) =>
      statement.lifecycle.map(({ node, change, previous }) => {
        const name = canonical(node);
        return [name, { node: name, change, previous: previous && canonical(previous), statement }];
      }),
    ),
  );
}

function newestFacets(statements: readonly Statement[], canonical: (urn: Urn) => Urn) {
  const found = { lineage: new Map<Urn, Source[]>(), columnLineage: new Map<Urn, Source[]>() };
  for (const { output, facet, sources } of statements.flatMap(({ facets }) => facets)) {
    if (sources === null) found[facet].delete(canonical(output));
    else found[facet].set(canonical(output), sources.map(renamedBy(canonical)));
  }
  return found;
}

function unitedTargets(statements: readonly Statement[], canonical: (urn: Urn) => Urn): Map<Urn, Source[]> | null {
  if (statements.every(({ targets }) => targets === null)) return null;
  const united = new Map<Urn, Source[]>();
  for (const { output, sources } of statements.flatMap(({ targets }) => targets ?? [])) {
    const name = canonical(output);
    united.set(name, [...(united.get(name) ?? []), ...sources.map(renamedBy(canonical))]);
  }
  return united;
}

const renamedBy =
  (canonical: (urn: Urn) => Urn) =>
  (source: Source): Source => ({ ...source, input: canonical(source.input) });

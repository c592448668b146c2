import type { Urn } from '../../graph/node.ts';
import type { Lifecycle, LineageStatement } from './contribution.ts';
import type { MergedLineage } from './derive.ts';
import type { InputMapping } from './input-mapping.ts';
import { openUnder } from './open-columns.ts';

/** What statements tell together: datasets and targets add up; of a facet of one dataset the newest holds. Oldest first. */
export function mergeStatements(statements: readonly [LineageStatement, ...LineageStatement[]]): MergedLineage {
  const canonical = canonicalNames(statements);
  const { lineage, columnLineage } = latestFacets(statements, canonical);
  const lifecycle = [...latestLifecycle(statements, canonical).values()];
  const newest = <Key extends 'statement' | 'statementKind' | 'principal' | 'engine'>(key: Key) =>
    statements.findLast((one) => (one[key] ?? null) !== null)?.[key] ?? null;
  return {
    producer: (statements.at(-1) ?? statements[0]).producer,
    inputs: new Set(statements.flatMap(({ inputs }) => inputs.map(canonical))),
    outputs: new Set(statements.flatMap(({ outputs }) => outputs.map(canonical))),
    targets: mergedTargets(statements, canonical),
    lineage,
    columnLineage,
    dropped: new Set(lifecycle.filter(({ change }) => change === 'DROP').map(({ node }) => node)),
    previous: new Map(
      lifecycle.flatMap(({ node, change, previous }) => (change === 'RENAME' && previous ? [[node, previous]] : [])),
    ),
    statement: newest('statement'),
    isWhole: (statements.at(-1) ?? statements[0]).isWhole ?? false,
    statementKind: newest('statementKind'),
    principal: newest('principal'),
    engine: newest('engine'),
  };
}

/** Every name that the statements know an alias of, as the newest of them calls it. */
export function canonicalNames(statements: readonly LineageStatement[]): (urn: Urn) => Urn {
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

export function latestLifecycle<S extends LineageStatement>(
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

function latestFacets(statements: readonly LineageStatement[], canonical: (urn: Urn) => Urn) {
  const found = { lineage: new Map<Urn, InputMapping[]>(), columnLineage: new Map<Urn, InputMapping[]>() };
  for (const { output, facet, sources } of statements.flatMap(({ facets }) => facets)) {
    if (sources === null) found[facet].delete(canonical(output));
    else found[facet].set(canonical(output), sources.map(renamedBy(canonical)));
  }
  return found;
}

function mergedTargets(
  statements: readonly LineageStatement[],
  canonical: (urn: Urn) => Urn,
): Map<Urn, InputMapping[]> | null {
  if (statements.every(({ targets }) => targets === null)) return null;
  const merged = new Map<Urn, InputMapping[]>();
  for (const { output, sources } of statements.flatMap(({ targets }) => targets ?? [])) {
    const name = canonical(output);
    merged.set(name, [...(merged.get(name) ?? []), ...sources.map(renamedBy(canonical))]);
  }
  return merged;
}

const renamedBy =
  (canonical: (urn: Urn) => Urn) =>
  ({ open, ...source }: InputMapping): InputMapping => ({
    ...source,
    input: canonical(source.input),
    ...(open && { open: openUnder(open, canonical) }),
  });

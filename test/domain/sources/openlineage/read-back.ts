import { expect } from 'vitest';
import type { Derivation } from '../../../../shared/domain/lineage/graph/derivation.ts';
import { urnOf } from '../../../../shared/domain/lineage/graph/node.ts';
import type { Connector } from '../../../../shared/domain/lineage/names/connector.ts';
import { resolveDataset } from '../../../../shared/domain/lineage/names/resolve-dataset.ts';
import { contributionOf } from '../../../../shared/domain/lineage/sources/openlineage/contribution.ts';
import { jobEventOf, runOf } from '../../../../shared/domain/lineage/sources/openlineage/run.ts';
import { validateEvent } from '../../../../shared/domain/lineage/sources/openlineage/validate.ts';

/** The content of derivations, however it was split. */
export function statementOf(derivations: readonly Derivation[]) {
  return derivations
    .flatMap(({ producer, output, inputs, columns, unresolved }) => [
      ...inputs.map((input) => [producer, urnOf(input), urnOf(output)]),
      ...inputs.flatMap((input) =>
        unresolved.map(({ outputColumn, reason, open = null }) => [
          ...[producer, urnOf(input), urnOf(output), outputColumn, reason],
          open?.kind === 'choice' ? open.options.map((option) => Object.entries(option).sort()) : open,
        ]),
      ),
      ...columns.map(({ input, ...rest }) => [producer, urnOf(input), urnOf(output), ...Object.entries(rest).sort()]),
    ])
    .map((one) => JSON.stringify(one))
    .filter((one, i, all) => all.indexOf(one) === i)
    .sort();
}

/** The meaning of events in an empty workspace: the newest declaration of a scope holds, and runs add up. */
export function readBack(events: readonly unknown[], connectors: readonly Connector[]): Derivation[] {
  const declared = new Map<string, readonly Derivation[]>();
  const observed = events.flatMap((event) => {
    const checked = validateEvent(JSON.parse(JSON.stringify(event)));
    expect(checked).toMatchObject({ valid: true, facetFindings: [] });
    const resolve = (dataset: Parameters<typeof resolveDataset>[1]) => resolveDataset(connectors, dataset);
    if (!checked.valid || checked.kind === 'DatasetEvent') return [];
    if (checked.kind === 'JobEvent') {
      const { scopeKey, derivations } = jobEventOf(checked.event, resolve, '');
      declared.set(scopeKey, derivations ?? []);
      return [];
    }
    const { at, digest, content } = contributionOf(checked.event, resolve);
    return runOf(new Map([[digest, { content, first: at, last: at }]]), '').derivations;
  });
  return [...observed, ...[...declared.values()].flat()];
}

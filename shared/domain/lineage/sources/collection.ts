import * as v from 'valibot';
import { type Node, urnOf } from '../graph/node.ts';
import { boundedSchema } from '../graph/schema.ts';
import type { Connector } from '../names/connector.ts';
import { relationOf, splitGlueName, splitName } from '../names/relation-ref.ts';
import type { Declared } from './declared/declared.ts';

/** The tables of a lake by the names that SQL reads them by, and their columns (C-COLLINEAGE-2). */
export const LakeTables = v.object({
  relations: v.array(v.string()),
  columns: v.array(v.object({ name: v.string(), type: v.nullable(v.string()) })),
});
export type LakeTables = v.InferOutput<typeof LakeTables>;

/** What the service itself states of a collection project. In part: other projects store events in the same tables. */
export function deriveCollection(connector: Connector, document: unknown): Declared {
  const { relations, columns } = v.parse(LakeTables, document);
  const schema = boundedSchema({ columns, stars: [], complete: false });
  const nodes = relations.flatMap((name) => lakeTable(connector, name) ?? []);
  return {
    derivations: [],
    unresolved: [],
    relations: nodes.map((node) => ({ node, isMade: false })),
    schemas: new Map(nodes.map((node) => [urnOf(node), schema])),
  };
}

/** A table of the lake as the connector names it; null if its platform has no such names. */
export function lakeTable(connector: Connector, name: string): Node | null {
  const parts = connector.kind === 'athena' ? splitGlueName(name) : splitName(name);
  return parts && relationOf(connector, parts);
}

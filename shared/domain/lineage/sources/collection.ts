import * as v from 'valibot';
import { type Node, urnOf } from '../graph/node.ts';
import { boundedSchema } from '../graph/schema.ts';
import type { Connector } from '../names/connector.ts';
import { relationOf, splitGlueName, splitName } from '../names/relation-ref.ts';
import type { CatalogCounts, Declared, ItemSchemas, ParsedDocument } from './declared/declared.ts';

const Column = v.object({ name: v.string(), type: v.nullable(v.string()) });

/** The tables of a lake by the names that SQL reads them by, and the columns of each (C-COLLINEAGE-2). */
const LakeTables = v.object({ relations: v.array(v.string()), columns: v.array(Column) });
export type LakeTables = v.InferOutput<typeof LakeTables>;

export const collectionItems: ItemSchemas = { relations: v.string(), columns: Column };

type Reading = Omit<ParsedDocument<unknown>, 'document'> & {
  readonly counts: CatalogCounts;
  readonly derive: () => Declared;
};

/** Reads what the service itself states of a collection project. */
export function readCollection(connector: Connector, document: unknown): Reading {
  const read = v.safeParse(LakeTables, document);
  const { relations, columns } = read.success ? read.output : { relations: [], columns: [] };
  return {
    itemCount: columns.length,
    invalidItems: [],
    shapeErrors: [],
    counts: { edges_received: 0, unresolved: 0, observations: 0 },
    derive: () => {
      const nodes = relations.flatMap((name) => lakeTable(connector, name) ?? []);
      // In part: other projects store events in the same tables.
      const schema = boundedSchema({ columns, stars: [], complete: false });
      const schemas = columns.length > 0 ? nodes.map((node) => [urnOf(node), schema] as const) : [];
      return {
        derivations: [],
        unresolved: [],
        relations: nodes.map((node) => ({ node, isMade: false })),
        schemas: new Map(schemas),
      };
    },
  };
}

/** A table of the lake as the connector names it; null if its platform has no such names. */
export function lakeTable(connector: Connector, name: string): Node | null {
  const parts = connector.kind === 'athena' ? splitGlueName(name) : splitName(name);
  return parts && relationOf(connector, parts);
}

import * as v from 'valibot';
import type { ColumnOption, OpenColumns } from '../../graph/derivation.ts';
import { type Node, nodeOf, type Urn } from '../../graph/node.ts';
import type { SchemaStar, Star } from '../../graph/schema.ts';
import type { Named } from './event.ts';
import { transformationKindsOf, type UrnOf } from './input-mapping.ts';

/** What a list of columns would settle of an entry, relations by their OpenLineage names: as `OpenColumns`. */
const column = v.pipe(v.string(), v.maxLength(1_000));
const named = { namespace: v.string(), name: v.string() };
export const StarEntry = v.object({
  of: v.object(named),
  except: v.pipe(v.array(column), v.maxLength(10_000)),
  renamed: v.pipe(v.array(v.tuple([column, column])), v.maxLength(10_000)),
});
export type StarEntry = v.InferOutput<typeof StarEntry>;
export const OpenEntry = v.variant('kind', [
  v.object({ kind: v.literal('star'), ...StarEntry.entries }),
  v.object({
    kind: v.literal('choice'),
    options: v.pipe(
      v.array(
        v.object({
          ...named,
          field: column,
          type: v.picklist(['DIRECT', 'INDIRECT']),
          subtype: v.exactOptional(v.string()),
          description: v.exactOptional(v.string()),
          masking: v.boolean(),
        }),
      ),
      v.maxLength(16),
    ),
  }),
]);
export type OpenEntry = v.InferOutput<typeof OpenEntry>;

/** Null where a relation has no OpenLineage name. */
export function openEntryOf(open: OpenColumns, nameOf: (node: Node) => Named | null): OpenEntry | null {
  if (open.kind === 'star') {
    const star = starEntryOf(open.star, nameOf);
    return star && { kind: 'star', ...star };
  }
  const options = open.options.map(({ of, column: field, type, subtype, masking, expression }) => {
    const name = nameOf(nodeOf(of));
    const described = { ...(subtype !== null && { subtype }), ...(expression && { description: expression }) };
    return name && { ...namedOnly(name), field, type, ...described, masking };
  });
  return options.every((option) => option !== null) ? { kind: 'choice', options } : null;
}

export function starEntryOf(
  { of, except, renamed }: SchemaStar,
  nameOf: (node: Node) => Named | null,
): StarEntry | null {
  const name = nameOf(nodeOf(of));
  return name && { of: namedOnly(name), ...entryOfStar({ except, renamed }) };
}

export const entryOfStar = ({ except, renamed }: Star): Omit<StarEntry, 'of'> => ({
  except: [...except],
  renamed: renamed.map(([from, to]) => [from, to]),
});

const namedOnly = ({ namespace, name }: Named) => ({ namespace, name });

export function openColumnsOf(entry: OpenEntry, urnOf: UrnOf): OpenColumns {
  if (entry.kind === 'star') {
    const { of, except, renamed } = entry;
    return { kind: 'star', star: { of: urnOf(of), except, renamed } };
  }
  const options = entry.options.flatMap(({ field, namespace, name, ...way }) =>
    transformationKindsOf([way], field).map(
      (kind): ColumnOption => ({ of: urnOf({ namespace, name }), column: field, ...kind }),
    ),
  );
  return { kind: 'choice', options };
}

/** The same under other names of relations. */
export function openUnder(open: OpenColumns, canonical: (urn: Urn) => Urn): OpenColumns {
  if (open.kind === 'star') return { kind: 'star', star: { ...open.star, of: canonical(open.star.of) } };
  return { kind: 'choice', options: open.options.map((option) => ({ ...option, of: canonical(option.of) })) };
}

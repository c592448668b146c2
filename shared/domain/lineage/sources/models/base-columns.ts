import { limits } from '../../../../contract/limits.ts';
import type { Budget, Spend } from '../../../base/budget.ts';
import { allKnown, findOrAdd } from '../../../base/collections.ts';
import type { ColumnOption, OpenColumns, PlacedColumns } from '../../graph/derivation.ts';
import { type Node, nodeOf, urnOf } from '../../graph/node.ts';
import { columnBehindStar, composedStar, type SchemaStar, type Star } from '../../graph/schema.ts';
import type {
  ColumnRead,
  ColumnSource,
  DirectSubtype,
  IndirectSource,
  KnownColumns,
  MissingSources,
  RelationName,
  PlacedColumns as SqlPlacedColumns,
} from '../../sql/types.ts';
import type { ColumnPorts } from '../declared/declared.ts';
import type { Dependencies } from './dependencies.ts';
import type { ReadMatcher } from './match-read.ts';
import type { ExternalRelation, Model, ModelProject, SourceUse } from './model-project.ts';

export type ModelOutput = {
  readonly column: string | null;
  readonly sources: readonly BaseColumn[];
  readonly missing: readonly Missing[];
};

/** Why something is not known, and what a schema would settle of it. */
export type Missing = { readonly reason: string; readonly open: OpenColumns | null };

/** The column lineage of a model's statement, only in terms of relations. */
export type ModelColumns = {
  readonly outputs: readonly ModelOutput[];
  /** Columns that affect every output. */
  readonly indirect: readonly BaseColumn[];
  readonly indirectMissing: readonly Missing[];
  /** Why nothing is known of the columns; `outputs` is then empty. */
  readonly reason: string | null;
  /** What the statement reads although the model does not depend on it. */
  readonly undeclared?: readonly RelationName[];
  /** Relations that the model depends on and its statement, which was read whole, does not read. */
  readonly unread?: readonly Node[];
};

export const nothingKnown = (reason: string | null): ModelColumns => {
  return { outputs: [], indirect: [], indirectMissing: [], reason };
};

export type ProjectKnowledge = ColumnPorts & {
  readonly project: ModelProject;
  readonly dependencies: (model: Model) => Dependencies;
  readonly columnsOf: (member: Model | ExternalRelation) => KnownColumns | null;
  readonly inlinedColumns: (model: Model) => ModelColumns;
  /** Steps that are left for the statements of the project. */
  readonly statementSteps: Budget;
  /** How many columns of relations models may yet be said to read. */
  readonly columnReads: Budget;
};

export type StatementReader = {
  readonly knowledge: ProjectKnowledge;
  readonly model: Model;
  readonly memberOf: ReadMatcher<Model | ExternalRelation>;
  readonly spend: Spend;
};

export const longName = 'column_name_too_long';
export const isLongName = (name: string): boolean => name.length > 2 * limits.openlineage.name;

/** Each name once, whatever its case. */
export function distinctNames(names: readonly string[]): string[] {
  return [...new Map(names.toReversed().map((name) => [name.toLowerCase(), name])).values()].reverse();
}

export const isInlined = (member: Model | ExternalRelation): member is Model => member.node === null;
export const asInfluence = (source: IndirectSource): ColumnRead & SourceUse => ({
  ...source,
  type: 'INDIRECT',
  masking: false,
});

/** A column read in terms of relations: of an inlined model's column, what that consists of; of the model itself, nothing. */
export function baseSources(reader: StatementReader, { relation, ...use }: ColumnRead & SourceUse): FoundSources {
  return memberSources(reader, reader.memberOf(relation), use);
}

type FoundSources = { readonly sources: readonly BaseColumn[]; readonly missing: readonly Missing[] };

export function memberSources(
  { knowledge, model, spend }: Omit<StatementReader, 'memberOf'>,
  member: Model | ExternalRelation | null,
  { column, ...way }: { readonly column: string } & SourceUse,
): FoundSources {
  if (!member || member.id === model.id) return { sources: [], missing: [] };
  if (isLongName(column)) return { sources: [], missing: [{ reason: longName, open: null }] };
  if (!isInlined(member)) return { sources: [{ node: member.node, column, ...way }], missing: [] };
  const columns = knowledge.inlinedColumns(member);
  const { outputs, reason } = columns;
  const output = outputsOf(columns).get(column.toLowerCase());
  if (output) {
    spend(output.sources.length);
    const sources = output.sources.map((source) => ({ ...source, ...compose(source, way) }));
    return { sources, missing: output.missing };
  }
  const passed = passedColumn(outputs, column);
  return passed
    ? { sources: [{ ...passed, ...way }], missing: [] }
    : { sources: [], missing: [{ reason: reason ?? knowledge.project.reasons.inlinedColumnUnknown, open: null }] };
}

/** A column that an inlined model does not name: only the star of a single relation can contain it. */
function passedColumn(outputs: readonly ModelOutput[], column: string): Pick<BaseColumn, 'node' | 'column'> | null {
  const [open, ...more] = outputs.filter((output) => output.column === null);
  const star = open && more.length === 0 ? starOf(open) : null;
  const behind = star && columnBehindStar(star, column);
  return star && behind !== null ? { node: nodeOf(star.of), column: behind } : null;
}

/** What a schema would settle, in terms of relations: nothing if a relation is the model itself, or there are several. */
export function missingOf(reader: StatementReader, { text, star, options, places }: MissingSources): Missing[] {
  const plain = { reason: text, open: null };
  if (places) {
    const branches = allKnown(places.map((branch) => allKnown(branch.map((item) => placedOf(reader, item)))));
    return [{ reason: text, open: branches && { kind: 'places', branches } }];
  }
  if (star) {
    const stars = baseStars(reader, star);
    if (stars.length === 0) return [plain];
    return stars.map((one) => ({ reason: text, open: one && { kind: 'star', star: one } }));
  }
  const read = allKnown((options ?? []).map((option) => optionOf(reader, option)));
  return read && read.length > 0 ? [{ reason: text, open: { kind: 'choice', options: read } }] : [plain];
}

function placedOf(reader: StatementReader, item: SqlPlacedColumns): PlacedColumns | null {
  if ('star' in item) {
    const member = reader.memberOf(item.star.relation);
    // The columns that an inlined model names have their own places.
    if (!member || isInlined(member)) return null;
    const [star] = baseStars(reader, item.star);
    return star ? { star } : null;
  }
  const sources = allKnown(item.sources.map((source) => optionOf(reader, source)));
  return sources && { column: item.column, sources };
}

/** The list of columns that an output which is not named represents: its star, or that of a union's first branch. */
export function listedStar(output: Pick<ModelOutput, 'missing'>): SchemaStar | null {
  const [only, ...more] = output.missing;
  if (only?.open?.kind !== 'places' || more.length > 0) return starOf(output);
  const [first, ...others] = only.open.branches[0] ?? [];
  return first && 'star' in first && others.length === 0 ? first.star : null;
}

/** The star of an output that is not named; null if it is open to more than one relation. */
function starOf({ missing }: Pick<ModelOutput, 'missing'>): SchemaStar | null {
  const [only, ...more] = missing;
  return only?.open?.kind === 'star' && more.length === 0 ? only.open.star : null;
}

/** `*` over an inlined model is what that passes on itself, beyond the columns that it names. */
function baseStars(
  { knowledge, model, memberOf }: StatementReader,
  star: Star & { readonly relation: RelationName },
): (SchemaStar | null)[] {
  const member = memberOf(star.relation);
  if (!member || member.id === model.id) return [];
  const { except, renamed } = star;
  if (!isInlined(member)) return [{ of: urnOf(member.node), except, renamed }];
  const open = knowledge.inlinedColumns(member).outputs.filter(({ column }) => column === null);
  return open.map((output) => {
    const inner = starOf(output);
    return inner && { of: inner.of, ...composedStar(inner, star) };
  });
}

function optionOf(reader: StatementReader, option: ColumnSource): ColumnOption | null {
  const { sources, missing } = baseSources(reader, option);
  const [only, ...more] = sources;
  if (!only || more.length > 0 || missing.length > 0) return null;
  const { node, column, type, subtype, masking, expression } = only;
  return { of: urnOf(node), column, type, subtype, masking, ...(expression && { expression }) };
}

/** By the names of columns, as many users of an inlined model ask for them. */
const outputsByName = new WeakMap<ModelColumns, ReadonlyMap<string, ModelOutput>>();

const outputsOf = (columns: ModelColumns): ReadonlyMap<string, ModelOutput> =>
  findOrAdd(outputsByName, columns, () => {
    // The first of a name counts, so it is set last.
    const named = columns.outputs
      .toReversed()
      .flatMap((one) => (one.column === null ? [] : [[one.column, one] as const]));
    return new Map(named.map(([name, one]) => [name.toLowerCase(), one]));
  });

/** A column of a relation, read by a model's statement. */
export type BaseColumn = SourceUse & Pick<ColumnRead, 'column' | 'field'> & { readonly node: Node };

/** Merges the lists. Keeps a column once per kind of use, because a chain of inlined models would double them. */
export function distinctColumns(spend: Spend, lists: readonly (readonly BaseColumn[])[]): readonly BaseColumn[] {
  const [only] = lists;
  if (only && lists.length === 1) return only;
  const found = new Map<string, BaseColumn>();
  for (const list of lists) {
    spend(list.length);
    for (const one of list) found.set(keyOf(one), one);
  }
  return [...found.values()];
}

const keyOf = ({ node, column, field, type, subtype, masking }: BaseColumn): string =>
  `${type} ${subtype} ${masking} ${JSON.stringify([urnOf(node), column, field])}`;

const rising: readonly DirectSubtype[] = ['IDENTITY', 'TRANSFORMATION', 'AGGREGATION'];

/** How a column reaches another over one between: an indirect step makes the whole way indirect, the strongest direct one names it. */
export function compose(inner: SourceUse, outer: SourceUse): SourceUse {
  const expression = outer.expression ?? inner.expression;
  return { ...composedInfluence(inner, outer), ...(expression && { expression }) };
}

function composedInfluence(inner: SourceUse, outer: SourceUse): SourceUse {
  const masking = inner.masking || outer.masking;
  if (outer.type === 'INDIRECT') return { ...outer, masking };
  if (inner.type === 'INDIRECT') return { ...inner, masking };
  const subtype = rising.indexOf(inner.subtype) > rising.indexOf(outer.subtype) ? inner.subtype : outer.subtype;
  return { type: 'DIRECT', subtype, masking };
}

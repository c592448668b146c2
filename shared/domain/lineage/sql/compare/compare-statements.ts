import { BudgetExceeded, type Spend, spendFrom } from '../../../base/budget.ts';
import { comparisonSteps, countTokens, tooComplex, writtenNodes } from '../budget.ts';
import type { SqlDialect } from '../dialect.ts';
import { foldedName, nameRulesOf, partsOf } from '../name-rules.ts';
import { parsedScript } from '../parse-script.ts';
import { functionName, isQuery, nameOf, nodesIn, type Syntax } from '../syntax.ts';
import { tokensOf } from '../tokens.ts';
import type { RelationName, SqlParser } from '../types.ts';
import { attributedDifferences } from './attribute-differences.ts';
import { hasAllWords, type ParsedText, sameWordsLeftOut } from './missing-words.ts';
import { printValue } from './print-expression.ts';
import { printQuery } from './print-query.ts';
import { relationOfTable } from './print-relation.ts';
import {
  type Block,
  type Contents,
  contentsRelation,
  differencesOf,
  emptyScope,
  type Key,
  openRelation,
  type PrintedRelation,
  type Printing,
  pairedNames,
  printTable,
  type StatementDifference,
  wholePrint,
} from './prints.ts';
import { isProvenSame, type ProvableVersion } from './proof/prove-same.ts';
import type { Constants } from './proof/terms.ts';
import { type StatementCategory, statementCategory } from './statement-category.ts';

/** One version of a statement. Several dialects: the first that parses counts. */
export type StatementVersion = {
  readonly text: string;
  readonly dialects: readonly SqlDialect[];
  /** What the statement names: a relation, by a name that both versions share, or a query that is inlined there. */
  readonly reads: (name: RelationName) => string | StatementVersion | KnownRelation | null;
  /** The texts that are inlined, as one: equal texts that inline others are no equal statements. */
  readonly inlined: string;
};

/** A relation that both versions read. */
export type KnownRelation = {
  readonly relation: string;
  readonly contents: Contents | null;
  readonly key: Key | null;
  /** Columns that it has for sure, by their folded names, with their types. */
  readonly has?: ReadonlyMap<string, string | null>;
  /** The rows of this version. */
  readonly constants?: Constants | null;
  /** The statement that makes all of its rows, of a relation that holds something else in each version. */
  readonly madeBy: (() => StatementVersion | null) | null;
};

export type StatementComparison =
  /** Proven to give the same rows and columns. `isWritten`: and it is written in the same way. */
  | { readonly kind: 'same'; readonly isWritten: boolean; readonly category: StatementCategory }
  | {
      readonly kind: 'changed';
      /** Whether rows may differ, or a column that cannot be named; else only the columns listed do. */
      readonly rows: boolean;
      readonly columns: readonly string[];
      readonly added: readonly string[];
      readonly removed: readonly string[];
      /** Columns were added beside a star whose columns are not known here: rows differ if it has one of these names. */
      readonly isBesideStar: boolean;
      readonly differences: readonly StatementDifference[];
      readonly category: StatementCategory;
    }
  | { readonly kind: 'not_compared'; readonly reason: string };

const notParsed = 'statement_cannot_be_parsed';

/** Formatting, names of CTEs and inner aliases, and known rewrites make no difference. In doubt versions differ. */
export function compareStatements(
  parser: SqlParser,
  before: StatementVersion,
  after: StatementVersion,
): StatementComparison {
  try {
    return compareWithin(spendFrom([{ left: comparisonSteps }]), boundedWriting(parser), before, after);
  } catch (error) {
    if (error instanceof BudgetExceeded) return { kind: 'not_compared', reason: tooComplex };
    throw error;
  }
}

/** Writes at most `writtenNodes`: what is not written is never reported as the same. */
function boundedWriting(parser: SqlParser): SqlParser {
  let left = writtenNodes;
  const write: SqlParser['write'] = (node, dialect) => {
    left -= nodesIn(node).length;
    return left < 0 ? null : (parser.write?.(node, dialect) ?? null);
  };
  return Object.assign((...text: Parameters<SqlParser>) => parser(...text), { write });
}

function compareWithin(
  spend: Spend,
  parser: SqlParser,
  before: StatementVersion,
  after: StatementVersion,
): StatementComparison {
  if (isWrittenAlike(before, after)) return { kind: 'same', isWritten: true, category: null };
  if ([before, after].some(({ text }) => countTokens(text) === null))
    return { kind: 'not_compared', reason: tooComplex };
  if (isSpacedOtherwise(before, after)) return { kind: 'same', isWritten: false, category: null };
  const [old, now] = [parsedVersion(parser, before), parsedVersion(parser, after)];
  if (typeof old === 'string') return { kind: 'not_compared', reason: old };
  if (typeof now === 'string') return { kind: 'not_compared', reason: now };
  const printer = { print: printTable(spend), spend, contentsOf: null };
  const category = statementCategory(old.statements, now.statements);
  const ofOld = printedVersion(parser, printer, old, true);
  const ofNow = printedVersion(parser, printer, now, true);
  // A column that was not read before may not be there: then the statement fails, though nothing comes of the column.
  const readsNoOther = [...ofNow.columnsRead].every((one) => ofOld.columnsRead.has(one));
  const isPrintedAlike = ofOld.whole === ofNow.whole && readsNoOther;
  const isSame = () => isPrintedAlike || isProvenSame(provable(parser, old), provable(parser, now));
  if (spelledNames(old) === spelledNames(now) && isSame() && sameWordsLeftOut(parser, old, now))
    return { kind: 'same', isWritten: false, category };
  const changed = attributedDifferences(
    printedVersion(parser, printer, old, false).relation,
    printedVersion(parser, printer, now, false).relation,
  );
  // A CTE that only has another name has one name in both.
  const names = pairedNames(ofOld.ctes, ofNow.ctes);
  const blocks = [
    blocksOf(parser, printer, old, (name) => name),
    blocksOf(parser, printer, now, (name) => names.get(name) ?? name),
  ] as const;
  const found = differencesOf(parser, blocks, [old.dialect, now.dialect]);
  const isNamed = found.length > 0 || (!changed.rows && changed.columns.length === 0);
  return { kind: 'changed', ...changed, differences: isNamed ? found : [unnamed], category };
}

/** A difference that no clause shows. */
export const unnamed: StatementDifference = { kind: 'statement_changed', column: null, before: null, after: null };

const isWrittenAlike = (before: StatementVersion, after: StatementVersion): boolean =>
  before.text.trim() === after.text.trim() && before.inlined === after.inlined;

/** The same words, with other white space and comments between them. */
function isSpacedOtherwise(before: StatementVersion, after: StatementVersion): boolean {
  const [dialect] = before.dialects;
  if (dialect === undefined || dialect !== after.dialects[0] || before.inlined !== after.inlined) return false;
  // Escapes in strings and MySQL's comments are not exact enough to tell where a comment begins.
  if (dialect === 'mysql' || `${before.text}${after.text}`.includes('\\')) return false;
  const [old, now] = [before, after].map(({ text }) =>
    JSON.stringify(tokensOf(text, dialect).map((token) => token.text)),
  );
  return old === now;
}

type Printer = Pick<Printing, 'print' | 'spend' | 'contentsOf'>;

type ParsedVersion = StatementVersion & ParsedText;

export function parsedVersion(parser: SqlParser, version: StatementVersion): ParsedVersion | string {
  for (const dialect of version.dialects) {
    const script = parsedScript(parser, version.text, dialect);
    if (script.ok && script.statements.length > 0) return { ...version, dialect, statements: script.statements };
    if (!script.ok && script.reason === tooComplex) return tooComplex;
  }
  return notParsed;
}

/** Of a statement that makes values of names, as they are spelled; DuckDB tells parameters apart by their case, too. */
export function spelledNames({ statements }: ParsedVersion): string {
  const nodes = statements.flatMap((one) => one.nodes);
  if (!nodes.some(keepsNames)) return '';
  const values = nodes.flatMap(({ fields }) => Object.values(fields).flat());
  const names = values.flatMap((value) => (typeof value === 'string' ? [] : (nameOf(value)?.text ?? [])));
  return [...new Set(names)].sort().join(' ');
}

const namingFunctions = ['struct', 'to_json', 'json_agg', 'jsonb_agg', 'object_construct'];
const keepsNames = ({ kind, fields }: Syntax): boolean => {
  if (kind === 'unpivot' || kind === 'lambda' || fields['unpivot'] === true) return true;
  const name = functionName(kind, fields);
  return namingFunctions.some((word) => name.includes(word));
};

type PrintedVersion = {
  readonly whole: string;
  readonly relation: PrintedRelation;
  readonly ctes: ReadonlyMap<string, string>;
  readonly columnsRead: ReadonlySet<string>;
};

function printingOf(parser: SqlParser, printer: Printer, version: ParsedVersion, ordersBranches: boolean): Printing {
  const columnsRead = new Set<string>();
  return {
    query: printQuery,
    table: relationOfTable,
    ...printer,
    rules: nameRulesOf(version.dialect),
    relation: relationReader(parser, printer, version, { ordersBranches, columnsRead }),
    blocks: null,
    cteName: (name) => name,
    ctes: new Map(),
    columnsRead,
    ordersBranches,
  };
}

/** Inlined statements are printed where they are read, a few levels deep. */
const deepest = 20;

function relationReader(
  parser: SqlParser,
  printer: Printer,
  { reads }: StatementVersion,
  options: Pick<Printing, 'ordersBranches' | 'columnsRead'>,
  depth = 0,
): Printing['relation'] {
  const inlined = new Map<StatementVersion, PrintedRelation>();
  const { print, spend, contentsOf } = printer;
  const inline = (version: ParsedVersion) => {
    const relation = relationReader(parser, printer, version, options, depth + 1);
    const { columnsRead, ordersBranches } = options;
    return printStatements({ ...printingOf(parser, printer, version, ordersBranches), columnsRead, relation }, version);
  };
  return (name) => {
    const read = reads(name);
    if (read === null) return null;
    if (typeof read === 'string') return openRelation(print, print('relation', read));
    if ('relation' in read) {
      const { relation, contents, key, has = new Map() } = read;
      if (contents !== null) return contentsRelation(print, relation, contents);
      return { ...openRelation(print, print('relation', relation)), key, has };
    }
    const known = inlined.get(read);
    if (known) return known;
    spend(read.text.length);
    const version = depth < deepest ? parsedVersion(parser, read) : notParsed;
    // What a text that cannot be read reads may hold something else in each version.
    const relation =
      typeof version === 'string' ? openRelation(print, print('text', read.text, contentsOf)) : inline(version);
    inlined.set(read, relation);
    return relation;
  };
}

export function printedVersion(
  parser: SqlParser,
  printer: Printer,
  version: ParsedVersion,
  ordersBranches: boolean,
): PrintedVersion {
  const printing = printingOf(parser, printer, version, ordersBranches);
  const relation = printStatements(printing, version);
  const { ctes, columnsRead } = printing;
  return { whole: wholePrint(printer.print, relation), relation, ctes, columnsRead };
}

function printStatements(printing: Printing, { statements }: ParsedVersion): PrintedRelation {
  const [only, ...more] = statements;
  if (only && more.length === 0 && isQuery(only.node)) return printQuery(printing, only.node, emptyScope);
  const nodes = statements.map(({ node }) => ({ [node.kind]: node.fields }));
  return openRelation(printing.print, printValue(printing, nodes, emptyScope));
}

/** A version for the proof: names that it does not know are those of relations outside. */
export const provable = (parser: SqlParser, version: ParsedVersion): ProvableVersion => ({
  ...version,
  read: (name) => {
    const found = version.reads(name);
    const rules = nameRulesOf(version.dialect);
    const path = () => JSON.stringify(partsOf(rules, name).map((one) => foldedName(rules, one)));
    if (found === null || typeof found === 'string') return { table: found ?? path(), columns: null };
    if ('relation' in found && found.constants) {
      const { constants } = found;
      return { table: JSON.stringify([...constants.columns]), columns: [...constants.columns.keys()], constants };
    }
    if ('relation' in found && found.madeBy === null) {
      const columns = found.contents?.columns?.map((one) => one.name) ?? null;
      return { table: found.relation, columns, types: found.has };
    }
    const made = 'relation' in found ? (found.madeBy?.() ?? null) : found;
    const inlined = made && parsedVersion(parser, made);
    const isWhole =
      inlined && typeof inlined !== 'string' && hasAllWords(parser, inlined) && spelledNames(inlined) === '';
    return isWhole ? provable(parser, inlined) : null;
  },
});

function blocksOf(
  parser: SqlParser,
  printer: Printer,
  version: ParsedVersion,
  cteName: Printing['cteName'],
): readonly Block[] {
  const blocks: Block[] = [];
  printStatements({ ...printingOf(parser, printer, version, false), blocks, cteName }, version);
  return blocks;
}

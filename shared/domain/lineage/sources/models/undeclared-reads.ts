import type { Derivation } from '../../graph/derivation.ts';
import { type Node, type Urn, undeclaredReader, urnOf } from '../../graph/node.ts';
import { relationBeside } from '../../names/relation-ref.ts';
import type { SqlDialect } from '../../sql/dialect.ts';
import { tokensOf } from '../../sql/tokens.ts';
import type { ModelColumns } from './base-columns.ts';
import type { Dependencies } from './dependencies.ts';
import type { Model, ModelProject } from './model-project.ts';
import { itself, type NamedRead, readsNamedIn } from './named-reads.ts';

/** What a model's statement reads without a declaration, as edges to a consumer in place of the model (C-DECLARED-19). */
export function undeclaredReads(
  { namespace, connector, reasons }: ModelProject,
  { id, node, isModel, location }: Model,
  { undeclared = [] }: Pick<ModelColumns, 'undeclared'>,
): Derivation[] {
  if (!connector || !isModel) return [];
  const own = node && urnOf(node);
  const named = undeclared.flatMap((read) => (read.length > 1 && relationBeside(connector, read, node)) || []);
  const inputs = [...new Map(named.map((input) => [urnOf(input), input])).values()].filter(
    (input) => urnOf(input) !== own,
  );
  if (inputs.length === 0) return [];
  return [
    {
      output: undeclaredReader(connector.id, id),
      inputs,
      columns: [],
      unresolved: [{ outputColumn: null, reason: reasons.readsOutside }],
      producer: { namespace, name: id },
      statementKind: null,
      principal: null,
      location,
    },
  ];
}

/** What hooks read by name: what they write is not known (C-DECLARED-19). A model's own relation only if it is read. */
export const readByHooks = ({ connector, hooks = [] }: Pick<ModelProject, 'connector' | 'hooks'>): Urn[] => {
  const nodeIn = (of: Node | null, read: NamedRead) =>
    read === itself ? of : connector && relationBeside(connector, read, of);
  const named = hooks.flatMap(({ code, of }) => readsNamedIn(code).map((read) => nodeIn(of, read)));
  return [...new Set(named.flatMap((node) => (node ? urnOf(node) : [])))];
};

/**
 * Whether a statement may read a relation that its model does not depend on: by the qualified names after the words that
 * a relation follows. Parses nothing, so it may take another name for a relation, and never the reverse.
 */
export function mayReadUndeclared(model: Model, { relations, inlined }: Dependencies): boolean {
  const { statement } = model;
  if (statement.kind !== 'sql')
    return statement.kind === 'none' && readsNamedIn(model.settings?.template ?? '').length > 0;
  const names = [...relations, ...inlined, model].flatMap((member) =>
    member.names.map((parts) => parts.join('.').toLowerCase()),
  );
  const [whole, endings] = [new Set(names), new Set(names.flatMap(endingsOf))];
  for (const read of qualifiedReads(statement.text, statement.dialects[0] ?? 'ansi'))
    if (!endings.has(read) && !endingsOf(read).some((one) => whole.has(one))) return true;
  return false;
}

function endingsOf(name: string): readonly string[] {
  const parts = name.split('.');
  return parts.map((_, from) => parts.slice(from).join('.'));
}

const before: ReadonlySet<string> = new Set(
  'from join using into update table only lateral apply merge identifier'.split(' '),
);
const after: ReadonlySet<string> = new Set(
  'where group order having qualify limit on select union window set values when'.split(' '),
);

/** The dotted names in the places of relations, without quotes, in lower case. */
function* qualifiedReads(text: string, dialect: SqlDialect): Generator<string> {
  let [isDue, isList, name] = [false, false, ''];
  for (const token of tokensOf(text, dialect)) {
    const word = token.text.toLowerCase();
    if (word === '[' || word === ']') continue;
    if (name !== '' && (word === '.' || name.endsWith('.'))) {
      name += word;
      continue;
    }
    if (name.includes('.')) yield name.replaceAll(quotes, '');
    name = '';
    if (before.has(word)) [isDue, isList] = [true, true];
    else if (after.has(word)) [isDue, isList] = [false, false];
    else if (word === ',') isDue = isList;
    else if (isDue && word !== '(') [name, isDue] = [word, false];
  }
  if (name.includes('.')) yield name.replaceAll(quotes, '');
}

const quotes = /["'`]/g;

import { pathOf } from './row.ts';
import {
  childOf,
  childrenOf,
  listOf,
  nameOf,
  type Syntax,
  splitPath,
  stringOf,
  syntaxOf,
  textOf,
  wordSet,
} from './syntax.ts';
import type { RelationName } from './types.ts';

/** `STREAM(t)`, `IDENTIFIER('t')`, `TABLE('t')`, `dictionary('t')`, `remote('host', s.t)`; null for any other call. */
export function relationOfCall(node: Syntax): RelationName | null {
  const call = unwrappedCall(node);
  if (call !== node && call.kind === 'literal') return pathIn(call);
  const operands = listOf(operandsOf(call)).map(syntaxOf);
  if (ofServers.has(callName(call))) return relationOnServers(operands);
  const [argument] = operands;
  return ofOneRelation.has(callName(call)) && argument && operands.length === 1 ? pathIn(argument) : null;
}

const ofServers = wordSet('cluster clusterallreplicas remote remotesecure');

/** What follows the servers: the relation's whole name, or its schema's and its own. */
function relationOnServers(operands: readonly (Syntax | null)[]): RelationName | null {
  const [first = null, second = null] = operands.slice(1).map((one) => one && pathIn(one));
  return first !== null && first.length === 1 && second !== null ? [...first, ...second] : first;
}

/** A dotted name, or one within a string. */
export function pathIn(node: Syntax): RelationName | null {
  const text = stringOf({ [node.kind]: node.fields });
  return text === null ? pathOf(node) : splitPath(text);
}

const ofOneRelation = wordSet('dictionary identifier stream');

export function unwrappedCall(node: Syntax): Syntax {
  const [argument, ...more] = childrenOf(node.fields, 'args');
  const isTable = node.kind === 'function' && textOf(node.fields, 'name')?.toLowerCase() === 'table';
  const inner = node.kind === 'lateral' ? childOf(node.fields, 'this') : isTable && more.length === 0 ? argument : null;
  return inner ? unwrappedCall(inner) : node;
}

/** In lower case. */
export function callName({ kind, fields }: Syntax): string {
  const name =
    kind === 'function' ? textOf(fields, 'name') : kind === 'method_call' ? nameOf(fields['method'])?.text : kind;
  return (name ?? kind).toLowerCase().replace(ordinality, '');
}

/** The parser gives it as a part of the name of all functions but one. */
const ordinality = ' with ordinality';

export const isNumbered = ({ fields }: Syntax): boolean =>
  fields['with_ordinality'] === true || textOf(fields, 'name')?.toLowerCase().endsWith(ordinality) === true;

/** What a call is given; a column that it defines is none of it. */
export function operandsOf(call: Syntax): unknown {
  const { kind, fields } = call;
  if (kind === 'function' || kind === 'method_call') return fields['args'];
  if (kind === 'unnest') return [fields['this'], ...listOf(fields['expressions'])];
  if (definesColumns.has(kind)) return [fields['this'], fields['passing']];
  return [{ [kind]: fields }];
}

/** DuckDB's `read_csv('x', header = true)` names an argument. */
export function valueOfArgument(operand: unknown): unknown {
  const node = syntaxOf(operand);
  return node?.kind === 'eq' && childOf(node.fields, 'left')?.kind === 'column' ? node.fields['right'] : operand;
}

const definesColumns = wordSet('j_s_o_n_table open_j_s_o_n x_m_l_table');

import { pathOf } from './path.ts';
import { childOf, childrenOf, listOf, nameOf, type Syntax, stringOf, syntaxOf, textOf } from './syntax.ts';
import type { RelationName } from './types.ts';

/** The relation that a call stands for: `STREAM(t)`, `IDENTIFIER('t')` and `dictionary('t')`; null for any other call. */
export function relationOfCall(node: Syntax): RelationName | null {
  const call = unwrappedCall(node);
  const [only, ...more] = listOf(operandsOf(call));
  const argument = syntaxOf(only);
  if (!ofOneRelation.has(callName(call)) || argument === null || more.length > 0) return null;
  const text = stringOf(only);
  return text === null ? pathOf(argument) : text.split('.').map((part) => ({ text: part, quoted: false }));
}

const ofOneRelation: ReadonlySet<string> = new Set(['dictionary', 'identifier', 'stream']);

/** The call that LATERAL and TABLE(…) enclose. */
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
  return (name ?? kind).toLowerCase();
}

/** What a call is given; a column that it defines is none of it. */
export function operandsOf(call: Syntax): unknown {
  const { kind, fields } = call;
  if (kind === 'function' || kind === 'method_call') return fields['args'];
  if (kind === 'unnest') return [fields['this'], ...listOf(fields['expressions'])];
  if (definesColumns.has(kind)) return [fields['this']];
  return [{ [kind]: fields }];
}

const definesColumns: ReadonlySet<string> = new Set(['j_s_o_n_table', 'open_j_s_o_n', 'x_m_l_table']);

import { childOf, nameOf, type Syntax } from './syntax.ts';
import type { SqlName } from './types.ts';

/** The parts of a dotted name; null where something else than names is dotted. */
export function pathOf({ kind, fields }: Syntax): readonly SqlName[] | null {
  if (kind === 'identifier') return namePath([fields]);
  if (kind === 'column') return namePath([fields['table'], fields['name']].filter((part) => part !== null));
  if (kind !== 'dot') return null;
  const left = childOf(fields, 'this');
  const before = left === null ? null : pathOf(left);
  const field = nameOf(fields['field']);
  return before === null || field === null ? null : [...before, field];
}

function namePath(parts: readonly unknown[]): readonly SqlName[] | null {
  const names = parts.map(nameOf);
  return names.every((name) => name !== null) ? names : null;
}
